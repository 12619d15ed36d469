import Codecs
import Foundation
import Media
import Testing

@Suite struct `MediaReader reading video` {
    @Test(arguments: ["mp4", "mkv", "avi", "ts"])
    func `start and end cut exactly the frames that are there`(ending: String) throws {
        let scratch = try Scratch()
        let path = scratch.file("film.\(ending)")
        try ffmpeg(
            "-f",
            "lavfi",
            "-i",
            "testsrc=d=5:r=30000/1001:s=64x48",
            "-c:v",
            ending == "avi" ? "mpeg4" : "libx264",
            "-g",
            "40",
            path
        )
        let whole = try readVideo(path, keepsFrames: true)
        let rate = Rate(30000, 1001)
        #expect(whole.frames.count == 150)
        #expect(whole.damage.isEmpty, "\(whole.damage.first)")
        let first = ending == "ts" ? whole.times[0] : .zero
        #expect(ending == "ts" || whole.times == (0..<150).map { rate.time(of: $0) })
        for (start, end) in [(0, 10), (17, 31), (100, 149), (123, 150)] as [(Int64, Int64)] {
            let options = ReadOptions(
                start: rate.time(of: start),
                end: end == 150 ? nil : rate.time(of: end),
                audio: .none
            )
            let part = try readVideo(path, options: options, keepsFrames: true)
            #expect(part.frames.count == Int(end - start), "\(start)")
            if ending != "ts" {
                #expect(part.times == (0..<(end - start)).map { rate.time(of: $0) })
            }
            let isSame = zip(part.frames, whole.frames[Int(start)...]).allSatisfy {
                bytes($0) == bytes($1)
            }
            #expect(isSame, "\(start)")
        }
        _ = first
    }

    private func bytes(_ frame: VideoFrame) -> [UInt8] {
        frame.bytes.withSpan { span in span.indices.map { span[$0] } }
    }

    @Test(arguments: [
        ("yuv420p", PixelLayout.yuv420p), ("yuvj420p", .yuv420p), ("yuv422p", .yuv422p),
        ("yuv444p", .yuv444p),
        ("yuv420p10le", .yuv420p10), ("yuv422p10le", .yuv422p10), ("yuv444p10le", .yuv444p10),
        ("gray", .gray8),
        ("bgr0", .rgb24), ("bgra", .rgba32), ("gbrp", .rgb24), ("rgb24", .rgb24),
        ("yuv411p", .yuv422p),
    ])
    func `every layout becomes the one that loses least`(stored: String, layout: PixelLayout) throws
    {
        let scratch = try Scratch()
        let isRaw = stored.hasPrefix("bgr") || stored == "rgb24"
        let file = scratch.file(isRaw ? "a.nut" : "a.mkv")
        try ffmpeg(
            "-f",
            "lavfi",
            "-i",
            "color=c=0x306090:r=25:s=64x48:d=0.2",
            "-pix_fmt",
            stored,
            "-c:v",
            isRaw ? "rawvideo" : "ffv1",
            file
        )
        do {
            let read = try readVideo(file, keepsFrames: true)
            #expect(read.frames.count == 5)
            #expect(read.frames.first?.format.layout == layout)
            if [.rgb24, .rgba32].contains(layout), let frame = read.frames.first {
                let pixel = bytes(frame).prefix(3).map(Int.init)
                #expect(zip(pixel, [0x30, 0x60, 0x90]).allSatisfy { abs($0 - $1) <= 2 })
            }
        }
    }

    @Test func `video that starts late starts late`() throws {
        let scratch = try Scratch()
        let path = scratch.file("late.mp4")
        try ffmpeg(
            "-f",
            "lavfi",
            "-i",
            "sine=d=3",
            "-itsoffset",
            "1.2",
            "-f",
            "lavfi",
            "-i",
            "testsrc=d=1:r=25:s=64x48",
            "-map",
            "1",
            "-map",
            "0",
            "-c:v",
            "libx264",
            "-vsync",
            "passthrough",
            path
        )
        let read = try readVideo(path)
        #expect(read.times.first == MediaTime(30, 25))
        #expect(read.times.count == 25)
    }

    @Test func `a size that changes gives pictures of both sizes`() throws {
        let scratch = try Scratch()
        for (name, size) in [("a", "64x48"), ("b", "96x64")] {
            try ffmpeg(
                "-f",
                "lavfi",
                "-i",
                "testsrc=d=0.4:r=25:s=\(size)",
                "-c:v",
                "libx264",
                "-f",
                "h264",
                scratch.file(name)
            )
        }
        var all = try Data(contentsOf: URL(fileURLWithPath: scratch.file("a")))
        all += try Data(contentsOf: URL(fileURLWithPath: scratch.file("b")))
        try all.write(to: scratch.file("c.h264"))
        let read = try readVideo(scratch.file("c.h264"), keepsFrames: true)
        #expect(
            read.frames.map(\.format.width) == Array(repeating: 64, count: 10)
                + Array(repeating: 96, count: 10)
        )
        #expect(zip(read.times, read.times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `a clock that starts again is made continuous and told`() throws {
        let scratch = try Scratch()
        for name in ["a", "b"] {
            try ffmpeg(
                "-f",
                "lavfi",
                "-i",
                "testsrc=d=2:r=25:s=64x48",
                "-f",
                "lavfi",
                "-i",
                "sine=d=2:sample_rate=48000",
                "-c:v",
                "libx264",
                "-c:a",
                "aac",
                "-f",
                "mpegts",
                scratch.file(name)
            )
        }
        var all = try Data(contentsOf: URL(fileURLWithPath: scratch.file("a")))
        all += try Data(contentsOf: URL(fileURLWithPath: scratch.file("b")))
        try all.write(to: scratch.file("c.ts"))
        let read = try readVideo(scratch.file("c.ts"))
        #expect(read.times.count == 100)
        #expect(zip(read.times, read.times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(abs((read.times.last?.seconds ?? 0) - 3.96) < 0.1)
        #expect(read.damage.first.contains { $0.kind == .times })
        let heard = try readAudio(scratch.file("c.ts"))
        #expect(heard.isConsecutive)
        #expect(abs(Double(heard.channels[0].count) / 48000 - 4) < 0.1)
        #expect(heard.damage.first.contains { $0.kind == .times })
    }

    @Test func `the number of threads changes nothing`() throws {
        let scratch = try Scratch()
        let path = scratch.file("a.mp4")
        try ffmpeg("-f", "lavfi", "-i", "testsrc=d=2:r=25:s=320x240", "-c:v", "libx264", path)
        let one = try readVideo(
            path,
            options: ReadOptions(audio: .none, threads: 1),
            keepsFrames: true
        )
        let four = try readVideo(
            path,
            options: ReadOptions(audio: .none, threads: 4),
            keepsFrames: true
        )
        let isSame = zip(one.frames, four.frames).allSatisfy { bytes($0) == bytes($1) }
        #expect(isSame && one.frames.count == 50 && one.times == four.times)
    }

    @Test(arguments: ["mp4", "mkv", "ts", "avi"])
    func `a film that was cut short gives what it has, and tells`(ending: String) throws {
        let scratch = try Scratch()
        let path = scratch.file("a.\(ending)")
        var options = [
            "-v", "error", "-f", "lavfi", "-i", "testsrc=d=4:r=25:s=320x240", "-f", "lavfi", "-i",
            "sine=d=4",
        ]
        options += ending == "mp4" ? ["-movflags", "+faststart"] : []
        try tool("ffmpeg", options + [path])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try bytes.prefix(bytes.count * 6 / 10).write(to: scratch.file("cut.\(ending)"))
        let read = try readVideo(scratch.file("cut.\(ending)"))
        #expect((30..<95).contains(read.times.count))
        // A transport stream has no length to tell what it lacks.
        #expect(!read.damage.isEmpty || ending == "ts")
        if ending == "mp4" {
            try tool(
                "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i", "testsrc=d=4:r=25:s=320x240",
                    scratch.file("end.mp4"),
                ]
            )
            let whole = try Data(contentsOf: URL(fileURLWithPath: scratch.file("end.mp4")))
            try whole.prefix(whole.count / 2).write(to: scratch.file("endcut.mp4"))
            let error = #expect(throws: CodecError.self) {
                try MediaInfo(probing: scratch.file("endcut.mp4"))
            }
            #expect(error?.hint?.contains("without its index") == true)
        }
    }

    @Test(arguments: ["mp4", "mkv", "ogg", "mp3", "flac", "wav", "m4a", "avi"])
    func `broken bytes neither trap nor hang`(ending: String) throws {
        let scratch = try Scratch()
        let path = scratch.file("a.\(ending)")
        let hasVideo = ["mp4", "mkv", "avi"].contains(ending)
        let video = hasVideo ? ["-f", "lavfi", "-i", "testsrc=d=1:r=25:s=64x48"] : []
        try tool("ffmpeg", ["-v", "error"] + video + ["-f", "lavfi", "-i", "sine=d=1"] + [path])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var random = SeededGenerator(seed: 77)
        for round in 0..<12 {
            var broken = bytes
            for _ in 0..<(1 << (round % 6)) {
                broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(
                    in: 0...255,
                    using: &random
                )
            }
            // Headers are where lies hurt most.
            broken[Int.random(in: 0..<min(200, broken.count), using: &random)] ^= 0x80
            guard var reader = try? MediaReader(MemorySource(broken, name: "broken \(round)"))
            else { continue }
            var samples = 0
            while let decoded = try reader.next() {
                if case .audio(let block, _) = decoded { samples += block.frameCount }
                if samples > 20_000_000 { break }
            }
        }
    }
}
