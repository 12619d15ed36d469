/// Puts packets of audio in order, and finds those that are missing.
///
/// A packet waits for those before it until four have come behind it. What comes twice or too late is
/// dropped; a number far from all before begins a new count. Memory: four packets.
struct AudioSequence {
    /// A packet in its place.
    struct Placed: Equatable {
        /// Counts from 0, without wrapping, over what is missing too.
        var number: Int64
        /// Nil where it is missing.
        var bytes: [UInt8]?
        var stamp: CaptureStamp
        /// Whether the count was begun anew with it.
        var startsAnew = false
    }

    /// How many packets come behind one that is missing before it counts as lost.
    private static let patience = 4
    /// A longer gap is none: the count has begun anew.
    static let longestGap: Int64 = 1 << 16
    /// Nothing is as late as this.
    private static let longestDelay: Int64 = 1024

    /// The number of the next one, and its index in the capture.
    private var next: (number: Int64, index: UInt32)?
    private var waiting: [Int64: Placed] = [:]
    private var isRestarted = false
    /// How many came twice, or later than they were waited for.
    private(set) var duplicates = 0
    private(set) var late = 0
    /// The last packets that were given, to tell copies from late ones.
    private var given: Set<Int64> = []

    /// Takes a packet, in the order in which it came.
    mutating func take(_ bytes: [UInt8], _ stamp: CaptureStamp, _ give: (Placed) -> Void) {
        let index = stamp.index ?? next?.index ?? 0
        guard let (expected, expectedIndex) = next else {
            next = (0, index)
            return put(Placed(number: 0, bytes: bytes, stamp: stamp), give)
        }
        let distance = Int64(Int32(bitPattern: index &- expectedIndex))
        if distance > Self.longestGap || distance < -Self.longestDelay {
            flush(give)
            isRestarted = true
            let number = next?.number ?? expected
            next = (number, index)
            return put(Placed(number: number, bytes: bytes, stamp: stamp), give)
        }
        let number = expected + distance
        if distance < 0 {
            if given.contains(number) { duplicates += 1 } else { late += 1 }
            return
        }
        if waiting[number] != nil {
            duplicates += 1
            return
        }
        put(Placed(number: number, bytes: bytes, stamp: stamp), give)
    }

    /// Gives what still waits.
    mutating func flush(_ give: (Placed) -> Void) {
        while let first = waiting.keys.min() { release(upTo: first, give) }
    }

    private mutating func put(_ packet: Placed, _ give: (Placed) -> Void) {
        waiting[packet.number] = packet
        drain(give)
        while waiting.count >= Self.patience, let first = waiting.keys.min() {
            release(upTo: first, give)
        }
    }

    /// Gives packets as missing up to one that waits, then that one and those right behind it.
    private mutating func release(upTo number: Int64, _ give: (Placed) -> Void) {
        while let (expected, _) = next, expected < number { emit(nil, give) }
        drain(give)
    }

    private mutating func drain(_ give: (Placed) -> Void) {
        while let (expected, _) = next, let packet = waiting.removeValue(forKey: expected) {
            emit(packet, give)
        }
    }

    private mutating func emit(_ packet: Placed?, _ give: (Placed) -> Void) {
        guard let (number, index) = next else { return }
        var placed = packet ?? Placed(number: number, bytes: nil, stamp: CaptureStamp(index: index))
        placed.startsAnew = isRestarted
        isRestarted = false
        next = (number + 1, index &+ 1)
        if packet != nil { given.insert(number) }
        given.remove(number - Self.longestDelay)
        give(placed)
    }
}

/// What a packet of Opus tells of itself in its first byte.
///
/// Source: RFC 6716, section 3.1.
public enum OpusPacket {
    /// How many samples at 48 kHz a packet decodes to; nil where it is none.
    public static func sampleCount(_ packet: ArraySlice<UInt8>) -> Int? {
        guard let kind = packet.first else { return nil }
        let frames: Int
        switch kind & 3 {
        case 0: frames = 1
        case 1, 2: frames = 2
        default:
            guard packet.count > 1 else { return nil }
            frames = Int(packet[packet.startIndex + 1] & 0x3F)
        }
        let configuration = Int(kind >> 3)
        let length =
            switch configuration {
            case 0..<12: [480, 960, 1920, 2880][configuration & 3]
            case 12..<16: [480, 960][configuration & 1]
            default: [120, 240, 480, 960][configuration & 3]
            }
        // 120 ms are the most that a packet may hold.
        return frames > 0 && frames * length <= 5760 ? frames * length : nil
    }
}
