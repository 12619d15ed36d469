import Codecs
import Media
import Testing

@Suite struct `Alignment of encoded audio` {
    struct Case: Sendable, CustomTestStringConvertible {
        let codec: AudioEncoder.Codec
        var depth = AudioEncoder.Depth.int16
        let container: Container
        let rate: Int
        var testDescription: String { "\(codec) \(depth) in \(container) at \(rate) Hz" }
    }

    static let cases: [Case] =
        [Container.mp4, .mov, .mkv].flatMap { container in
            [44100, 48000].map { Case(codec: .aac, container: container, rate: $0) }
        }
        + [Container.mp4, .mkv].map { Case(codec: .opus, container: $0, rate: 48000) }
        + [Container.mov, .mkv, .wav].flatMap { container in
            AudioEncoder.Depth.allCases.map {
                Case(codec: .pcm, depth: $0, container: container, rate: 44100)
            }
        }
        + [.int16, .int24].map { Case(codec: .flac, depth: $0, container: .mkv, rate: 44100) }

    @Test(arguments: cases)
    func `a click comes back where it was, and nothing is longer`(example: Case) throws {
        let scratch = try Scratch()
        let path = scratch.file("sound.\(example.container.rawValue)")
        let count = example.rate * 2 + 333
        let wanted = clicks(count, at: [0, 5000, 30000, count - 700])
        let stream = try encodeAudio(
            .init(codec: example.codec, depth: example.depth),
            [wanted, wanted],
            rate: example.rate
        )
        try mux(example.container, path, [stream])
        let read = try readAudio(path)
        #expect(read.channels.map(\.count) == [count, count])
        #expect(shift(of: read.channels[0], against: wanted, range: 400) == 0)
        #expect(read.isConsecutive)
        #expect(read.damage.isEmpty)
        if example.container != .mkv || example.codec == .pcm || example.codec == .flac {
            let judged = try decodedByFFmpeg(path)
            let left = stride(from: 0, to: judged.count, by: 2).map { judged[$0] }
            #expect(shift(of: left, against: wanted, range: 400) == 0)
        }
        if example.codec == .pcm || example.codec == .flac {
            let step: Float =
                example.depth == .int16 ? 0x1p-15 : example.depth == .int24 ? 0x1p-23 : 0
            let worst = zip(read.channels[1], wanted).map { abs($0 - $1) }.max() ?? 1
            #expect(worst <= step / 2)
        }
    }

    @Test(arguments: AudioEncoder.Codec.allCases)
    func `blocks of any size give the same packets`(codec: AudioEncoder.Codec) throws {
        let channels = [noise(10_000, seed: 3), noise(10_000, seed: 4)]
        func packets(_ size: Int) throws -> [[UInt8]] {
            let (_, units) = try encodeAudio(
                .init(codec: codec),
                channels,
                rate: 48000,
                blockSize: size
            )
            return units.map { unit in
                unit.packet.bytes.withSpan { span in span.indices.map { span[$0] } }
            }
        }
        let whole = try packets(10_000)
        for size in [1, 7, 64, 1024] { #expect(try packets(size) == whole) }
    }

    @Test(arguments: [8000, 11_025, 16_000, 24_000, 44_100])
    func `an MP3 keeps its length and its place`(rate: Int) throws {
        let scratch = try Scratch()
        let wanted = clicks(100_000, at: [3000, 50_000, 99_000])
        let stream = try encodeAudio(.init(codec: .pcm), [wanted], rate: rate)
        try mux(.wav, scratch.file("a.wav"), [stream])
        let bits = rate == 44_100 ? "192k" : "64k"
        try ffmpeg("-i", scratch.file("a.wav"), "-b:a", bits, scratch.file("a.mp3"))
        let read = try readAudio(scratch.file("a.mp3"))
        #expect(read.channels[0].count == 100_000)
        #expect(shift(of: read.channels[0], against: wanted, range: 400) == 0)
        #expect(read.damage.isEmpty)
    }

    @Test(arguments: ["libvorbis a.ogg", "libopus a.ogg", "ac3 a.ac3", "aac a.aac", "flac a.ogg"])
    func `sound full of hits is what another decoder hears`(line: String) throws {
        let (codec, name) = (line.split(separator: " ")[0], line.split(separator: " ")[1])
        let scratch = try Scratch()
        // Hits make codecs change their block lengths, also where a page of a file begins.
        let rate = codec == "libopus" ? 48000 : 44100
        let quiet = noise(rate * 12, seed: 5).map { $0 * 0.01 }
        let loud = noise(rate * 12, seed: 6)
        let wanted = quiet.indices.map { $0 % 9973 < 900 ? loud[$0] : quiet[$0] }
        let stream = try encodeAudio(.init(codec: .pcm), [wanted], rate: rate)
        try mux(.wav, scratch.file("a.wav"), [stream])
        let path = scratch.file(String(name))
        try ffmpeg("-i", scratch.file("a.wav"), "-c:a", String(codec), "-b:a", "96k", path)
        let (read, judged) = (try readAudio(path), try decodedByFFmpeg(path))
        #expect(read.channels[0].count == judged.count)
        #expect(zip(read.channels[0], judged).count { $0 != $1 } == 0)
        #expect(read.damage.isEmpty)
    }
}
