import Graph
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct EncodeAudioTests {
    private func block(_ rate: Int, _ channels: Int, seconds: Double) -> AudioBlock {
        AudioBlock(
            sampleRate: rate,
            channels: (0..<channels).map { channel in
                Signals.sine(
                    300 + 100 * Double(channel),
                    amplitude: 0.5,
                    sampleRate: rate,
                    seconds: seconds
                )
            }
        )
    }

    @Test(arguments: [
        (["codec": JSON.Value.string("aac")], 44_100, "aac"),
        (["codec": .string("opus")], 48_000, "opus"),
        (["codec": .string("flac")], 96_000, "flac"),
        (["codec": .string("flac"), "depth": .string("int24")], 48_000, "flac"),
        (["codec": .string("pcm")], 11_000, "pcm_s16le"),
        (["codec": .string("pcm"), "depth": .string("float32")], 48_000, "pcm_f32le"),
    ])
    func `packets have the format that was told, follow each other, and end with the audio`(
        parameters: [String: JSON.Value],
        rate: Int,
        codec: String
    ) throws {
        let audio = block(rate, 2, seconds: 0.3)
        let runner = try NodeRunner(
            EncodeAudio.self,
            parameters,
            inputs: [("audio", StreamInfo(format: audio.format))]
        )
        let told = try #require(runner.formats.outputs[0]?.format as? EncodedFormat)
        #expect(told.codec == codec)
        runner.feed("audio", blocks: [audio])
        runner.endAll()
        try runner.run()
        #expect(runner.isDone)
        let packets = runner.output("audio", as: EncodedPacket.self)
        let formats = Set(packets.map(\.payload.format))
        #expect(formats == [told])
        let ends = packets.map { $0.time.adding($0.duration) }
        let followEachOther = zip(ends, packets.dropFirst().map(\.time)).allSatisfy { $0 == $1 }
        #expect(followEachOther)
        guard case .audio(_, let priming, _) = told.content else { return }
        let first = packets.first?.time
        #expect(first == MediaTime(Int64(-priming), Int32(rate)))
        let last = ends.last
        #expect(last == audio.duration)
    }

    @Test(
        arguments: [
            ("opus", 44_100, 48_000), ("aac", 37_800, 48_000), ("aac", 192_000, 48_000),
            ("aac", 44_100, nil), ("flac", 37_800, nil),
        ] as [(String, Int, Int?)]
    )
    func `audio at a rate that a codec does not take is asked for at 48 kHz`(
        codec: String,
        rate: Int,
        wanted: Int?
    ) throws {
        let runner = try NodeRunner(
            EncodeAudio.self,
            ["codec": .string(codec)],
            inputs: [("audio", StreamInfo(format: AudioFormat(sampleRate: rate, channels: 1)))]
        )
        let request = runner.formats.requests[0] as? AudioFormat
        #expect(request == wanted.map { AudioFormat(sampleRate: $0, channels: 1) })
    }

    @Test(arguments: [
        ["codec": JSON.Value.string("mp3")], ["bitRate": .number("1")],
        ["codec": .string("flac"), "bitRate": .number("64000")], ["depth": .string("int16")],
        ["codec": .string("flac"), "depth": .string("float32")],
    ])
    func `settings that a codec does not have are refused`(parameters: [String: JSON.Value]) {
        #expect(throws: Problem.self) {
            try NodeRunner(
                EncodeAudio.self,
                parameters,
                inputs: [
                    ("audio", StreamInfo(format: AudioFormat(sampleRate: 48_000, channels: 2)))
                ]
            )
        }
    }

    @Test func `more than eight channels are refused`() {
        #expect(throws: Problem.self) {
            try NodeRunner(
                EncodeAudio.self,
                inputs: [
                    ("audio", StreamInfo(format: AudioFormat(sampleRate: 48_000, channels: 9)))
                ]
            )
        }
    }

    @Test(arguments: ["aac", "opus", "flac", "pcm"]) func `it keeps what every node keeps`(
        codec: String
    ) throws {
        try NodeRunner.checkInvariants(
            EncodeAudio.self,
            ["codec": .string(codec)],
            streams: [
                .audio(
                    "audio",
                    block(48_000, 2, seconds: 0.05),
                    then: block(44_100, 2, seconds: 0.05)
                )
            ]
        )
    }
}
