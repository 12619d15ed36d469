import Codecs
import Glibc
import Media

/// Decodes a second time in another way, and tells which pictures do not depend on what is not in the stream.
///
/// Where a slice breaks off, or a changed bit makes it end too early or too late, the two differ.
struct TwinDecoder: ~Copyable {
    /// A picture of the first decoder, in the order in which that gave it.
    struct Settled {
        let picture: VideoFrame
        let number: Int64
        let isSame: Bool
    }

    private var decoder: VideoDecoder
    private var first: [(number: Int64, picture: VideoFrame)] = []
    private var second: [Int64: VideoFrame] = [:]
    private var hasEnded = false

    /// How many pictures may wait for their twins: as many as a codec and its threads hold.
    private static let patience = 64

    init(_ format: EncodedFormat) throws { decoder = try VideoDecoder(format, variant: .bright) }

    /// Decodes a packet, or with nil what is left.
    mutating func send(_ packet: EncodedPacket?, number: Int64) throws {
        if packet == nil { hasEnded = true }
        _ = try decoder.send(packet, number: number)
        while let found = try decoder.next({ _ in }) {
            second[found.number] = found.picture
        }
    }

    /// Takes a picture of the first decoder.
    mutating func take(_ picture: VideoFrame, number: Int64) { first.append((number, picture)) }

    /// The next picture of which it is known whether both have it; nil when its twin has not come yet.
    mutating func next() -> Settled? {
        guard let (number, picture) = first.first else { return nil }
        let twin = second.removeValue(forKey: number)
        // A twin that does not come at all differs.
        if twin == nil, !hasEnded, first.count < Self.patience { return nil }
        first.removeFirst()
        let isSame = twin.map { Self.areEqual(picture, $0) } ?? false
        return Settled(picture: picture, number: number, isSame: isSame)
    }

    private static func areEqual(_ one: VideoFrame, _ other: VideoFrame) -> Bool {
        guard one.format == other.format else { return false }
        return unsafe one.bytes.withUnsafePointer { first in
            unsafe other.bytes.withUnsafePointer { second in
                unsafe memcmp(first, second, one.byteCount) == 0
            }
        }
    }
}
