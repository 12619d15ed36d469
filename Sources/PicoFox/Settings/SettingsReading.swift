/// How a firmware reads a `settings.txt`, line by line.
///
/// A model of the parsers of the public sources: AI6YM's families split at line feeds only, trim nothing,
/// glue a line without "=" to the next, and never see a last line without a line feed; `kg` strips and
/// trims. O(bytes).
public struct SettingsReading: Sendable {
    /// What became of a line of the file.
    public enum Outcome: Sendable, Equatable {
        /// Nothing is in it, and nothing comes of it.
        case empty
        /// It has no "=": it is kept and glued to the front of the next line.
        case held
        /// It has no "=", which this firmware passes over.
        case comment
        /// Its value is stored; a later line may replace it.
        case stored(SettingsKey)
        /// Its key is none of this firmware's; so is one with what lines before left in front.
        case unknown(key: [UInt8], gluedFrom: Int?)
        /// It is the last one and has no line feed: it is not read.
        case unterminated
    }

    /// A line of the file, counted from 1.
    public struct Line: Sendable {
        /// Its number.
        public let number: Int
        /// Its bytes without the line feed.
        public let bytes: [UInt8]
        /// Whether a line feed ends it.
        public let isTerminated: Bool
        /// What the firmware made of it.
        public internal(set) var outcome: Outcome
    }

    /// The lines.
    public private(set) var lines: [Line] = []
    /// What the device works with then.
    public private(set) var settings: FirmwareSettings

    /// More bytes than this are no settings.
    public static let byteLimit = 65_536

    /// Reads a file as a firmware does.
    ///
    /// - Parameters:
    ///   - bytes: the file; beyond `byteLimit` nothing is read.
    ///   - firmware: whose parser.
    public init(_ bytes: [UInt8], _ firmware: Firmware) {
        settings = FirmwareSettings(factory: firmware)
        lines = Self.split(Array(bytes.prefix(Self.byteLimit)))
        if firmware == .kg { readTrimmed() } else { readGlued() }
        settings.settle()
    }

    /// The lines of a file; what follows the last line feed is one when it is not empty.
    static func split(_ bytes: [UInt8]) -> [Line] {
        var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let rest = parts.popLast() ?? []
        var lines = parts.enumerated().map { index, part in
            Line(number: index + 1, bytes: Array(part), isTerminated: true, outcome: .empty)
        }
        if !rest.isEmpty {
            lines.append(
                Line(
                    number: lines.count + 1,
                    bytes: Array(rest),
                    isTerminated: false,
                    outcome: .unterminated
                )
            )
        }
        return lines
    }

    private mutating func readGlued() {
        var buffer: [UInt8] = []
        var firstGlued: Int?
        for index in lines.indices where lines[index].isTerminated {
            let line = lines[index]
            buffer += upperCased(line.bytes)
            guard let split = buffer.firstIndex(of: UInt8(ascii: "=")) else {
                lines[index].outcome = line.bytes.isEmpty ? .empty : .held
                if !line.bytes.isEmpty, firstGlued == nil { firstGlued = line.number }
                continue
            }
            lines[index].outcome = store(
                Array(buffer[..<split]),
                Array(buffer[(split + 1)...]),
                gluedFrom: firstGlued
            )
            buffer = []
            firstGlued = nil
        }
    }

    /// Keys that came later: where one is missing, `kg` first ends the last line.
    private static let newerKeys: Set<SettingsKey> = [
        .attenuationMode, .attenuation, .attenuationMinimum, .attenuationMaximum, .voice,
        .audioMode, .frequencyShifting, .sstv, .sstvMode, .aprs,
    ]

    private mutating func readTrimmed() {
        var seen: Set<SettingsKey> = []
        for index in lines.indices where lines[index].isTerminated {
            lines[index].outcome = storeTrimmed(lines[index].bytes)
            if case .stored(let key) = lines[index].outcome { seen.insert(key) }
        }
        guard let last = lines.indices.last, !lines[last].isTerminated else { return }
        let before = settings
        let outcome = storeTrimmed(lines[last].bytes)
        if case .stored(let key) = outcome {
            seen.insert(key)
            guard Self.newerKeys.contains(key) || !Self.newerKeys.isSubset(of: seen) else {
                settings = before
                return
            }
        }
        lines[last].outcome = outcome
    }

    private mutating func storeTrimmed(_ bytes: [UInt8]) -> Outcome {
        let line = upperCased(bytes.filter { $0 != 0x0D })
        guard let split = line.firstIndex(of: UInt8(ascii: "=")) else {
            return trimmed(line).isEmpty ? .empty : .comment
        }
        return store(trimmed(line[..<split]), trimmed(line[(split + 1)...]), gluedFrom: nil)
    }

    private mutating func store(_ name: [UInt8], _ value: [UInt8], gluedFrom: Int?) -> Outcome {
        let key = SettingsKey(rawValue: String(decoding: name, as: UTF8.self))
        guard let key, settings.firmware.settingsKeys.contains(key) else {
            return .unknown(key: name, gluedFrom: gluedFrom)
        }
        settings.store(key, value)
        return .stored(key)
    }
}

/// ASCII letters in upper case.
func upperCased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
}

/// Without spaces, tabs and returns at both ends.
func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    var rest = Array(bytes.drop(while: isSpace))
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return rest
}
