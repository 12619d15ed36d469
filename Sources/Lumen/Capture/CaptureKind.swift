import Codecs

/// How a capture lies in its file, as its first bytes tell.
public enum CaptureKind: Hashable, Sendable {
    /// Access units in a row: `hevc`, `h264` or `av1`.
    case video(codec: String)
    /// Opus packets of 80 bytes in a row.
    case opus
    /// Datagrams, each after its length.
    case datagrams
    /// A capture log.
    case log

    /// Whether it holds pictures and nothing else.
    public var holdsPictures: Bool { if case .video = self { true } else { false } }

    /// How far is looked for the first access unit.
    static let searchLimit = 1 << 20

    /// Finds out what a capture is.
    ///
    /// - Parameter bytes: at its beginning.
    /// - Throws: `CodecError` where it is none, with what it is as far as that can be told.
    init(_ bytes: CaptureBytes) throws {
        _ = try bytes.require(Self.searchLimit)
        let head = bytes.peek(0..<min(bytes.count, Self.searchLimit))
        let isWhole = bytes.count < Self.searchLimit
        let ending = bytes.name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        if head.isEmpty {
            throw Self.refusal(bytes.name, "it is empty: there is no access unit in it")
        }
        if let container = Self.container(head) {
            throw Self.refusal(
                bytes.name,
                "this is \(container), and no capture",
                hint: "read it with source.media"
            )
        }
        if ending == "pyrowave" {
            throw Self.refusal(bytes.name, "PyroWave is a codec that Foxfire does not read")
        }
        if head.starts(with: CaptureLog.magic) {
            self = .log
        } else if Self.isDatagrams(head, isWhole) {
            self = .datagrams
        } else if Self.isOpus(head) {
            self = .opus
        } else if Self.isTemporalUnit(head) {
            self = .video(codec: "av1")
        } else if Self.isLengthPrefixed(head, isWhole) {
            throw Self.refusal(
                bytes.name,
                "its access units stand behind their lengths, and not behind start codes",
                hint:
                    "write a byte stream: in GStreamer h265parse ! video/x-h265,stream-format=byte-stream"
            )
        } else if let codec = Self.codec(head, ending: ending) {
            self = .video(codec: codec)
        } else {
            throw Self.refusal(
                bytes.name,
                Self.isVerification(head)
                    ? "it holds frames of a transmission test, and no video"
                    : "it is no capture: there is no access unit, no Opus and no datagram in its first"
                        + " \(head.count) bytes"
            )
        }
    }

    private static func refusal(_ name: String, _ text: String, hint: String? = nil) -> CodecError {
        CodecError(call: "open", code: 0, text: text, subject: name, hint: hint)
    }

    /// The containers that are taken for captures most often.
    private static func container(_ head: ArraySlice<UInt8>) -> String? {
        let start = Array(head.prefix(12))
        if start.count >= 8, Array(start[4..<8]) == Array("ftyp".utf8) { return "MP4" }
        if start.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "Matroska" }
        if start.starts(with: "OggS".utf8) { return "Ogg" }
        if start.starts(with: "RIFF".utf8) { return "RIFF" }
        if start.starts(with: "DKIF".utf8) { return "IVF" }
        return nil
    }

    /// Whether the first 64 records are datagrams as hosts send them, one of them audio.
    private static func isDatagrams(_ head: ArraySlice<UInt8>, _ isWhole: Bool) -> Bool {
        var place = head.startIndex
        var audios = 0
        for _ in 0..<64 {
            if isWhole, place == head.endIndex { break }
            guard place + 3 <= head.endIndex else { return isWhole && audios > 0 }
            let length = Int(head[place]) | Int(head[place + 1]) << 8
            let tag = head[place + 2]
            guard length > 0, (0xC0...0xDF).contains(tag) else { return false }
            if Datagram.audioTags.contains(tag) {
                guard length >= Datagram.headerLength else { return false }
                audios += 1
            }
            place += 2 + length
            // The last one may be cut.
            if place > head.endIndex { return isWhole && audios > 0 }
        }
        return audios > 0
    }

    /// Whether every 80 bytes begin like those packets: CELT, full band, 5 ms, stereo.
    private static func isOpus(_ head: ArraySlice<UInt8>) -> Bool {
        let starts = stride(from: head.startIndex, to: head.endIndex, by: BareOpus.packetLength)
        return head.count >= BareOpus.packetLength
            && starts.prefix(64).allSatisfy { head[$0] == BareOpus.kind }
    }

    /// Whether it begins with a temporal delimiter of AV1 that tells its size, and another such unit.
    private static func isTemporalUnit(_ head: ArraySlice<UInt8>) -> Bool {
        let start = Array(head.prefix(3))
        return start.count == 3 && start[0] == 0x12 && start[1] == 0 && start[2] & 0x83 == 2
    }

    private static func isLengthPrefixed(_ head: ArraySlice<UInt8>, _ isWhole: Bool) -> Bool {
        var place = head.startIndex
        var found = 0
        while found < 8, place < head.endIndex {
            guard place + 6 <= head.endIndex else { break }
            let length = head[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length >= 2, length <= HEVCAccessUnitReader.byteLimit, head[place + 4] < 0x80,
                found > 0 || head[place] == 0
            else { return false }
            found += 1
            place += 4 + length
        }
        return found >= 3 || found > 0 && isWhole && place == head.endIndex
    }

    /// Verification frames begin with their number, then count up.
    private static func isVerification(_ head: ArraySlice<UInt8>) -> Bool {
        let ramp = Array(head.dropFirst(4).prefix(64))
        return ramp.count == 64 && zip(ramp, ramp.dropFirst()).allSatisfy { $1 == $0 &+ 1 }
    }

    /// HEVC or H.264, by the parameter sets; by the file's name where there are none.
    private static func codec(_ head: ArraySlice<UInt8>, ending: String) -> String? {
        var (hevc, h264) = (0, 0)
        var place = head.startIndex
        while place + 4 < head.endIndex {
            guard head[place] == 0, head[place + 1] == 0, head[place + 2] == 1 else {
                place += 1
                continue
            }
            let (first, second) = (head[place + 3], head[place + 4])
            if [0x40, 0x42, 0x44].contains(first), second == 1 { return "hevc" }
            if first & 0x9F == 7, [66, 77, 88, 100, 110, 122, 244].contains(second) {
                return "h264"
            }
            if first & 0x81 == 0, second & 0xF8 == 0, second & 7 == 1 { hevc += 1 }
            if first & 0x80 == 0, [1, 5].contains(first & 0x1F) { h264 += 1 }
            place += 3
        }
        if hevc == 0, h264 == 0 { return nil }
        switch ending {
        case "h264", "264", "avc": return "h264"
        case "h265", "265", "hevc": return "hevc"
        default: return hevc >= h264 ? "hevc" : "h264"
        }
    }
}
