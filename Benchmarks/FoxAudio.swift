import Glibc
import Media

/// Ten minutes of an MP3 file, made to the audio of a fox with the profile for speech.
enum FoxAudio {
    /// Against the decoding alone, by ffmpeg.
    @Sendable static func againstDecoding(_ program: String, runs: Int) throws -> Row {
        try compare(
            "10 min of MP3 through fox-audio for speech, against ffmpeg that only decodes it",
            ["-f", "null", "-"],
            program,
            runs: runs,
            target: 1 / 1.4
        )
    }

    /// Against the same kinds of filters in ffmpeg, in its fastest order.
    @Sendable static func againstFilters(_ program: String, runs: Int) throws -> Row {
        let filters =
            "pan=mono|c0=0.5*c0+0.5*c1,aresample=5000:resampler=soxr:precision=28,"
            + "highpass=f=300:p=2,highshelf=f=1000:g=6,acompressor=threshold=-24dB:ratio=3,"
            + "firequalizer=gain='if(lt(f,2200),0,-80)',volume=6dB,"
            + "alimiter=limit=0.5:attack=5:release=5:level=false"
        return try compare(
            "10 min of MP3 through fox-audio for speech, against ffmpeg's filters of the same kinds",
            ["-af", filters, "-c:a", "pcm_s16le", "-f", "wav", "-y", "/dev/null"],
            program,
            runs: runs,
            target: 1
        )
    }

    private static func compare(
        _ name: String,
        _ work: [String],
        _ program: String,
        runs: Int,
        target: Double
    ) throws -> Row {
        var template = Array("/tmp/foxfire-bench-XXXXXX".utf8CString)
        guard let made = unsafe mkdtemp(&template) else {
            throw ProcessError(description: "a folder in /tmp cannot be made")
        }
        let folder = unsafe String(cString: made)
        let (track, output) = (folder + "/track.mp3", folder + "/audio.wav")
        defer { for path in [track, output, folder] { _ = unsafe remove(path) } }
        // Pink noise that comes and goes three times a second, as speech does.
        let source = "anoisesrc=d=600:c=pink:r=44100:a=0.3:seed=1,tremolo=f=3:d=0.9"
        _ = try measure([
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, "-ac", "2", "-b:a", "192k", track,
        ])
        let binary =
            program.lastIndex(of: "/").map { String(program[..<$0]) + "/foxfire" } ?? "foxfire"
        let ours = [
            binary, "run", "fox-audio", "input=" + track, "output=" + output, "-y", "--progress",
            "none",
        ]
        let peer = ["ffmpeg", "-v", "error", "-i", track] + work
        let (a, b) = try alternate(ours, peer, runs: runs) { $0.wall }
        return Row(name: name, unit: "s", ours: a, peer: b, ratio: b / a, target: target)
    }
}
