import Codecs

/// Video with a side-car that tells where its access units lie.
///
/// A line is `offset length flags complete`, in decimal or 0x-hex; blank lines and those from # on do not
/// count. A last line that breaks off is left out, as a kill leaves it; so are entries behind the data's
/// end. Bytes behind the last entry are read without borders.
struct IndexedVideo: CaptureFormat {
    let bytes: CaptureBytes
    private var lines: IndexLines
    private var next_: IndexEntry?
    private var hasEntries = false
    private var isBehind = false

    /// Reads the first lines.
    ///
    /// - Throws: `CodecError` for an index without an entry, or with a wrong line.
    init(bytes: CaptureBytes, index: any ByteSource) throws {
        self.bytes = bytes
        lines = IndexLines(CaptureBytes(index))
        next_ = try lines.next()
        if next_ == nil {
            throw CodecError(
                call: "read",
                code: 0,
                text: "it names no access unit",
                subject: index.name,
                hint: "remove it to read the video without it"
            )
        }
    }

    mutating func next() throws -> CaptureRecord? {
        guard !isBehind, let entry = next_ else { return try bytes.takePiece().map { .video($0) } }
        if bytes.offset < entry.offset {
            let start = bytes.offset
            let gap = try bytes.skipAny(entry.offset - start)
            if gap == entry.offset - start {
                return .damage("\(gap) bytes belong to no access unit", offset: start)
            }
            return try end(entry)
        }
        guard try bytes.require(entry.length) else { return try end(entry) }
        let stamp = CaptureStamp(
            offset: entry.offset,
            flags: entry.flags,
            isComplete: entry.isComplete
        )
        let unit = bytes.take(entry.length)
        next_ = try lines.next()
        return .unit(unit, stamp)
    }

    /// The data ends before the index does: what is left of a unit is damaged.
    private mutating func end(_ entry: IndexEntry) throws -> CaptureRecord? {
        isBehind = true
        let rest = bytes.take(bytes.count)
        while try lines.next() != nil {}
        if rest.isEmpty {
            return .damage("the index goes on behind the end of the video", offset: bytes.offset)
        }
        return .unit(
            rest,
            CaptureStamp(offset: entry.offset, flags: entry.flags, isComplete: false)
        )
    }
}

/// What a line of an index says.
struct IndexEntry: Equatable {
    var offset: Int64
    var length: Int
    var flags: UInt32
    var isComplete: Bool

    /// Reads a line; nil where it is none.
    init?(_ line: some StringProtocol) {
        let words = line.split(separator: " ")
        guard words.count == 4, let offset = Self.number(words[0]),
            let length = Self.number(words[1]), let flags = Self.number(words[2]),
            let complete = Self.number(words[3]), offset <= Int64.max / 2, flags <= UInt32.max,
            complete <= 1
        else { return nil }
        self.offset = Int64(offset)
        self.length = Int(clamping: length)
        self.flags = UInt32(flags)
        isComplete = complete == 1
    }

    private static func number(_ word: some StringProtocol) -> UInt64? {
        // `UInt64` takes a sign, an index has none.
        guard let first = word.first, first.isNumber else { return nil }
        if word.hasPrefix("0x") || word.hasPrefix("0X") {
            let digits = word.dropFirst(2)
            return digits.first?.isHexDigit == true ? UInt64(digits, radix: 16) : nil
        }
        return UInt64(word)
    }
}

/// Reads an index line by line, and checks that entries follow each other.
struct IndexLines {
    private static let lineLimit = 1024

    private let bytes: CaptureBytes
    private var number = 0
    private var end: Int64 = 0

    init(_ bytes: CaptureBytes) { self.bytes = bytes }

    /// The next entry; nil at the end.
    mutating func next() throws -> IndexEntry? {
        while let line = try nextLine() {
            number += 1
            let text =
                String(decoding: line.bytes, as: UTF8.self)
                .split(separator: "#", omittingEmptySubsequences: false).first ?? ""
            let words = text.filter { $0 != "\r" }
            if words.allSatisfy({ $0 == " " || $0 == "\t" }) { continue }
            guard let entry = IndexEntry(words) else {
                // What a kill left of the last line.
                if try !bytes.require(1) { return nil }
                throw error("is not \"offset length flags complete\"")
            }
            guard entry.length <= HEVCAccessUnitReader.byteLimit else {
                throw error(
                    "names a unit of \(entry.length) bytes; at most"
                        + " \(HEVCAccessUnitReader.byteLimit >> 20) MiB are taken"
                )
            }
            guard entry.offset >= end else {
                // A number may break off as well as a line.
                if !line.isWhole { return nil }
                throw error(
                    "begins at \(entry.offset), within the unit before, which ends at \(end)"
                )
            }
            // A length that broke off would still be a number.
            if !line.isWhole { return nil }
            end = entry.offset + Int64(entry.length)
            return entry
        }
        return nil
    }

    private func error(_ text: String) -> CodecError {
        CodecError(
            call: "read",
            code: 0,
            text: "line \(number) \(text)",
            subject: bytes.name,
            hint: "mend the line, or remove the file to read the video without it"
        )
    }

    private mutating func nextLine() throws -> (bytes: [UInt8], isWhole: Bool)? {
        guard try bytes.require(1) else { return nil }
        var line: [UInt8] = []
        while try bytes.require(1) {
            let byte = bytes[0]
            bytes.skip(1)
            if byte == 0x0A { return (line, true) }
            line.append(byte)
            if line.count > Self.lineLimit {
                number += 1
                throw error("is longer than \(Self.lineLimit) bytes")
            }
        }
        return (line, false)
    }
}
