import Codecs
import Foundation
import Media
import Testing

@Suite struct `Muxer writing containers` {
    static let audio: [(AudioEncoder.Settings, String)] = [
        (.init(codec: .aac), "aac"), (.init(codec: .opus), "libopus"),
        (.init(codec: .flac), "flac"),
        (.init(codec: .pcm), "pcm_s16le"), (.init(codec: .pcm, depth: .int24), "pcm_s24le"),
        (.init(codec: .pcm, depth: .float32), "pcm_f32le"),
    ]

    @Test(arguments: Container.allCases)
    func `what is not refused works, and what is refused fails in ffmpeg too`(container: Container)
        throws
    {
        let scratch = try Scratch()
        let samples = [noise(9600, seed: 1)]
        for (settings, name) in Self.audio {
            let stream = try encodeAudio(settings, samples, rate: 48000)
            let path = scratch.file("a.\(container)")
            if let refusal = container.refusal(of: stream.0.codec) {
                #expect(throws: CodecError.self, "\(refusal)") {
                    try mux(container, path, [stream])
                }
                // wav takes AAC and the like by tags that few readers know, and Ogg FLAC: refused here alone.
                if container == .wav || container == .ogg { continue }
                #expect(throws: ToolFailure.self, "\(name)") {
                    try ffmpeg(
                        "-f",
                        "lavfi",
                        "-i",
                        "sine=d=0.1:sample_rate=48000",
                        "-c:a",
                        name,
                        path
                    )
                }
            } else {
                try mux(container, path, [stream])
                #expect(try readAudio(path).channels[0].count == 9600, "\(name)")
            }
        }
        for codec in VideoEncoder.Codec.allCases {
            let holdsPictures = [.mp4, .mov, .mkv].contains(container)
            #expect((container.refusal(of: codec.rawValue) == nil) == holdsPictures)
        }
    }

    private func film(frames: Int = 60) throws -> [(EncodedFormat, [EncodedUnit])] {
        [
            try encodeVideo(.init(codec: .hevc), frames: frames, rate: Rate(30)),
            try encodeAudio(.init(codec: .aac), [noise(96000, seed: 1)], rate: 48000),
        ]
    }

    @Test(arguments: [Container.mp4, .mov])
    func `the index lies before the media`(container: Container) throws {
        let scratch = try Scratch()
        let path = scratch.file("film.\(container)")
        try mux(container, path, try film())
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let index = try #require(bytes.range(of: Data("moov".utf8)))
        let media = try #require(bytes.range(of: Data("mdat".utf8)))
        #expect(index.lowerBound < media.lowerBound)
        // Moving the media must have moved the offsets that point into it.
        try ffmpeg("-xerror", "-i", path, "-f", "null", "-")
    }

    @Test(arguments: [Container.mp4, .mov, .mkv])
    func `metadata survives, also keys of our own`(container: Container) throws {
        let scratch = try Scratch()
        let path = scratch.file("film.\(container)")
        let metadata = [
            "title": "A film – ein Film", "comment": "made by hand", "foxfire": "{\"seed\":1}",
        ]
        try mux(container, path, try film(), metadata: metadata)
        let info = try MediaInfo(probing: path)
        for (key, value) in metadata {
            #expect(info.metadata[key] ?? info.metadata[key.uppercased()] == value, "\(key)")
        }
        let common = ["title": "T", "comment": "C"]
        try mux(container, path, try film(), metadata: common)
        for (key, value) in common {
            let read = try MediaInfo(probing: path).metadata
            #expect(read[key] ?? read[key.uppercased()] == value)
        }
    }

    @Test(arguments: Container.allCases)
    func `bytes are the same each time, and name no version and no date`(container: Container)
        throws
    {
        let scratch = try Scratch()
        let sounds: [Container: AudioEncoder.Codec] = [.wav: .pcm, .flac: .flac, .ogg: .opus]
        let streams =
            try sounds[container].map {
                [try encodeAudio(.init(codec: $0), [noise(9600, seed: 1)], rate: 48000)]
            } ?? film()
        var hashes: Set<String> = []
        for index in 0..<2 {
            let path = scratch.file("film\(index).\(container)")
            try mux(container, path, streams, metadata: ["title": "x", "b": "y", "a": "z"])
            hashes.insert(try SHA256.ofFile(path))
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            for name in ["Lavf5", "Lavf6", "Lavc", "x265 (build"] {
                #expect(bytes.range(of: Data(name.utf8)) == nil)
            }
        }
        #expect(hashes.count == 1)
    }

    @Test func `bad packets are refused`() throws {
        let scratch = try Scratch()
        let (format, units) = try encodeAudio(
            .init(codec: .aac),
            [noise(9600, seed: 1)],
            rate: 48000
        )
        let file = try OutputFile(path: scratch.file("a.mp4"))
        var muxer = try Muxer(.mp4, to: .file(file), streams: [format])
        try muxer.write(units[1], stream: 0)
        #expect(throws: CodecError.self) { try muxer.write(units[1], stream: 0) }
        #expect(throws: CodecError.self) { try muxer.write(units[0], stream: 0) }
        let (_, others) = try encodeAudio(.init(codec: .opus), [noise(9600, seed: 1)], rate: 48000)
        #expect(throws: CodecError.self) { try muxer.write(others[5], stream: 0) }
    }

    @Test func `a dropped muxer leaves nothing`() throws {
        let scratch = try Scratch()
        do {
            let (format, units) = try encodeAudio(
                .init(codec: .aac),
                [noise(9600, seed: 1)],
                rate: 48000
            )
            let file = try OutputFile(path: scratch.file("a.mp4"))
            var muxer = try Muxer(.mp4, to: .file(file), streams: [format])
            try muxer.write(units[0], stream: 0)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
    }

    @Test func `mp4 needs a file`() throws {
        let (format, _) = try encodeAudio(.init(codec: .aac), [noise(9600, seed: 1)], rate: 48000)
        #expect(throws: CodecError.self) {
            _ = try Muxer(.mp4, to: .standardOutput, streams: [format])
        }
    }

    @Test func `names tell their containers`() {
        #expect(Container(path: "a/b.MP4") == .mp4)
        #expect(Container(path: "b.mov") == .mov)
        #expect(Container(path: "x.y/film.mka") == .mkv)
        #expect(Container(path: "x.wav/film") == nil)
        #expect(Container(path: "film.avi") == nil)
    }
}

@Suite struct `FilmCheck reading back` {
    private func film(_ path: String) throws {
        try mux(
            .mp4,
            path,
            [
                try encodeVideo(.init(), frames: 150, rate: Rate(30)),
                try encodeAudio(.init(codec: .aac), [noise(240_000, seed: 1)], rate: 48000),
            ]
        )
    }

    @Test(arguments: FilmCheck.Depth.allCases)
    func `a whole film has its facts`(depth: FilmCheck.Depth) throws {
        let scratch = try Scratch()
        let path = scratch.file("film.mp4")
        try film(path)
        let check = try FilmCheck(path: path, depth: depth)
        #expect(check.streams.map(\.packetCount) == [150, 235])
        #expect(check.streams.allSatisfy { $0.start == .zero && $0.end == MediaTime(5, 1) })
        #expect(check.drift == 0)
        #expect(check.length == MediaTime(5, 1))
        #expect(check.streams[0].decodedCount == (depth == .full ? 150 : nil))
    }

    @Test func `damage in the end is found fast, and in the middle by looking at all`() throws {
        let scratch = try Scratch()
        let path = scratch.file("film.mp4")
        try film(path)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let places = try tool(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v", "-show_entries", "packet=pos", "-of",
                "csv=p=0", path,
            ]
        )
        let positions = String(decoding: places, as: UTF8.self).split(separator: "\n").compactMap {
            Int($0.prefix { $0.isNumber })
        }
        for place in positions[75]..<positions[75] + 400 { bytes[place] = 0xA5 }
        try Data(bytes).write(to: scratch.file("middle.mp4"))
        #expect(throws: CodecError.self) {
            try FilmCheck(path: scratch.file("middle.mp4"), depth: .full)
        }
        bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        for place in positions[140]..<positions[140] + 400 { bytes[place] = 0xA5 }
        try Data(bytes).write(to: scratch.file("end.mp4"))
        #expect(throws: CodecError.self) { try FilmCheck(path: scratch.file("end.mp4")) }
        try Data(bytes.prefix(bytes.count * 3 / 4)).write(to: scratch.file("cut.mp4"))
        #expect(throws: CodecError.self) { try FilmCheck(path: scratch.file("cut.mp4")) }
        #expect(throws: FileError.self) { try FilmCheck(path: scratch.file("none.mp4")) }
    }
}
