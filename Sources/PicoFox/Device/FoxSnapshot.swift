import Codecs
public import Media

/// What was on a fox when it was opened or last saved: by it, changes made meanwhile are seen.
public struct FoxSnapshot: Sendable, Equatable {
    /// A file.
    public enum Entry: Sendable, Equatable {
        /// Its length and SHA-256.
        case file(size: Int, digest: String)
        /// It could not be read, and is left alone.
        case unreadable
    }

    /// What runs on the fox.
    public let firmware: Firmware
    /// The settings as they were.
    public let settings: [UInt8]
    /// The settings' and audio files by their names.
    public internal(set) var entries: [String: Entry]

    /// Takes a snapshot.
    ///
    /// - Parameter volume: of the fox.
    /// - Throws: `FileError` when the settings cannot be read.
    public init(of volume: FoxVolume) throws(FileError) {
        firmware = volume.firmware
        settings = try FileStatus.contents(
            volume.path("settings.txt"),
            limit: SettingsReading.byteLimit
        )
        entries = Self.entries(of: volume)
    }

    static func entries(of volume: FoxVolume) -> [String: Entry] {
        var entries: [String: Entry] = [:]
        for name in ["settings.txt"] + volume.firmware.audioFileNames
        where Folder.kind(of: volume.path(name)) != .nothing {
            do {
                let bytes = try FileStatus.contents(volume.path(name), limit: PlayedFile.byteLimit)
                entries[name] = .file(size: bytes.count, digest: digest(bytes))
            } catch { entries[name] = .unreadable }
        }
        return entries
    }

    static func digest(_ bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes.span)
        return hash.hexDigest()
    }

    /// What differs on the volume now, in words; empty where nothing does.
    ///
    /// That `kg` writes its settings anew at every start is no difference as long as they say the same.
    public func differences(from volume: FoxVolume) -> [String] {
        let now = Self.entries(of: volume)
        var differences: [String] = []
        for name in Set(entries.keys).union(now.keys).sorted() where entries[name] != now[name] {
            switch (entries[name], now[name]) {
            case (nil, _): differences.append("\(name) is new")
            case (_, nil): differences.append("\(name) is gone")
            default:
                if name == "settings.txt", firmware == .kg,
                    let bytes = try? FileStatus.contents(
                        volume.path(name),
                        limit: SettingsReading.byteLimit
                    ),
                    SettingsReading(bytes, .kg).settings == SettingsReading(settings, .kg).settings
                {
                    continue
                }
                differences.append("\(name) was changed")
            }
        }
        return differences
    }

    // MARK: As a file

    /// Lines: a head, the firmware, each file, and the settings to the end.
    var bytes: [UInt8] {
        var text = "foxfire picofox snapshot 1\nfirmware \(firmware.rawValue)\n"
        for name in entries.keys.sorted() {
            switch entries[name] {
            case .file(let size, let digest)?: text += "file \(size) \(digest) \(name)\n"
            case .unreadable?: text += "unreadable \(name)\n"
            case nil: break
            }
        }
        return Array((text + "settings\n").utf8) + settings
    }

    /// Reads what `bytes` gave; nil of anything else.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        func line() -> [String]? {
            guard let end = rest.firstIndex(of: 0x0A) else { return nil }
            defer { rest = rest[(end + 1)...] }
            return String(decoding: rest[..<end], as: UTF8.self)
                .split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        }
        guard line() == ["foxfire", "picofox", "snapshot", "1"], let second = line(),
            second.count == 2, let firmware = Firmware(name: second[1])
        else { return nil }
        self.firmware = firmware
        var entries: [String: Entry] = [:]
        while true {
            guard let words = line() else { return nil }
            if words == ["settings"] { break }
            if words.count == 4, words[0] == "file", let size = Int(words[1]) {
                entries[words[3]] = .file(size: size, digest: words[2])
            } else if words.count == 2, words[0] == "unreadable" {
                entries[words[1]] = .unreadable
            } else {
                return nil
            }
        }
        self.entries = entries
        settings = Array(rest)
    }
}
