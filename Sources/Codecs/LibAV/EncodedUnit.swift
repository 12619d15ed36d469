public import Media

/// An encoded packet and what the graph's packet around it says: when it is decoded, how long it
/// lasts, and whether decoding can begin with it.
public struct EncodedUnit: Sendable {
    /// The packet.
    public let packet: EncodedPacket
    /// When it is decoded; before 0 where pictures are reordered or a codec primes itself.
    public let decodingTime: MediaTime
    /// How long it is shown or heard.
    public let duration: MediaTime
    /// Whether decoding can begin here.
    public let isKey: Bool

    /// Says all of it.
    public init(
        packet: EncodedPacket,
        decodingTime: MediaTime,
        duration: MediaTime,
        isKey: Bool
    ) {
        self.packet = packet
        self.decodingTime = decodingTime
        self.duration = duration
        self.isKey = isKey
    }
}
