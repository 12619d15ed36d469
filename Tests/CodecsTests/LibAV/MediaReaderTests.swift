import Codecs
import Foundation
import Media
import Testing

@Suite struct `MediaReader reading audio` {
    /// A WAV file of two channels of noise with clicks.
    private static func source(_ scratch: Scratch, count: Int = 140_000, rate: Int = 44100) throws
        -> (
            path: String, samples: [Float]
        )
    {
        let samples = clicks(count, at: [0, 4000, 90_000, count - 2000])
        let path = scratch.file("source.wav")
        try mux(
            .wav,
            path,
            [try encodeAudio(.init(codec: .pcm), [samples, noise(count, seed: 9)], rate: rate)]
        )
        return (path, samples)
    }

    static let kinds = [
        ["a.ogg", "-c:a", "libvorbis"], ["a.flac"], ["a.opus", "-c:a", "libopus"], ["a.m4a"],
        ["a.mp3"], ["v.mp3", "-q:a", "4"], ["a.mka", "-c:a", "libvorbis"],
        ["p.mka", "-c:a", "pcm_s16le"],
        ["a.aiff"], ["a.wv"], ["a.w64"],
    ]

    @Test(arguments: kinds)
    func `every kind of file keeps length and place`(kind: [String]) throws {
        let scratch = try Scratch()
        let (path, samples) = try Self.source(scratch)
        let file = scratch.file(kind[0])
        try tool("ffmpeg", ["-v", "error", "-i", path] + kind.dropFirst() + [file])
        let read = try readAudio(file)
        let rate = try #require(read.formats.first).sampleRate
        #expect(read.formats.count == 1)
        // What ffmpeg's own files say of their length is what it makes of them, less rounding.
        let judged = try decodedByFFmpeg(file).count / 2
        let expected = kind[0] == "a.mka" ? judged : samples.count * rate / 44100
        #expect(
            abs(read.channels[0].count - expected)
                <= (kind[0] == "a.m4a" ? 45 : kind[0] == "a.mka" ? 132 : 1)
        )
        #expect(read.isConsecutive)
        #expect(read.damage.isEmpty, "\(read.damage.first)")
        if rate == 44100, kind[0] != "a.mka" {
            #expect(shift(of: read.channels[0], against: samples, range: 400) == 0)
        }
    }

    @Test(arguments: kinds)
    func `start and end cut exactly what the whole file has there`(kind: [String]) throws {
        let scratch = try Scratch()
        let (path, _) = try Self.source(scratch, count: 140_000)
        let file = scratch.file(kind[0])
        try tool("ffmpeg", ["-v", "error", "-i", path] + kind.dropFirst() + [file])
        let whole = try readAudio(file).channels[1]
        let rate = try readAudio(file).formats[0].sampleRate
        for (start, end) in [
            (0, 1000), (12_345, 100_001), (rate * 9 / 4, rate * 5 / 2 + 7), (rate * 9 / 4 + 1, nil),
        ] as [(Int, Int?)] {
            let options = ReadOptions(
                start: MediaTime(Int64(start), Int32(rate)),
                end: end.map { MediaTime(Int64($0), Int32(rate)) },
                video: .none
            )
            let part = try readAudio(file, options: options)
            let wanted = Array(whole[start..<(end ?? whole.count)])
            #expect(part.channels[1].count == wanted.count)
            let worst = zip(part.channels[1], wanted).map { abs($0 - $1) }.max() ?? 1
            #expect(worst < 1e-6, "\(start)")
            #expect(part.damage.isEmpty, "\(part.damage.first)")
        }
    }

    @Test func `what comes by a pipe is the same`() throws {
        let scratch = try Scratch()
        let (path, _) = try Self.source(scratch)
        for kind in [
            ["a.ogg", "-c:a", "libvorbis"], ["a.flac"], ["a.mp3"], ["a.mka", "-c:a", "aac"],
        ] {
            let file = scratch.file(kind[0])
            try tool("ffmpeg", ["-v", "error", "-i", path] + kind.dropFirst() + [file])
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
            var reader = try MediaReader(Pipe(bytes), options: ReadOptions(video: .none))
            let piped = try readAudio(&reader)
            let direct = try readAudio(file)
            // Of an MP3 that cannot be rewound the library does not trim the encoder's last padding.
            let isPadded = kind[0] == "a.mp3"
            let extra = piped.channels[0].count - direct.channels[0].count
            #expect(isPadded ? (0...1152).contains(extra) : extra == 0, "\(kind)")
            let isSame = zip(piped.channels[1], direct.channels[1]).allSatisfy { $0 == $1 }
            #expect(isSame, "\(kind)")
            #expect(piped.damage.isEmpty, "\(piped.damage.first)")
        }
    }

    /// A source that has no length and cannot seek, and gives little at a time.
    private final class Pipe: ByteSource {
        let name = "a pipe"
        let length: Int64? = nil
        private var rest: ArraySlice<UInt8>

        init(_ bytes: [UInt8]) { rest = bytes[...] }

        func read(into bytes: inout MutableSpan<UInt8>) throws -> Int {
            let count = min(bytes.count, 1000, rest.count)
            for index in 0..<count { bytes[index] = rest[rest.startIndex + index] }
            rest = rest.dropFirst(count)
            return count
        }

        func seek(to offset: Int64) throws { throw ToolFailure(description: "a pipe seeks not") }
    }

    @Test(arguments: ["mka", "m4a"])
    func `a stream that starts late stays late`(ending: String) throws {
        let scratch = try Scratch()
        let (path, samples) = try Self.source(scratch)
        let file = scratch.file("late.\(ending)")
        try ffmpeg("-itsoffset", "1.2", "-i", path, "-c:a", "aac", file)
        let read = try readAudio(file)
        #expect(
            shift(
                of: read.channels[0],
                against: [Float](repeating: 0, count: 52920) + samples,
                range: 400
            ).magnitude <= 45
        )
        #expect(read.isConsecutive)
    }

    @Test func `late audio beside video stays late`() throws {
        let scratch = try Scratch()
        let (path, samples) = try Self.source(scratch)
        for ending in ["mkv", "mp4", "ts", "mov"] {
            let file = scratch.file("late.\(ending)")
            let codec = ending == "avi" ? "pcm_s16le" : "aac"
            try ffmpeg(
                "-f",
                "lavfi",
                "-i",
                "testsrc=d=6:r=25:s=64x64",
                "-itsoffset",
                "1.2",
                "-i",
                path,
                "-c:a",
                codec,
                "-c:v",
                "libx264",
                "-bf",
                "0",
                file
            )
            let read = try readAudio(file)
            let wanted = [Float](repeating: 0, count: 52920) + samples
            let off = shift(of: read.channels[0], against: wanted, range: 400)
            // These containers round the start to a millisecond.
            #expect(off.magnitude <= 45, "\(ending)")
            #expect(read.damage.isEmpty)
        }
    }

    @Test func `a gap becomes silence`() throws {
        let scratch = try Scratch()
        let (path, samples) = try Self.source(scratch)
        let file = scratch.file("gap.mka")
        // Half a second is dropped, and the times stay as they were.
        try ffmpeg(
            "-i",
            path,
            "-af",
            "aselect='not(between(t,2,2.5))'",
            "-c:a",
            "pcm_s16le",
            file
        )
        let read = try readAudio(file)
        // Matroska rounds the time after the gap to a millisecond.
        #expect((read.channels[0].count - samples.count).magnitude <= 45)
        #expect(read.isConsecutive)
        #expect(read.damage.isEmpty)
        let silent = read.channels[1][Int(2.05 * 44100)..<Int(2.45 * 44100)]
        #expect(silent.allSatisfy { $0 == 0 })
        #expect(shift(of: read.channels[0], against: samples, range: 400).magnitude <= 45)
    }

    @Test func `a chained Ogg file changes its format in the middle`() throws {
        let scratch = try Scratch()
        let (path, _) = try Self.source(scratch)
        try ffmpeg("-i", path, "-t", "1", "-c:a", "libvorbis", scratch.file("a.ogg"))
        try ffmpeg(
            "-i",
            path,
            "-t",
            "1",
            "-ar",
            "22050",
            "-ac",
            "1",
            "-c:a",
            "libvorbis",
            scratch.file("b.ogg")
        )
        var bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.file("a.ogg")))
        bytes += try Data(contentsOf: URL(fileURLWithPath: scratch.file("b.ogg")))
        try bytes.write(to: scratch.file("c.ogg"))
        let read = try readAudio(scratch.file("c.ogg"))
        #expect(
            read.formats == [
                AudioFormat(sampleRate: 44100, channels: 2),
                AudioFormat(sampleRate: 22050, channels: 1),
            ]
        )
        #expect(read.isConsecutive)
        #expect(read.damage.isEmpty)
        #expect(abs(read.channels[0].count - (44100 + 22050)) <= 512)
    }

    @Test(arguments: ["mp3", "ogg", "wav", "flac", "m4a", "mka", "opus", "aiff", "mp4"])
    func `a file that was cut short gives what it has, and tells`(ending: String) throws {
        let scratch = try Scratch()
        let (path, samples) = try Self.source(scratch, count: 160_000)
        let file = scratch.file("whole.\(ending)")
        var options = ["-v", "error", "-i", path]
        if ending == "m4a" || ending == "mp4" { options += ["-movflags", "+faststart"] }
        if ending == "mka" { options += ["-c:a", "libvorbis"] }
        try tool("ffmpeg", options + [file])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        for share in [0.5, 0.9, 0.99] {
            let cut = scratch.file("cut.\(ending)")
            try bytes.prefix(Int(Double(bytes.count) * share)).write(to: cut)
            let read = try readAudio(cut)
            #expect(!read.damage.isEmpty, "\(ending) \(share)")
            let got = Double(read.channels[0].count) / Double(samples.count)
            // Codecs of variable rate spend their bytes unevenly.
            #expect(got > share * 0.4 && read.isConsecutive)
        }
    }
}
