import Graph
import Media
import PicoFox

extension Command {
    /// `foxfire picofox settings`: a settings.txt.
    static let picofoxSettings = Command(
        name: "picofox settings",
        summary: "Show, check, change or convert a settings.txt.",
        operands: [
            Operand(
                name: "ACTION",
                kind: .words(["show", "check", "set", "convert"]),
                help: "show what the fox makes of it, check it, set values, or convert it."
            ),
            Operand(name: "FILE", kind: .file, help: "The settings.txt."),
            Operand(
                name: "KEY=VALUE",
                kind: .settings,
                help: "What to set, as in CALLSIGN=N0CALL."
            ),
        ],
        options: [.firmware, .to, .target, .replace, .keep, .json],
        details: [
            "Each firmware reads a file in its own way; check tells line by line where that is not what is "
                + "meant, and ends with 1 when the fox would be silent or send what it should not. Without "
                + "--firmware the family is guessed from the keys.",
            "set keeps every line, writes plain ASCII lines that no firmware stumbles over, and replaces the "
                + "file. On a fox that is plugged in, use \"foxfire picofox device save\": it also makes the "
                + "fox forget its old Morse ID.",
        ],
        examples: [
            (
                line: "foxfire picofox settings check settings.txt --firmware r3",
                purpose: "Look for traps."
            ),
            (
                line: "foxfire picofox settings set settings.txt CALLSIGN=N0CALL DUTY_CYCLE=50",
                purpose: "Change two values."
            ),
            (
                line: "foxfire picofox settings convert settings.txt --to kg -o new.txt",
                purpose: "For another firmware."
            ),
        ],
        perform: { arguments in try SettingsJob(arguments).perform() }
    )
}

private struct SettingsJob {
    let arguments: Arguments
    let path: String
    let bytes: [UInt8]
    let file: SettingsFile
    let firmware: Firmware

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        path = arguments.operands[1]
        bytes = try InputText.read(path, limit: SettingsReading.byteLimit)
        file = SettingsFile(bytes)
        firmware = arguments.text(.firmware).flatMap(Firmware.init(name:)) ?? file.likelyFirmware
    }

    func perform() throws -> ExitCode {
        let action = arguments.operands[0]
        if action != "set", let extra = arguments.settings.first {
            throw UsageError(text: "\"\(extra.name)=\(extra.value)\" is only for set")
        }
        switch action {
        case "show": return try show()
        case "check": return try check()
        case "set": return try set()
        case "convert": return try convert()
        default:
            throw UsageError(
                text: "unknown action \"\(action)\"",
                hint: "it is one of show, check, set, convert"
            )
        }
    }

    private func show() throws -> ExitCode {
        let settings = SettingsReading(bytes, firmware).settings
        let text =
            arguments.has(.json)
            ? JSON.pretty(settings.json)
            : "as \(firmware.rawValue) reads it\(arguments.text(.firmware) == nil ? " (guessed)" : ""):\n"
                + settings.canonicalText + "\n" + settings.summary
        try StandardStreams.write(result: text)
        return .done
    }

    private func check() throws -> ExitCode {
        let issues = SettingsReading(bytes, firmware).issues
        let messages = issues.map { Message($0, path) }
        if arguments.has(.json) {
            try StandardStreams.write(
                result: JSON.pretty([
                    "foxfire": 1, "firmware": .string(firmware.rawValue),
                    "issues": .list(messages.map(\.json)),
                ])
            )
        } else if messages.isEmpty {
            try StandardStreams.write(result: "\(path): fine for \(firmware.rawValue)\n")
        } else {
            try StandardStreams.write(result: messages.map { $0.line + "\n" }.joined())
        }
        return issues.contains { $0.severity == .error } ? .failed : .done
    }

    private func set() throws -> ExitCode {
        if arguments.settings.isEmpty {
            throw UsageError(text: "nothing to set", hint: "as in CALLSIGN=N0CALL")
        }
        var changed = file
        for setting in arguments.settings {
            let name = setting.name.uppercased()
            guard let key = SettingsKey(rawValue: name), firmware.settingsKeys.contains(key) else {
                let names = firmware.settingsKeys.map(\.rawValue)
                throw UsageError(
                    text: "\(firmware.rawValue) has no setting \"\(setting.name)\"",
                    hint: closestMatch(to: name, in: names).map { "did you mean \"\($0)\"?" }
                        ?? "it has \(names.joined(separator: ", "))"
                )
            }
            do throws(SettingsValueError) {
                changed.set(key, try firmware.checked(setting.value, for: key))
            } catch {
                throw UsageError(text: error.text, hint: error.hint)
            }
        }
        let written = changed.bytes(for: firmware)
        let reading = SettingsReading(written, firmware)
        if changed.value(.frequency) != nil, !reading.settings.isInBand {
            let band = firmware.band(zone: reading.settings.number(.ituZone))
            throw UsageError(
                text: "FREQ_MHZ is beyond what \(firmware.rawValue) sends on in ITU zone "
                    + "\(reading.settings.number(.ituZone)): \(band.lowerBound) to \(band.upperBound) Hz"
            )
        }
        StandardStreams.tell(
            reading.issues.map { Message($0, path) },
            asJSON: arguments.has(.json)
        )
        try write(
            written,
            to: arguments.text(.target) ?? path,
            mayReplace: arguments.text(.target) == nil
        )
        return .done
    }

    private func convert() throws -> ExitCode {
        let target = try arguments.firmware(.to)
        let (converted, dropped) = file.converted(to: target)
        if !dropped.isEmpty {
            StandardStreams.tell(
                [
                    Message(
                        .warning,
                        "dropped",
                        "\(target.rawValue) has no \(dropped.joined(separator: ", "))"
                    )
                ],
                asJSON: arguments.has(.json)
            )
        }
        StandardStreams.tell(
            SettingsReading(converted, target).issues.map {
                Message($0, arguments.text(.target) ?? "-")
            },
            asJSON: arguments.has(.json)
        )
        guard let output = arguments.text(.target), output != "-" else {
            try StandardStreams.write(result: converted)
            return .done
        }
        try write(converted, to: output, mayReplace: false)
        return .done
    }

    private func write(_ bytes: [UInt8], to path: String, mayReplace: Bool) throws {
        let target = OutputPolicy.Target(path: path)
        let faults = OutputPolicy.faults(of: [target])
        if !faults.isEmpty { throw Failure(.failed, faults) }
        if !mayReplace, try !OutputPolicy(arguments).settle([target]).isEmpty { return }
        let file = try OutputFile(path: path)
        try file.write(bytes.span)
        try file.commit()
    }
}

extension Message {
    /// An issue of a settings file.
    init(_ issue: SettingsIssue, _ path: String) {
        self.init(
            issue.severity == .error ? .error : .warning,
            "settings",
            issue.text,
            hint: issue.hint
        )
        file = path
        if issue.line > 0 { location = SourceLocation(line: issue.line, column: 1) }
    }
}

extension FirmwareSettings {
    /// What follows from the settings.
    var summary: String {
        var lines: [String] = []
        lines.append(transmits ? "sends" : "sends nothing")
        if let power = nominalPower {
            lines.append(
                "power \(fixed(power, digits: power < 1 ? 3 : 1)) mW, nominal, uncalibrated"
            )
        } else {
            lines.append("power changes from turn to turn")
        }
        let identification = FoxCycle(self, audioSamples: 0).identificationMilliseconds
        lines.append("Morse ID \(fixed(Double(identification) / 1000, digits: 2)) s")
        if let duty = FoxCycle.realDuty(number(.dutyCycle), firmware) {
            lines.append("on the air \(fixed(100 * duty, digits: 1)) % of the time")
        } else {
            lines.append("on the air in its slot of 12 s each minute")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    var json: JSON.Value {
        let values = firmware.settingsKeys.map { key -> (String, JSON.Value) in
            switch key {
            case .callsign: (key.rawValue, .string(callsignText))
            case .frequency: (key.rawValue, .number(fixed(Double(frequency) / 1e6, digits: 6)))
            default: (key.rawValue, words[key].map { .string($0) } ?? .integer(number(key)))
            }
        }
        return .record([
            "foxfire": 1, "firmware": .string(firmware.rawValue), "settings": .members(values),
            "transmits": .boolean(transmits),
            "nominalMilliwatts": nominalPower.map { .number(fixed($0, digits: 4)) },
            "duty": FoxCycle.realDuty(number(.dutyCycle), firmware).map {
                .number(fixed($0, digits: 4))
            },
        ])
    }
}
