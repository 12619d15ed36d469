/// Where things lie in a WAV file, read with patience: what is broken ends the list and is no error.
public struct WAVLayout: Sendable, Equatable {
    /// A chunk.
    public struct Chunk: Sendable, Equatable {
        /// Its four letters; others than printable ones are dots.
        public let name: String
        /// Its head of eight bytes and its contents, cut at the end of the file; without a pad byte.
        public let bytes: Range<Int>

        /// Its contents.
        public var contents: Range<Int> {
            min(bytes.lowerBound + 8, bytes.upperBound)..<bytes.upperBound
        }
    }

    /// What the `fmt ` chunk says.
    public struct Format: Sendable, Equatable {
        /// 1 is integers, 3 floats, 0xFFFE says it further behind.
        public let tag: Int
        /// How many channels.
        public let channels: Int
        /// Samples a second.
        public let sampleRate: Int
        /// Bits of a sample.
        public let bits: Int
    }

    /// The chunks in their order.
    public private(set) var chunks: [Chunk] = []
    /// The format, where there is one.
    public private(set) var format: Format?

    /// More chunks than this are not looked at.
    private static let chunkLimit = 10_000

    /// Looks through a file; one that is no RIFF file of WAVE has no chunks.
    public init(_ bytes: Span<UInt8>) {
        guard Self.isWave(bytes) else { return }
        var place = 12
        while place + 8 <= bytes.count, chunks.count < Self.chunkLimit {
            let letters = (0..<4).map { bytes[place + $0] }
            let name = String(
                decoding: letters.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: ".") },
                as: UTF8.self
            )
            let size = Self.long(bytes, place + 4)
            let end = min(place + 8 + size, bytes.count)
            chunks.append(Chunk(name: name, bytes: place..<end))
            if name == "fmt ", format == nil, end - place >= 24 {
                format = Format(
                    tag: Self.word(bytes, place + 8),
                    channels: Self.word(bytes, place + 10),
                    sampleRate: Self.long(bytes, place + 12),
                    bits: Self.word(bytes, place + 22)
                )
            }
            place += 8 + size + size % 2
        }
    }

    /// The samples' chunk.
    public var data: Chunk? { chunks.first { $0.name == "data" } }

    static func isWave(_ bytes: Span<UInt8>) -> Bool {
        bytes.count >= 12 && matches(bytes, 0, "RIFF") && matches(bytes, 8, "WAVE")
    }

    static func matches(_ bytes: Span<UInt8>, _ place: Int, _ text: StaticString) -> Bool {
        text.withUTF8Buffer { letters in
            letters.indices.allSatisfy { unsafe bytes[place + $0] == letters[$0] }
        }
    }

    static func word(_ bytes: Span<UInt8>, _ place: Int) -> Int {
        Int(bytes[place]) | Int(bytes[place + 1]) << 8
    }

    static func long(_ bytes: Span<UInt8>, _ place: Int) -> Int {
        word(bytes, place) | word(bytes, place + 2) << 16
    }
}
