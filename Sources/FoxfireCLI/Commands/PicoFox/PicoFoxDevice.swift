import Glibc
import Graph
import Media
import PicoFox

extension Command {
    /// `foxfire picofox device`: a fox that is plugged in.
    static let picofoxDevice = Command(
        name: "picofox device",
        summary: "Open, save, check and restore a fox that is plugged in, or any folder.",
        operands: [
            Operand(
                name: "ACTION",
                kind: .words(["open", "save", "status", "restore", "watch"]),
                help:
                    "open takes a snapshot, save replaces files, status compares, restore puts a backup "
                    + "back, watch tells when the device comes and goes."
            ),
            Operand(name: "DIR", kind: .file, help: "Where the device is mounted, or a folder."),
        ],
        options: [.firmware, .settingsFile, .audioFile, .force, .json],
        details: [
            "save looks first whether the device is as it was opened, copies what it replaces, and reads back "
                + "what it wrote. There is no transaction across files, and renaming and reading back are no "
                + "guarantee against pulling the plug. Any write stops a fox until its power is switched off "
                + "and on; unmount it before.",
            "Snapshots and backups are under $XDG_STATE_HOME/foxfire/picofox, by the device's USB serial, of "
                + "a folder by its path. The volume's UUID is the same for every fox and is not used.",
        ],
        examples: [
            (
                line: "foxfire picofox device open /media/fox --firmware r3",
                purpose: "Before a change."
            ),
            (
                line: "foxfire picofox device save /media/fox --firmware r3 --audio audio.wav",
                purpose: "Give it another message."
            ),
        ],
        perform: { arguments in try DeviceJob(arguments).perform() }
    )
}

private struct DeviceJob {
    let arguments: Arguments
    let folder: String

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        folder = arguments.operands[1]
    }

    /// The family that was named, or that the fox was opened as, or that its settings look like.
    private func device() throws -> FoxDevice {
        guard Folder.kind(of: folder) == .folder else {
            throw Failure(.failed, Message(.error, "file", "\(folder) is no folder"))
        }
        if arguments.text(.firmware) != nil {
            return try FoxDevice(FoxVolume(folder: folder, firmware: arguments.firmware()))
        }
        let opened = try FoxDevice(FoxVolume(folder: folder, firmware: .r3)).snapshot?.firmware
        if let opened { return try FoxDevice(FoxVolume(folder: folder, firmware: opened)) }
        let bytes = try? InputText.read("\(folder)/settings.txt", limit: SettingsReading.byteLimit)
        let likely = SettingsFile(bytes ?? []).likelyFirmware
        throw UsageError(
            text: "\"--firmware\" is missing: the firmware family of the fox",
            hint: bytes == nil
                ? "r2, r3, kc, kg or jf" : "its settings look like \(likely.rawValue)"
        )
    }

    func perform() throws -> ExitCode {
        do {
            switch arguments.operands[0] {
            case "open": return try open()
            case "save": return try save()
            case "status": return try status()
            case "restore": return try restore()
            case "watch": try watch()
            default:
                throw UsageError(
                    text: "unknown action \"\(arguments.operands[0])\"",
                    hint: "it is one of open, save, status, restore, watch"
                )
            }
        } catch let error as FoxError {
            throw Failure(
                error.isTemporary ? .temporary : .failed,
                Message(.error, "device", error.text, hint: error.hint)
            )
        }
    }

    private func tell(_ text: String) {
        StandardStreams.tell([Message(.warning, "device", text)], asJSON: arguments.has(.json))
    }

    private func open() throws -> ExitCode {
        let device = try device()
        let snapshot = try device.open()
        for (name, entry) in snapshot.entries.sorted(by: { $0.key < $1.key })
        where entry == .unreadable {
            tell("\(name) cannot be read: it is left alone")
        }
        try report(device, snapshot, differences: [])
        return .done
    }

    private func save() throws -> ExitCode {
        let device = try device()
        let settings = try arguments.text(.settingsFile).map { path in
            let bytes = try InputText.read(path, limit: SettingsReading.byteLimit)
            let written = SettingsFile(bytes).bytes(for: device.volume.firmware)
            let issues = SettingsReading(written, device.volume.firmware).issues
            StandardStreams.tell(issues.map { Message($0, path) }, asJSON: arguments.has(.json))
            return written
        }
        let audio = try arguments.text(.audioFile).map { list in
            try list.split(separator: ",").map {
                try InputText.read(String($0), limit: PlayedFile.byteLimit)
            }
        }
        try device.save(
            settings: settings,
            audio: audio ?? [],
            isForced: arguments.has(.force),
            tell: tell
        )
        try StandardStreams.write(
            result: "saved and read back; unmount the fox, then switch its power off and on\n"
        )
        return .done
    }

    private func status() throws -> ExitCode {
        let device = try device()
        if let broken = device.brokenSave {
            tell(
                "a save was broken off; what was there is in \(broken.folder), and \"foxfire picofox device "
                    + "restore\" puts it back"
            )
        }
        let snapshot = device.snapshot
        let differences = snapshot?.differences(from: device.volume) ?? []
        try report(device, snapshot, differences: differences)
        return device.brokenSave == nil && differences.isEmpty ? .done : .failed
    }

    private func report(
        _ device: FoxDevice,
        _ snapshot: FoxSnapshot?,
        differences: [String]
    ) throws {
        let volume = device.volume
        let foreign = volume.foreignFiles
        if arguments.has(.json) {
            let value: JSON.Value = .record([
                "foxfire": 1, "firmware": .string(volume.firmware.rawValue),
                "fox": .boolean(volume.isFox), "opened": .boolean(snapshot != nil),
                "broken": .boolean(device.brokenSave != nil),
                "differences": .list(differences.map { .string($0) }),
                "removedAtStart": .list(foreign.map { .string($0) }),
                "freeBytes": volume.freeBytes.map { .integer($0) },
            ])
            return try StandardStreams.write(result: JSON.pretty(value))
        }
        var lines = [
            "\(volume.folder): \(volume.isFox ? "a fox, \(volume.firmware.rawValue)" : "no fox")"
        ]
        if snapshot == nil { lines.append("  not opened yet") }
        for (name, entry) in (snapshot?.entries ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard case .file(let size, _) = entry else { continue }
            lines.append("  \(name.padded(to: 16))\(size) bytes")
        }
        lines += differences.map { "  changed since: \($0)" }
        lines += foreign.map { "  the fox will remove at its next start: \($0)" }
        if let free = volume.freeBytes { lines.append("  \(byteText(free)) free") }
        try StandardStreams.write(result: lines.map { $0 + "\n" }.joined())
    }

    private func restore() throws -> ExitCode {
        let names = try device().restore()
        try StandardStreams.write(result: "as before the save: \(names.joined(separator: ", "))\n")
        return .done
    }

    /// Looks twice a second, until it is interrupted; writes nothing on the device.
    private func watch() throws -> Never {
        enum Sight { case nothing, fox, other }
        var last: Sight?
        while true {
            let isThere = Folder.kind(of: folder) == .folder && !Folder.entries(of: folder).isEmpty
            let volume = FoxVolume(folder: folder, firmware: .r3)
            let sight: Sight = isThere ? (volume.isFox ? .fox : .other) : .nothing
            if sight != last {
                let text =
                    switch sight {
                    case .nothing: last == nil ? "nothing is there yet" : "gone"
                    case .fox: "a fox is there (\(volume.identity))"
                    case .other: "something is there that is no fox"
                    }
                try StandardStreams.write(result: "\(folder): \(text)\n")
                last = sight
            }
            usleep(500_000)
        }
    }
}
