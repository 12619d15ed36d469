import Testing

@testable import PicoFox

/// The firmware's reader in few lines, and WAV files of all kinds.
private enum Model {
    /// What AI6YM's readers send: nil where the header is refused.
    static func play(_ bytes: [UInt8], _ firmware: Firmware) -> [Int16]? {
        if firmware == .jf || bytes.count < 44 { return nil }
        func text(_ place: Int) -> String {
            String(decoding: bytes[place..<place + 4], as: UTF8.self)
        }
        func number(_ place: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        }
        guard text(0) == "RIFF", text(8) == "WAVE" else { return nil }
        if firmware == .kg {
            guard text(12) == "fmt ", number(20, 2) == 1, number(22, 2) == 1, number(24, 4) == 8000,
                number(34, 2) == 16
            else { return nil }
        }
        var samples: [Int16] = []
        var place = 44
        while place + 1 < bytes.count {
            samples.append(Int16(truncatingIfNeeded: number(place, 2)))
            place += 2
        }
        return samples
    }

    static func long(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
        Array(name.utf8) + long(contents.count) + contents
            + (contents.count % 2 == 1 ? [0] : [])
    }

    static func format(_ rate: Int, _ channels: Int, _ bits: Int, tag: Int = 1, extra: [UInt8] = [])
        -> [UInt8]
    {
        let frame = channels * bits / 8
        return chunk(
            "fmt ",
            Array(long(tag)[..<2]) + Array(long(channels)[..<2]) + long(rate) + long(rate * frame)
                + Array(long(frame)[..<2]) + Array(long(bits)[..<2]) + extra
        )
    }

    static func wave(_ chunks: [UInt8]...) -> [UInt8] {
        let body = Array("WAVE".utf8) + chunks.flatMap { $0 }
        return Array("RIFF".utf8) + long(body.count) + body
    }
}

@Suite struct PlayedFileTests {
    static let audio = chunk(5000)
    static func chunk(_ count: Int) -> [UInt8] {
        Model.chunk("data", (0..<2 * count).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    }

    private func play(_ bytes: [UInt8], _ firmware: Firmware = .r3) -> PlayedFile {
        PlayedFile(bytes.span, firmware)
    }

    /// Samples of noise before and after the audio.
    private func noise(_ file: PlayedFile) -> (before: Int, after: Int) {
        let first = file.stretches.firstIndex { $0.kind == .audio } ?? file.stretches.count
        let counts = file.stretches.map(\.sampleCount)
        return (counts[..<first].reduce(0, +), counts.dropFirst(first + 1).reduce(0, +))
    }

    @Test func `28 the plain header is played as it is`() {
        let file = play(Model.wave(Model.format(5000, 1, 16), Self.audio))
        #expect(file.isGood && file.speed == 1 && file.samples.count == 5000)
        #expect(file.stretches.map(\.bytes) == [44..<10_044])
        let kg = play(Model.wave(Model.format(8000, 1, 16), Self.audio), .kg)
        #expect(kg.isGood)
    }

    @Test func `28 chunks are noise as long as in the facts`() {
        let list = Model.chunk("LIST", [UInt8](repeating: 65, count: 26))
        let plain = Model.format(5000, 1, 16)
        #expect(noise(play(Model.wave(plain, list, Self.audio))) == (17, 0))
        let extensible = Model.format(
            5000,
            1,
            16,
            tag: 0xFFFE,
            extra: Array(repeating: 0, count: 24)
        )
        #expect(noise(play(Model.wave(extensible, Self.audio))) == (12, 0))
        let eighteen = Model.format(5000, 1, 16, extra: [0, 0])
        #expect(noise(play(Model.wave(eighteen, Self.audio))) == (1, 0))
        let pad = Model.chunk("PAD ", [UInt8](repeating: 0, count: 4096 - 36 - 16))
        #expect(noise(play(Model.wave(plain, pad, Self.audio))) == (2026, 0))
        let tail = Model.chunk("id3 ", [UInt8](repeating: 0, count: 92))
        let file = play(Model.wave(plain, Self.audio, tail))
        #expect(noise(file) == (0, 50))
        #expect(file.stretches.last?.kind == .noise(chunk: "id3 "))
    }

    @Test(arguments: [
        (8000, 1, 16, 0.625), (44_100, 1, 16, 0.113), (48_000, 1, 16, 0.104), (5000, 2, 16, 0.5),
        (5000, 1, 8, 2), (5000, 1, 16, 1),
    ])
    func `28 other formats are slower or faster`(rate: Int, channels: Int, bits: Int, speed: Double)
        throws
    {
        let file = play(Model.wave(Model.format(rate, channels, bits), Self.audio))
        #expect(abs(try #require(file.speed) - speed) < 0.0006)
        #expect(file.stretches.map(\.kind) == [bits == 16 ? .audio : .garbled])
        #expect(file.isGood == (speed == 1))
    }

    @Test func `28 what is refused, and by whom`() {
        let good = Model.wave(Model.format(5000, 1, 16), Self.audio)
        for length in [0, 1, 43] { #expect(play(Array(good[..<length])).refusal == .noWave) }
        #expect(play(Array(good[..<44])).refusal == nil && play(Array(good[..<44])).samples.isEmpty)
        for magic in ["RF64", "RIFX", "ID3\u{3}"] {
            #expect(play(Array(magic.utf8) + good.dropFirst(4)).refusal == .noWave)
        }
        #expect(play(good, .jf).refusal == .neverPlayed)
        #expect(play(good, .kg).refusal == .format)
        let extensible = Model.format(
            8000,
            1,
            16,
            tag: 0xFFFE,
            extra: Array(repeating: 0, count: 24)
        )
        #expect(play(Model.wave(extensible, Self.audio), .kg).refusal == .format)
        let late = Model.wave(Model.chunk("JUNK", [0, 0]), Model.format(8000, 1, 16), Self.audio)
        #expect(play(late, .kg).refusal == .format)
    }

    @Test func `31 deviation and offset are those of the samples`() {
        let samples = [16_383, -8000, 0, 0].flatMap { Array(Model.long($0)[..<2]) }
        let file = play(Model.wave(Model.format(5000, 1, 16), Model.chunk("data", samples)))
        #expect(abs(file.peakDeviation - 4999.8) < 0.1)
        #expect(abs(file.meanOffset - 8383.0 / 4 / 32_767 * 10_000) < 0.1)
    }

    @Test func `28 it equals the firmware's reader on random files`() {
        var state: UInt64 = 7
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        func noise(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(random(256)) } }
        for _ in 0..<1000 {
            var chunks: [[UInt8]] = []
            for _ in 0..<random(5) {
                switch random(4) {
                case 0:
                    chunks.append(
                        Model.format(
                            [5000, 8000, 44_100, 0][random(4)],
                            random(3),
                            [8, 16, 24][random(3)],
                            tag: random(3),
                            extra: noise(random(3) * 2)
                        )
                    )
                case 1: chunks.append(Model.chunk("data", noise(random(300))))
                case 2: chunks.append(Model.chunk("LIST", noise(random(60))))
                default: chunks.append(noise(random(20)))
                }
            }
            if random(2) == 0 { chunks.insert(Model.format(8000, 1, 16), at: 0) }
            var bytes = Model.wave(chunks.flatMap { $0 })
            if random(4) == 0, !bytes.isEmpty {
                bytes[random(min(44, bytes.count))] = UInt8(random(256))
            }
            if random(4) == 0 { bytes = Array(bytes.prefix(random(bytes.count + 1))) }
            for firmware in Firmware.allCases {
                let file = play(bytes, firmware)
                let model = Model.play(bytes, firmware)
                #expect((file.refusal == nil) == (model != nil))
                #expect(file.samples == model ?? [])
                #expect(file.stretches.map(\.sampleCount).reduce(0, +) == file.samples.count)
                let places = file.stretches.map(\.bytes)
                #expect(
                    zip(places, places.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound }
                )
            }
        }
    }
}
