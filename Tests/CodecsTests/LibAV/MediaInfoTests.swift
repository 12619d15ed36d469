import Codecs
import Foundation
import Media
import Testing

@Suite struct `MediaInfo and what cannot be opened` {
    private func message(_ body: () throws -> Void) -> String {
        do {
            try body()
            return ""
        } catch { return "\(error)" }
    }

    @Test func `bad input says what is wrong`() throws {
        let scratch = try Scratch()
        let open = { (path: String) in message { _ = try MediaInfo(probing: path) } }
        #expect(open(scratch.file("none.mp3")).contains("there is no such file"))
        #expect(open(scratch.path).contains("it is a folder"))
        try Data().write(to: scratch.file("empty.mp3"))
        #expect(open(scratch.file("empty.mp3")).contains("the file is empty"))
        try Data("These are words, and no music at all.\n".utf8).write(to: scratch.file("text.mp3"))
        #expect(open(scratch.file("text.mp3")).contains("not a media file"))
        try Data("x".utf8).write(to: scratch.file("one.mp3"))
        #expect(open(scratch.file("one.mp3")).contains("not a media file"))
        let random = noise(5000, seed: 1).map { UInt8(truncatingIfNeeded: $0.bitPattern >> 3) }
        try Data(random).write(to: scratch.file("noise.mp3"))
        #expect(
            !message {
                _ = try MediaReader(
                    path: scratch.file("noise.mp3"),
                    options: ReadOptions(audio: .best)
                )
            }.isEmpty
        )
        try Data("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n".utf8).write(
            to: scratch.file("list.m3u8")
        )
        #expect(!open(scratch.file("list.m3u8")).isEmpty)
        try Data("ffconcat version 1.0\nfile '/etc/hostname'\n".utf8).write(
            to: scratch.file("list.txt")
        )
        #expect(!open(scratch.file("list.txt")).isEmpty)
    }

    @Test func `a file that may not be read says so`() throws {
        // Root may read everything.
        if getuid() == 0 { return }
        let scratch = try Scratch()
        try Data("x".utf8).write(to: scratch.file("a"))
        unsafe chmod(scratch.file("a"), 0)
        #expect(
            message { _ = try MediaInfo(probing: scratch.file("a")) }.contains("permission denied")
        )
    }

    @Test func `a stream that is not there is named`() throws {
        let scratch = try Scratch()
        let path = scratch.file("silent.mp4")
        try mux(.mp4, path, [try encodeVideo(.init(), frames: 5, rate: Rate(25))])
        #expect(
            message { _ = try MediaReader(path: path, options: ReadOptions(audio: .best)) }
                .contains("it has no audio")
        )
        let wrong = message {
            _ = try MediaReader(path: path, options: ReadOptions(audio: .stream(0)))
        }
        #expect(wrong.contains("stream 0 is no audio stream"))
        let sound = scratch.file("a.wav")
        try mux(
            .wav,
            sound,
            [try encodeAudio(.init(codec: .pcm), [noise(100, seed: 1)], rate: 8000)]
        )
        #expect(
            message { _ = try MediaReader(path: sound, options: ReadOptions(video: .best)) }
                .contains("it has no video")
        )
        #expect(
            message { _ = try MediaReader(path: sound, options: ReadOptions(audio: .stream(7))) }
                .contains("its audio streams are 0")
        )
    }

    @Test func `what a file holds is told`() throws {
        let scratch = try Scratch()
        let path = scratch.file("film.mkv")
        try ffmpeg(
            "-f",
            "lavfi",
            "-i",
            "testsrc=d=2:r=30000/1001:s=320x240",
            "-f",
            "lavfi",
            "-i",
            "sine=d=2:sample_rate=44100",
            "-f",
            "lavfi",
            "-i",
            "sine=d=2:sample_rate=48000",
            "-map",
            "0",
            "-map",
            "1",
            "-map",
            "2",
            "-ac:a:1",
            "2",
            "-c:v",
            "libx264",
            "-c:a:0",
            "flac",
            "-c:a:1",
            "libopus",
            "-metadata",
            "title=Test",
            "-metadata:s:a:1",
            "language=deu",
            "-colorspace",
            "bt709",
            "-color_primaries",
            "bt709",
            "-color_trc",
            "bt709",
            "-color_range",
            "tv",
            path
        )
        let info = try MediaInfo(probing: path)
        #expect(info.container == "matroska,webm")
        #expect(info.streams.map(\.codec) == ["h264", "flac", "opus"])
        #expect(
            info.audioFormat == AudioFormat(sampleRate: 44100, channels: 1)
                || info.audioFormat == AudioFormat(sampleRate: 48000, channels: 2)
        )
        #expect(info.videoFormat?.frameRate == Rate(30000, 1001))
        #expect(info.videoFormat?.format.width == 320)
        #expect(info.streams[2].language == "deu" || info.streams[2].language == "ger")
        #expect(info.metadata["title"] == "Test")
        #expect(abs((info.duration?.seconds ?? 0) - 2.03) < 0.05)
        #expect(info.byteCount == (try Data(contentsOf: URL(fileURLWithPath: path)).count).asInt64)
        let two = try readAudio(path, options: ReadOptions(audio: .stream(2), video: .none))
        #expect(two.formats == [AudioFormat(sampleRate: 48000, channels: 2)])
    }

    @Test func `a cover is not taken for a film where there is one`() throws {
        let scratch = try Scratch()
        try ffmpeg(
            "-f",
            "lavfi",
            "-i",
            "color=red:s=64x64",
            "-frames:v",
            "1",
            scratch.file("cover.png")
        )
        try ffmpeg(
            "-f",
            "lavfi",
            "-i",
            "sine=d=1",
            "-i",
            scratch.file("cover.png"),
            "-map",
            "0",
            "-map",
            "1",
            "-c:v",
            "copy",
            "-id3v2_version",
            "3",
            "-disposition:v",
            "attached_pic",
            scratch.file("a.mp3")
        )
        let info = try MediaInfo(probing: scratch.file("a.mp3"))
        #expect(info.streams.contains { $0.isCoverPicture })
        let read = try readAudio(scratch.file("a.mp3"))
        #expect(abs(read.channels[0].count - 44100) < 10)
        var both = try MediaReader(path: scratch.file("a.mp3"))
        var pictures = 0
        while let decoded = try both.next() {
            if case .video = decoded { pictures += 1 }
        }
        #expect(pictures == 1)
        #expect(both.damage.isEmpty)
    }
}

extension Int {
    fileprivate var asInt64: Int64 { Int64(self) }
}
