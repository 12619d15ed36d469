import Foundation
import TestSupport
import Testing

/// Recording from the monitor of a PulseAudio null sink that plays a tone.
@Suite struct MicrophoneTests {
    /// Starts a server of the test's own, as `$server`; ends whatever runs when the shell does.
    private static let server = """
        export HOME=$PWD XDG_RUNTIME_DIR=$PWD PULSE_RUNTIME_PATH=$PWD PULSE_SERVER=unix:$PWD/s
        chmod 700 .
        pulseaudio -n --daemonize=no --exit-idle-time=-1 --disable-shm=yes \\
            -L 'module-null-sink sink_name=fox rate=48000' \\
            -L "module-native-protocol-unix auth-anonymous=1 socket=$PWD/s" 2>server.log &
        server=$!
        trap 'kill $(jobs -p)' EXIT
        tries=0
        until pactl info >/dev/null 2>&1; do
            sleep 0.1; tries=$((tries + 1)); [ $tries -lt 300 ] || exit 99
        done
        play() { ffmpeg -v quiet -f lavfi -i sine=1000:d=600 -f pulse -device fox tone & }
        record() {
            $foxfire run record device=fox.monitor output=$1.wav $2 --progress none 2>$1.log &
            process=$!
        }

        """

    @Test func `a recording ends with its duration, or with a signal, and its file is whole`()
        throws
    {
        try inTemporaryFolder { folder in
            let line =
                Self.server + """
                    record full duration=1s; full=$process
                    for signal in INT TERM HUP; do record $signal; eval $signal=$process; done
                    record cut; cut=$process
                    play
                    wait $full; echo full $?
                    sleep 3
                    for signal in INT TERM HUP; do kill -$signal ${!signal}; done
                    for signal in INT TERM HUP; do wait ${!signal}; echo $signal $?; done
                    kill $server
                    wait $cut; echo cut $?
                    """
            let result = try Tool.shell(line, in: folder)
            #expect(
                result.output.split(separator: "\n") == [
                    "full 0", "INT 0", "TERM 0", "HUP 0", "cut 4",
                ]
            )
            for name in ["full", "INT", "TERM", "HUP", "cut"] {
                let file = folder + "/\(name).wav"
                let length = try #require(
                    Tools.ffprobe(file, "stream=duration_ts").first?["duration_ts"].flatMap(
                        Int.init
                    )
                )
                let size = try Data(contentsOf: URL(filePath: file)).count
                #expect(size == 44 + 2 * length)
                #expect(name == "full" ? length == 48_000 : length > 48_000)
                // The middle of it is the tone that was played.
                let samples = try Data(contentsOf: URL(filePath: file)).dropFirst(44)
                let values = stride(from: samples.startIndex, to: samples.endIndex, by: 2).map {
                    Int(Int16(bitPattern: UInt16(samples[$0]) | UInt16(samples[$0 + 1]) << 8))
                }
                let middle = values.suffix(24_000)
                let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
                #expect((495...505).contains(crossings), "\(name)")
            }
            let text = try String(contentsOfFile: folder + "/cut.log", encoding: .utf8)
            #expect(text.contains("damage: node \"microphone\": at 0:0"))
            #expect(text.contains("the recording ends: pulse device \"fox.monitor\""))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.count { $0.hasSuffix(".wav") } == 5)
        }
    }

    @Test func `a device that is not there is told, and no file is made`() throws {
        try inTemporaryFolder { folder in
            let line =
                Self.server + """
                    $foxfire run record device=nothing output=a.wav; echo $?
                    PULSE_SERVER=unix:$PWD/none $foxfire run record output=a.wav; echo $?
                    ls *.wav 2>/dev/null
                    """
            let result = try Tool.shell(line, in: folder)
            #expect(result.output == "1\n1\n")
            #expect(result.error.contains("pulse device \"nothing\": "))
            #expect(result.error.contains("\"pactl list short sources\" lists the devices"))
        }
    }
}
