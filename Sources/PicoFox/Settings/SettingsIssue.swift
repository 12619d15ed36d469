/// Something in a `settings.txt` that a firmware reads otherwise than it is meant, or that is worth a look.
public struct SettingsIssue: Sendable, Equatable {
    /// How bad it is.
    public enum Severity: String, Sendable { case error, warning }

    /// The line, counted from 1; 0 of the file as a whole.
    public let line: Int
    /// Errors keep the fox silent, or let it send what it should not.
    public let severity: Severity
    /// What the firmware does.
    public let text: String
    /// What to do.
    public let hint: String?
}

extension SettingsReading {
    /// What is wrong, line by line, then with the settings as a whole.
    public var issues: [SettingsIssue] {
        var check = SettingsCheck(self)
        check.run()
        return check.issues
    }
}

/// Compares what a firmware reads with what is meant.
private struct SettingsCheck {
    let reading: SettingsReading
    var issues: [SettingsIssue] = []
    var firmware: Firmware { reading.settings.firmware }
    private var lastLine: [SettingsKey: Int] = [:]

    init(_ reading: SettingsReading) { self.reading = reading }

    private mutating func tell(
        _ severity: SettingsIssue.Severity,
        _ line: Int,
        _ text: String,
        _ hint: String? = nil
    ) {
        issues.append(SettingsIssue(line: line, severity: severity, text: text, hint: hint))
    }

    mutating func run() {
        for line in reading.lines { check(line) }
        checkWhole()
    }

    private mutating func check(_ line: SettingsReading.Line) {
        var meant = trimmed(line.bytes)
        let hasMark = line.number == 1 && meant.starts(with: [0xEF, 0xBB, 0xBF])
        if hasMark { meant.removeFirst(3) }
        let setting = SettingsFile.setting(meant)
        let key = setting.flatMap { SettingsKey(rawValue: $0.key) }
        let isKnown = key.map { firmware.settingsKeys.contains($0) } ?? false
        switch line.outcome {
        case .empty, .comment: break
        case .held:
            tell(
                .error,
                line.number,
                meant.isEmpty
                    ? "a blank line that ends in CR LF is glued to the next line, which is lost"
                    : "a line without \"=\" is glued to the next line, which is lost",
                "remove it, or end comments in \"=\""
            )
        case .unterminated:
            guard isKnown, let setting else { return }
            tell(
                .error,
                line.number,
                "the last line has no line feed and is not read: \(setting.key) stays as the factory has it",
                "end the file with a line feed"
            )
        case .unknown(_, let glued):
            guard isKnown, let key, let setting else {
                if let setting, key == nil || glued != nil { tellUnknown(setting.key, line.number) }
                if let setting, let key, glued == nil {
                    tell(
                        .warning,
                        line.number,
                        "\(key.rawValue) is no setting of \(firmware.rawValue) and does nothing",
                        setting.key == key.rawValue ? nil : "write it as \(key.rawValue)"
                    )
                }
                return
            }
            let severity: SettingsIssue.Severity =
                key == .callsign || key == .frequency || key == .ituZone ? .error : .warning
            if let glued {
                tell(
                    .error,
                    line.number,
                    "\(setting.key) is swallowed by line \(glued), which has no \"=\", and is not set",
                    "remove line \(glued), or end it in \"=\""
                )
            } else if hasMark {
                tell(
                    severity,
                    line.number,
                    "a byte order mark before \(setting.key) makes its name unknown: it is not set",
                    "save the file as plain ASCII"
                )
            } else {
                tell(
                    severity,
                    line.number,
                    "spaces around \(setting.key) make its name unknown: it is not set",
                    "write \(setting.key)=\(setting.value)"
                )
            }
        case .stored(let stored):
            if let before = lastLine[stored] {
                tell(
                    .warning,
                    line.number,
                    "\(stored.rawValue) stands on line \(before) too; this one counts"
                )
            }
            lastLine[stored] = line.number
            let split = line.bytes.firstIndex(of: UInt8(ascii: "=")) ?? 0
            let bytes = Array(line.bytes[(split + 1)...])
            checkValue(stored, firmware == .kg ? trimmed(bytes) : bytes, line.number)
        }
    }

    private mutating func tellUnknown(_ key: String, _ line: Int) {
        tell(.warning, line, "\(key.prefix(40)) is an unknown setting and does nothing")
    }

    private mutating func checkValue(_ key: SettingsKey, _ bytes: [UInt8], _ line: Int) {
        let text = String(decoding: trimmed(bytes), as: UTF8.self)
        switch firmware.rule(key) {
        case .text(let limit): checkCallsign(bytes, limit, line)
        case .megahertz: checkFrequency(bytes, line)
        case .words(let words):
            if !words.contains(text.uppercased()) {
                tell(
                    .warning,
                    line,
                    "\(key.rawValue) must be one of \(words.joined(separator: ", ")), not \"\(text)\""
                )
            }
        case .integer(let bits, let range, let outside):
            var probe = FirmwareSettings(factory: firmware)
            probe.store(key, upperCased(bytes))
            let stored = probe.number(key)
            let meant = Int(text)
            if meant == stored, range.contains(stored) {
                if key == .morseTone, stored > 2000 {
                    tell(
                        .warning,
                        line,
                        "MORSE_TONE is \(stored) Hz: above 2000 Hz its image is as loud as the tone",
                        "use 100 to 2000"
                    )
                }
                return
            }
            let isDangerous =
                key == .attenuation && stored == 0 || key == .dutyCycle && stored == 0
            var becomes = "is read as \(stored)"
            if key == .dutyCycle, stored == 0 { becomes += ": nothing is sent" }
            if key == .attenuation, stored == 0 { becomes += ": full power" }
            if key == .ituZone {
                becomes =
                    stored == 1
                    ? "is read as 1: the band ends at 146 MHz"
                    : "is no zone and counts as 2: the band ends at 148 MHz"
            }
            if key == .farnsworthSpeed, meant == nil || meant != stored {
                becomes = "is read as \(stored)"
            }
            if meant != nil, !(0..<1 << bits).contains(meant ?? 0), outside != .greatest {
                becomes += " (it is stored in \(bits) bits)"
            }
            tell(
                isDangerous ? .error : .warning,
                line,
                "\(key.rawValue)=\(text) \(becomes)",
                "use \(range.lowerBound) to \(range.upperBound)"
            )
        }
    }

    private mutating func checkCallsign(_ bytes: [UInt8], _ limit: Int, _ line: Int) {
        let meant = trimmed(bytes)
        if firmware != .kg, meant.isEmpty, !bytes.isEmpty {
            tell(
                .error,
                line,
                "CALLSIGN holds only what cannot be heard: the fox sends without a callsign",
                "give a callsign, or leave nothing behind \"=\""
            )
            return
        }
        if meant.count > limit {
            let kept = String(decoding: upperCased(meant.prefix(limit)), as: UTF8.self)
            tell(
                .error,
                line,
                "CALLSIGN has \(meant.count) characters, of which \(limit) are kept: \(kept)",
                "use at most \(limit)"
            )
        }
        if firmware != .kg, bytes.last == 0x0D {
            tell(
                .warning,
                line,
                "the CR at the line's end counts as a character of CALLSIGN: a longer gap in the ID",
                "end lines with a line feed alone"
            )
        }
        var silent: [String] = []
        for byte in upperCased(meant.prefix(limit))
        where MorseCode.elements(of: byte, firmware) == nil {
            let name =
                (0x21...0x7E).contains(byte)
                ? "\"\(Character(UnicodeScalar(byte)))\"" : "a space or a foreign letter"
            if !silent.contains(name) { silent.append(name) }
        }
        if !silent.isEmpty {
            tell(
                .warning,
                line,
                "of CALLSIGN \(silent.joined(separator: " and ")) cannot be heard in the ID",
                firmware == .kg ? "use A-Z, 0-9 and /" : "use A-Z and 0-9"
            )
        }
    }

    private mutating func checkFrequency(_ bytes: [UInt8], _ line: Int) {
        let text = String(decoding: trimmed(bytes), as: UTF8.self)
        let hertz = FirmwareSettings.hertz(upperCased(bytes))
        if text.contains(",") {
            tell(
                .error,
                line,
                "FREQ_MHZ=\(text) ends at the comma: it is read as \(FirmwareSettings.megahertz(hertz)) MHz",
                "write a point"
            )
        } else if Double(text) == nil {
            tell(
                .warning,
                line,
                "FREQ_MHZ=\(text) is read as \(FirmwareSettings.megahertz(hertz)) MHz",
                "write only the number, as in 146.565"
            )
        }
    }

    private mutating func checkWhole() {
        let settings = reading.settings
        if settings.callsign.isEmpty {
            tell(
                .error,
                lastLine[.callsign] ?? 0,
                "CALLSIGN is empty: nothing is sent",
                "give the station's callsign"
            )
        }
        if !settings.isInBand {
            let band = firmware.band(zone: settings.number(.ituZone))
            tell(
                .error,
                lastLine[.frequency] ?? 0,
                "FREQ_MHZ is \(FirmwareSettings.megahertz(settings.frequency)) MHz, beyond what \(firmware.rawValue) sends "
                    + "on in ITU zone \(settings.number(.ituZone)): nothing is sent",
                "use \(FirmwareSettings.megahertz(band.lowerBound)) to \(FirmwareSettings.megahertz(band.upperBound))"
            )
        }
        let duty = settings.number(.dutyCycle)
        if duty == 0, lastLine[.dutyCycle] != nil,
            !issues.contains(where: { $0.line == lastLine[.dutyCycle] && $0.severity == .error })
        {
            tell(
                .error,
                lastLine[.dutyCycle] ?? 0,
                "DUTY_CYCLE is 0: nothing is sent",
                "use 1 to 100"
            )
        }
        if let real = FoxCycle.realDuty(duty, firmware), duty > 0, duty < 100, firmware != .kg {
            let percent = Int((real * 1000).rounded())
            tell(
                .warning,
                lastLine[.dutyCycle] ?? 0,
                "DUTY_CYCLE=\(duty) is really \(percent / 10).\(percent % 10) % on the air: the pause is that "
                    + "part of the time on, so less than 50 % cannot be had"
            )
        }
        let (speed, gaps) = (settings.number(.morseSpeed), settings.number(.farnsworthSpeed))
        if let line = lastLine[.farnsworthSpeed], firmware != .kg, gaps != speed, gaps != 0 {
            tell(
                .warning,
                line,
                gaps < speed
                    ? "MORSE_FARNSWORTH_WPM=\(gaps) does nothing: it is below MORSE_WPM, which is \(speed)"
                    : "MORSE_FARNSWORTH_WPM=\(gaps) makes the gaps shorter than MORSE_WPM=\(speed) does"
            )
        }
    }
}
