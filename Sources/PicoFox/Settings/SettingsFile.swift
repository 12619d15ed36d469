/// A `settings.txt` as its owner means it: every line is kept, and written so that no firmware stumbles.
public struct SettingsFile: Sendable, Equatable {
    /// A line.
    public enum Entry: Sendable, Equatable {
        /// A key, known or not, with its value, both trimmed.
        case setting(key: String, value: String)
        /// Anything else that is not empty.
        case comment(String)
        case empty
    }

    /// The lines in their order.
    public private(set) var entries: [Entry] = []

    /// Reads a file: byte order mark, CRLF, spaces and a missing last line feed do no harm.
    ///
    /// - Parameter bytes: the file; what is no UTF-8 is replaced.
    public init(_ bytes: [UInt8]) {
        entries = SettingsReading.split(Array(bytes.prefix(SettingsReading.byteLimit))).map {
            line in
            var content = trimmed(line.bytes)
            while content.starts(with: [0xEF, 0xBB, 0xBF]) {
                content = trimmed(content.dropFirst(3))
            }
            if content.isEmpty { return .empty }
            guard let (key, value) = Self.setting(content) else {
                return .comment(String(decoding: content, as: UTF8.self))
            }
            return .setting(key: key, value: value)
        }
    }

    /// The key in upper case and the value of a line; nil of a comment, also of one with an "=".
    static func setting(_ line: [UInt8]) -> (key: String, value: String)? {
        guard let split = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        if line.first == UInt8(ascii: "#") || line.first == UInt8(ascii: ";") { return nil }
        let key = String(decoding: upperCased(trimmed(line[..<split])), as: UTF8.self)
        return (key, String(decoding: trimmed(line[(split + 1)...]), as: UTF8.self))
    }

    /// The value that counts, of the last line with a key.
    public func value(_ key: SettingsKey) -> String? {
        for case .setting(key.rawValue, let value) in entries.reversed() { return value }
        return nil
    }

    /// Puts a value behind a key: where its last line is, else at the end.
    public mutating func set(_ key: SettingsKey, _ value: String) {
        let entry = Entry.setting(key: key.rawValue, value: value)
        let last = entries.lastIndex {
            if case .setting(key.rawValue, _) = $0 { true } else { false }
        }
        if let last { entries[last] = entry } else { entries.append(entry) }
    }

    /// The file for a firmware: line feeds, no spaces, the last line ended; comments get an "=" where they
    /// would swallow the next line.
    public func bytes(for firmware: Firmware) -> [UInt8] {
        var text = ""
        for entry in entries {
            switch entry {
            case .setting(let key, let value): text += "\(key)=\(value)\n"
            case .empty: text += "\n"
            case .comment(let line):
                if firmware == .kg || line.utf8.contains(UInt8(ascii: "=")) {
                    text += line + "\n"
                } else {
                    let mark = line.hasPrefix("#") || line.hasPrefix(";") ? "" : "# "
                    text += "\(mark)\(line) =\n"
                }
            }
        }
        return Array(text.utf8)
    }

    /// The file for another firmware: its keys in its order, what is missing as the factory has it.
    ///
    /// - Parameter firmware: the one that will read it.
    /// - Returns: the file without comments, and each setting that it cannot hold.
    public func converted(to firmware: Firmware) -> (bytes: [UInt8], dropped: [String]) {
        var text = ""
        for key in firmware.settingsKeys {
            text += "\(key.rawValue)=\(value(key) ?? firmware.factoryValue(key))\n"
        }
        let kept = Set(firmware.settingsKeys.map(\.rawValue))
        var dropped: [String] = []
        for case .setting(let key, _) in entries where !kept.contains(key) && !dropped.contains(key)
        {
            dropped.append(key)
        }
        return (Array(text.utf8), dropped)
    }

    /// The family whose keys are in the file; a guess, since old files survive a new firmware.
    public var likelyFirmware: Firmware {
        func has(_ keys: SettingsKey...) -> Bool { keys.contains { value($0) != nil } }
        if has(.attenuationMode, .voice, .audioMode, .sstv, .aprs, .frequencyShifting) {
            return .kg
        }
        if has(.foxNumber) { return .jf }
        return has(.attenuation) ? .r3 : .r2
    }
}
