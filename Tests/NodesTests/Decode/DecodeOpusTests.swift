import Codecs
import Foundation
import Graph
import Lumen
import Media
import TestSupport
import Testing

@testable import Nodes

@Suite struct DecodeOpusTests {
    private static let tone = Result {
        try OpusFixture(channels: 2).packets(count: 200) { _, sample in
            Float(sin(2 * .pi * 440 * Double(sample) / 48_000)) * 0.25
        }
    }

    /// Decodes packets; nil ones are missing, and one without bytes is silence of the host's.
    private func decoded(_ packets: [[UInt8]?], channels: Int = 2, from start: Int64 = 0) throws
        -> (runner: NodeRunner, samples: [[Float]], start: MediaTime?)
    {
        let format = try #require(EncodedFormat(opus: .init(channels: channels)))
        let runner = try NodeRunner(
            DecodeOpus.self,
            inputs: [("audio", StreamInfo(format: format))]
        )
        for (index, packet) in packets.enumerated() {
            let time = MediaTime(start + Int64(index) * 240, 48_000)
            runner.feed(
                "audio",
                EncodedPacket(
                    format: format,
                    bytes: Writable(copying: packet ?? []),
                    presentationTime: time
                ),
                at: time,
                duration: MediaTime(240, 48_000),
                flags: packet == nil ? [.key, .damaged] : .key
            )
        }
        runner.endAll()
        try runner.run()
        let blocks: [Packet<AudioBlock>] = runner.output("audio")
        var samples: [[Float]] = Array(repeating: [], count: channels)
        for block in blocks {
            for channel in 0..<channels {
                block.payload.withChannel(channel) { span in
                    for index in span.indices { samples[channel].append(span[index]) }
                }
            }
        }
        return (runner, samples, blocks.first?.time)
    }

    private func amplitude(_ samples: ArraySlice<Float>, _ frequency: Double) -> Double {
        Signals.component(frequency, of: samples.map(Double.init)[...], sampleRate: 48_000)
            .amplitude
    }

    @Test func `whole audio is what another decoder gives`() throws {
        let packets = try Self.tone.get()
        #expect(packets.allSatisfy { $0.count == 80 && $0[0] == 0xEC })
        let (runner, samples, _) = try decoded(packets)
        #expect(samples[0].count == packets.count * 240 && samples[1].count == samples[0].count)
        #expect(runner.notices.damageCount == 0)
        let found = amplitude(samples[0][4800..<43_200], 440)
        #expect(abs(found - 0.25) < 0.01)
    }

    @Test func `missing packets keep their time, fade, and do not click`() throws {
        var packets: [[UInt8]?] = try Self.tone.get()
        for index in 60..<65 { packets[index] = nil }
        for index in 100..<140 { packets[index] = nil }
        let (runner, samples, _) = try decoded(packets)
        #expect(samples[0].count == packets.count * 240)
        #expect(rootMeanSquare(samples[0][60 * 240..<61 * 240]) > 0.02)
        #expect(
            rootMeanSquare(samples[0][104 * 240..<105 * 240]) < rootMeanSquare(
                samples[0][100 * 240..<101 * 240]
            ) + 0.01
        )
        #expect(samples[0][110 * 240..<140 * 240].allSatisfy { $0 == 0 })
        // Steps from sample to sample stay those of the tone, some three times.
        let steps = zip(samples[0], samples[0].dropFirst()).map { abs($1 - $0) }
        let usual = steps[4800..<9600].max() ?? 0
        #expect((steps[60 * 240 - 5..<112 * 240].max() ?? 1) < 4 * usual)
        #expect(runner.notices.warnings == ["15 packets were made up from those before them"])
    }

    @Test func `a packet that is no good costs itself alone`() throws {
        var packets: [[UInt8]?] = try Self.tone.get()
        packets[50] = Array(repeating: 0xFF, count: 80)
        packets[70] = Array(repeating: 0x00, count: 80)
        packets[90] = []
        let (runner, samples, _) = try decoded(packets)
        #expect(samples[0].count == packets.count * 240)
        #expect(runner.notices.damageCount == 2)
        #expect(runner.notices.damages[1].contains("holds 480 samples, and should 240"))
        let clean = try decoded(Self.tone.get()).samples
        // Ten packets later nothing is heard of it.
        let (first, second) = (samples[0][110 * 240..<150 * 240], clean[0][110 * 240..<150 * 240])
        #expect(zip(first, second).allSatisfy { abs($0 - $1) < 0.01 })
    }

    @Test func `audio begins where its first packet lies`() throws {
        #expect(try decoded(Self.tone.get(), from: 999).start == MediaTime(999, 48_000))
    }

    @Test(arguments: [6, 8])
    func `each channel of a surround stream comes out where it belongs`(channels: Int) throws {
        let encoder = try OpusFixture(channels: channels)
        let packets = encoder.packets(count: 100) { channel, sample in
            Float(sin(2 * .pi * Double(200 + 100 * channel) * Double(sample) / 48_000)) * 0.2
        }
        #expect(packets.allSatisfy { $0.count == (channels == 6 ? 160 : 281) })
        let (_, samples, _) = try decoded(packets, channels: channels)
        for channel in 0..<channels {
            let part = samples[channel][4800..<19_200]
            for other in 0..<channels {
                let found = amplitude(part, Double(200 + 100 * other))
                // The low-frequency channel keeps little of what is not low, and what is coded together leaks.
                if other == channel {
                    #expect(found > (channel == 3 ? 0.02 : 0.15), "\(channel): \(found)")
                } else {
                    #expect(found < 0.07, "\(channel) holds \(other): \(found)")
                }
            }
        }
    }
}
