import Codecs
import Foundation
import Media
import Testing

@Suite struct `VideoEncoder making films` {
    struct Case: Sendable, CustomTestStringConvertible {
        let codec: VideoEncoder.Codec
        let layout: PixelLayout
        let container: Container
        var testDescription: String { "\(codec) \(layout) in \(container)" }
    }

    static let cases = VideoEncoder.Codec.allCases.flatMap { codec in
        [PixelLayout.yuv420p, .yuv420p10].flatMap { layout in
            [Container.mp4, .mov, .mkv].map { Case(codec: codec, layout: layout, container: $0) }
        }
    }

    @Test(arguments: cases)
    func `pictures come back nearly as they were, tagged as they must be`(example: Case) throws {
        let scratch = try Scratch()
        let path = scratch.file("film.\(example.container)")
        let rate = Rate(25)
        let video = try encodeVideo(
            .init(codec: example.codec, crf: 12, preset: "medium"),
            frames: 30,
            rate: rate,
            layout: example.layout
        )
        try mux(example.container, path, [video])
        let probe = try ffprobe(
            path,
            "stream=codec_name,pix_fmt,codec_tag_string,color_range,color_space,color_primaries,color_transfer,has_b_frames",
            stream: "v"
        )
        #expect(probe["codec_name"] == example.codec.rawValue)
        #expect(probe["pix_fmt"] == (example.layout == .yuv420p ? "yuv420p" : "yuv420p10le"))
        #expect(probe["color_range"] == "tv")
        for key in ["color_space", "color_primaries", "color_transfer"] {
            #expect(probe[key] == "bt709")
        }
        if example.container != .mkv {
            #expect(probe["codec_tag_string"] == (example.codec == .hevc ? "hvc1" : "avc1"))
        }
        let read = try readVideo(path, keepsFrames: true)
        #expect(read.times == (0..<30).map { rate.time(of: $0) })
        #expect(read.frames.allSatisfy { $0.format == picture(0, layout: example.layout).format })
        for index in [0, 13, 29] {
            #expect(meanError(read.frames[index], picture(index, layout: example.layout)) < 3)
        }
        // Reordered pictures are decoded before they are shown.
        #expect(video.1.contains { $0.decodingTime < .zero })
        #expect(video.1.allSatisfy { $0.decodingTime <= $0.packet.presentationTime })
    }

    private func meanError(_ left: VideoFrame, _ right: VideoFrame) -> Double {
        let size = left.format.layout.bytesPerSample
        func samples(_ frame: VideoFrame) -> [Int] {
            frame.bytes.withSpan { span in
                stride(from: 0, to: span.count, by: size).map {
                    size == 1 ? Int(span[$0]) : (Int(span[$0]) | Int(span[$0 + 1]) << 8) / 4
                }
            }
        }
        let pairs = zip(samples(left), samples(right))
        return pairs.reduce(0.0) { $0 + abs(Double($1.0 - $1.1)) } / Double(left.byteCount / size)
    }

    @Test(arguments: VideoEncoder.Codec.allCases)
    func `the same settings give the same bytes`(codec: VideoEncoder.Codec) throws {
        func hashes(_ threads: Int) throws -> [String] {
            try encodeVideo(.init(codec: codec, threads: threads), frames: 40, rate: Rate(30)).1.map
            { unit in
                var hash = SHA256()
                unit.packet.bytes.withSpan { hash.update($0) }
                return hash.hexDigest()
            }
        }
        let first = try hashes(4)
        let isSame = try hashes(4) == first
        #expect(isSame)
        #expect(try hashes(1).count == 40)
    }

    @Test func `key frames come no further apart than asked`() throws {
        let (_, units) = try encodeVideo(.init(keyInterval: 0.5), frames: 100, rate: Rate(30))
        let keys = units.filter(\.isKey).map { $0.packet.presentationTime.seconds }.sorted()
        #expect(keys.first == 0)
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $1 - $0 <= 0.5 + 1e-9 })
    }

    @Test func `what it cannot take is refused with a reason`() throws {
        let good = picture(0).format
        func refused(_ settings: VideoEncoder.Settings, _ format: VideoFormat) -> String {
            do {
                _ = try VideoEncoder(settings, input: format, frameRate: Rate(25))
                return ""
            } catch { return error.description }
        }
        let odd = VideoFormat(width: 63, height: 48, layout: .yuv420p, color: .video709)
        let rgb = VideoFormat(width: 64, height: 48, layout: .rgb24, color: .rgb709)
        #expect(refused(.init(), odd).contains("odd"))
        #expect(refused(.init(), rgb).contains("yuv420p"))
        #expect(refused(.init(preset: "quick"), good).contains("ultrafast"))
        #expect(refused(.init(crf: 52), good).contains("0 to 51"))
        #expect(refused(.init(threads: 0), good).contains("1 to 64"))
        #expect(refused(.init(), good).isEmpty)
    }

    @Test func `pictures out of order or of another format are refused`() throws {
        var encoder = try VideoEncoder(.init(), input: picture(0).format, frameRate: Rate(25))
        _ = try encoder.encode(picture(0), at: .zero)
        #expect(throws: CodecError.self) { try encoder.encode(picture(1), at: MediaTime(1, 1000)) }
        #expect(throws: CodecError.self) {
            try encoder.encode(picture(1, width: 32), at: MediaTime(1, 25))
        }
    }

    @Test func `no picture at all is no film and no crash`() throws {
        var encoder = try VideoEncoder(.init(), input: picture(0).format, frameRate: Rate(25))
        #expect(try encoder.finish().isEmpty)
        var hevc = try VideoEncoder(
            .init(codec: .hevc),
            input: picture(0).format,
            frameRate: Rate(25)
        )
        #expect(try hevc.finish().isEmpty)
        _ = try VideoEncoder(.init(codec: .hevc), input: picture(0).format, frameRate: Rate(25))
    }
}

@Suite struct `AudioEncoder limits` {
    @Test func `what it cannot take is refused with a reason`() throws {
        func refused(_ settings: AudioEncoder.Settings, _ rate: Int, _ channels: Int = 2) -> String
        {
            do {
                _ = try AudioEncoder(
                    settings,
                    input: AudioFormat(sampleRate: rate, channels: channels)
                )
                return ""
            } catch { return error.description }
        }
        #expect(refused(.init(codec: .opus), 44100).contains("resample"))
        #expect(refused(.init(codec: .flac, depth: .float32), 44100).contains("int24"))
        #expect(!refused(.init(codec: .aac), 12345).isEmpty)
        #expect(!refused(.init(codec: .aac), 48000, 20).isEmpty)
        #expect(refused(.init(codec: .pcm), 12345, 20).isEmpty)
        for channels in [1, 2, 3, 4, 5, 6, 8] {
            for codec in AudioEncoder.Codec.allCases {
                let isTaken = codec != .opus || ![3, 4].contains(channels)
                #expect(
                    refused(.init(codec: codec), 48000, channels).isEmpty == isTaken,
                    "\(codec) \(channels)"
                )
            }
        }
    }

    @Test(arguments: AudioEncoder.Codec.allCases)
    func `nothing in gives nothing`(codec: AudioEncoder.Codec) throws {
        var encoder = try AudioEncoder(
            .init(codec: codec),
            input: AudioFormat(sampleRate: 48000, channels: 1)
        )
        #expect(try encoder.finish().isEmpty)
    }

    @Test(arguments: AudioEncoder.Codec.allCases)
    func `a few samples are enough`(codec: AudioEncoder.Codec) throws {
        let scratch = try Scratch()
        for count in [1, 100] {
            let stream = try encodeAudio(.init(codec: codec), [noise(count, seed: 1)], rate: 48000)
            let path = scratch.file("a.mkv")
            try mux(.mkv, path, [stream])
            #expect(try readAudio(path).channels.map(\.count) == [count], "\(codec) \(count)")
        }
    }

    @Test func `a gap is refused`() throws {
        let format = AudioFormat(sampleRate: 48000, channels: 1)
        var encoder = try AudioEncoder(.init(codec: .pcm), input: format)
        let block = AudioBlock(sampleRate: 48000, channels: [noise(100, seed: 1)])
        _ = try encoder.encode(block, at: .zero)
        _ = try encoder.encode(block, at: MediaTime(100, 48000))
        #expect(throws: CodecError.self) { try encoder.encode(block, at: MediaTime(400, 48000)) }
        let other = AudioBlock(sampleRate: 44100, channels: [noise(100, seed: 1)])
        #expect(throws: CodecError.self) { try encoder.encode(other, at: MediaTime(200, 48000)) }
    }

    @Test func `loud and broken samples are clipped and silenced`() throws {
        let scratch = try Scratch()
        let samples: [Float] = [2, -2, .infinity, .nan, 1, -1, 0.5]
        for depth in [AudioEncoder.Depth.int16, .int24] {
            let stream = try encodeAudio(.init(codec: .pcm, depth: depth), [samples], rate: 48000)
            try mux(.wav, scratch.file("a.wav"), [stream])
            let read = try readAudio(scratch.file("a.wav")).channels[0]
            let top: Float = depth == .int16 ? 32767 / 32768 : 8_388_607 / 8_388_608
            #expect(read == [top, -1, 0, 0, top, -1, 0.5])
        }
    }
}
