/// Finds NAL units in a byte stream that comes in pieces.
///
/// A unit begins behind 00 00 01 and ends before the next such code, or the zeros before it. Bytes before
/// the first code are junk and are counted. Memory: the bytes that are not taken yet.
///
/// Source: ITU-T H.264 and H.265, annex B.
public struct AnnexBScanner: Sendable {
    /// A NAL unit within the bytes that are held.
    struct Unit: Sendable {
        /// Where its start code begins, zeros before it included, and where it begins itself, in the buffer.
        var code: Int
        var start: Int
        /// Where it ends.
        var end: Int
    }

    private(set) var buffer: [UInt8] = []
    /// Before this the buffer holds what was dropped.
    private var head = 0
    /// Where the first byte of the buffer lies in the stream.
    private(set) var offset: Int64 = 0
    /// The unit that has begun and not ended: its code and its first byte.
    private var open: (code: Int, start: Int)?
    /// Up to here there is no start code but those that were found.
    private var searched = 0
    private var hasEnded = false
    /// How many bytes stood before the first start code.
    private(set) var junk: Int64 = 0

    /// Holds nothing.
    public init() {}

    /// How many bytes are held.
    var count: Int { buffer.count - head }

    /// Takes the stream's next bytes; places in the buffer from before are no longer right.
    ///
    /// - Returns: by how much places have moved towards the start.
    mutating func append(_ bytes: ArraySlice<UInt8>) -> Int {
        let moved = head
        // Here and not in `drop`, so that a byte is moved once for each piece and not for each unit.
        buffer.removeFirst(head)
        offset += Int64(head)
        searched -= head
        if let begun = open { open = (begun.code - head, begun.start - head) }
        head = 0
        buffer += bytes
        return moved
    }

    /// Says that the stream is over: what is open ends with it.
    mutating func finish() { hasEnded = true }

    /// The next unit that is whole; nil before more bytes come, or at the end.
    mutating func next() -> Unit? {
        while true {
            guard let code = startCode() else {
                guard hasEnded, let begun = open else { return nil }
                open = nil
                // No unit ends in a zero byte.
                let end = buffer.lastIndex { $0 != 0 } ?? 0
                guard end >= begun.start else { return nil }
                return Unit(code: begun.code, start: begun.start, end: end + 1)
            }
            var zeros = code
            let floor = open?.start ?? 0
            while zeros > floor, buffer[zeros - 1] == 0 { zeros -= 1 }
            searched = code + 3
            let begun = open
            open = (zeros, code + 3)
            if let begun {
                // Two codes in a row hold nothing between them.
                if zeros > begun.start {
                    return Unit(code: begun.code, start: begun.start, end: zeros)
                }
            } else {
                junk += Int64(zeros)
            }
        }
    }

    /// Lets go of the bytes before a place.
    mutating func drop(upTo place: Int) { head = place }

    /// Whether the stream is over and every unit was given.
    var isDone: Bool { hasEnded && open == nil && searched >= buffer.count - 2 }

    private mutating func startCode() -> Int? {
        let found: Int? = unsafe buffer.withUnsafeBufferPointer { bytes in
            var place = searched
            let end = bytes.count - 2
            while place < end {
                let third = unsafe bytes[place + 2]
                if third > 1 {
                    place += 3
                } else if third == 0 {
                    place += 1
                } else {
                    if unsafe bytes[place] == 0 && bytes[place + 1] == 0 { return place }
                    place += 3
                }
            }
            return nil
        }
        if found == nil { searched = max(searched, buffer.count - 2) }
        return found
    }
}
