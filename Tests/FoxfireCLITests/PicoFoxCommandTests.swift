import Foundation
import TestSupport
import Testing

@testable import FoxfireCLI

@Suite struct PicoFoxCommandTests {
    /// Runs lines of shell in a folder with `speech.wav`: two seconds of bursts at 16 kHz, stereo.
    private func shell(_ lines: String, code: Int32 = 0) throws -> (output: String, error: String) {
        var result: (output: String, error: String) = ("", "")
        try inTemporaryFolder { folder in
            let all = """
                export XDG_STATE_HOME="$PWD/state"
                ffmpeg -v error -nostdin -f lavfi -i \
                "aevalsrc='0.1*sin(2*PI*500*t)*lt(mod(t,0.5),0.3)':d=2:s=16000" -ac 2 speech.wav
                \(lines)
                """
            let run = try Tool.shell(all, in: folder)
            #expect(run.code == code, "\(run.error)")
            result = (run.output, run.error)
        }
        return result
    }

    @Test(arguments: [("r3", 5000), ("kg", 8000)])
    func `what is prepared is played as it is meant`(firmware: String, rate: Int) throws {
        let result = try shell(
            """
            $foxfire picofox prepare speech.wav -o audio.wav --firmware \(firmware) --profile tone
            $foxfire picofox prepare speech.wav -o again.wav --firmware \(firmware) --profile tone >/dev/null
            cmp audio.wav again.wav || exit 9
            $foxfire picofox inspect audio.wav --firmware \(firmware)
            ffprobe -v error -show_entries stream=sample_rate,channels,codec_name -of csv=p=0 audio.wav
            """
        )
        #expect(result.output.contains("±5.00 kHz peak"))
        #expect(result.output.contains("on \(firmware): played as it is meant"))
        #expect(result.output.contains("pcm_s16le,\(rate),1"))
        // 0.3 s of lead, 2 s, 0.1 s of tail.
        #expect(result.output.contains("length      2.400 s, \(rate * 12 / 5) samples"))
    }

    @Test func `speech of a graph is the same each time`() throws {
        _ = try shell(
            #"""
            cat > say.json <<'END'
            { "foxfire": 1, "nodes": {
              "say": { "kind": "source.speech", "text": "This is a fox. N zero C A L L." },
              "file": { "kind": "write.wav", "from": "say", "path": "said.wav" } } }
            END
            $foxfire run say.json && mv said.wav first.wav && $foxfire run say.json --threads 1
            cmp said.wav first.wav
            """#
        )
    }

    @Test func `jf is refused, several files need a folder, kc gets its names`() throws {
        let refused = try shell(
            "$foxfire picofox prepare speech.wav -o a.wav --firmware jf",
            code: 1
        )
        #expect(refused.error.contains("never plays an audio file"))
        let folder = try shell(
            "$foxfire picofox prepare speech.wav speech.wav -o a.wav --firmware kc",
            code: 2
        )
        #expect(folder.error.contains("need a folder"))
        let names = try shell(
            "mkdir fox; $foxfire picofox prepare speech.wav speech.wav -o fox --firmware kc >/dev/null; ls fox"
        )
        #expect(names.output == "audio1.wav\naudio2.wav\n")
        let many = try shell(
            "mkdir fox; $foxfire picofox prepare speech.wav speech.wav -o fox --firmware r3",
            code: 2
        )
        #expect(many.error.contains("r3 plays 1 file, not 2"))
    }

    @Test func `a bad file is told, and mended`() throws {
        let result = try shell(
            """
            ffmpeg -v error -nostdin -i speech.wav -metadata title=x tagged.wav
            $foxfire picofox inspect tagged.wav --firmware r3; echo "code $?"
            $foxfire picofox inspect tagged.wav --firmware r3 --fix good.wav
            $foxfire picofox inspect good.wav --firmware r3
            printf junk > no.wav; $foxfire picofox inspect no.wav --firmware r3; echo "code $?"
            """
        )
        #expect(result.output.contains("noise, the chunk \"LIST\""))
        #expect(
            result.output.contains("speed 0.156 of what is right (16000 Hz, 2 channels, 16 bits)")
        )
        #expect(result.output.contains("good.wav on r3: played as it is meant"))
        #expect(result.output.contains("only a bare carrier"))
        #expect(result.output.components(separatedBy: "code 1").count == 3)
    }

    @Test func `a preview is as long as a turn on the air`() throws {
        let result = try shell(
            """
            $foxfire picofox prepare speech.wav -o audio.wav --firmware r3 >/dev/null
            printf 'CALLSIGN=E\\nDUTY_CYCLE=50\\n' > settings.txt
            $foxfire picofox preview audio.wav -o heard.wav --firmware r3 --settings settings.txt
            $foxfire picofox preview audio.wav -o device.wav --firmware r3 --stage device
            $foxfire picofox preview speech.wav -o edit.wav --firmware r3 --stage edit
            cmp audio.wav device.wav || exit 9
            for file in heard edit; do
            ffprobe -v error -show_entries stream=sample_rate,channels,duration -of csv=p=0 $file.wav; done
            """
        )
        let rows = result.output.split(separator: "\n").map { $0.split(separator: ",") }
        #expect(rows.count == 2 && rows.allSatisfy { $0[0] == "48000" && $0[1] == "1" })
        // 2.4 s audio, 0.56 s ID, half as long a pause.
        let heard = Double(rows[0][2]) ?? 0
        #expect(abs(heard - 2.96 * 1.5) < 0.03)
        #expect(Double(rows[1][2]) == 2)
    }

    @Test func `settings are checked, set and converted`() throws {
        let result = try shell(
            """
            printf '# fox\\nCALLSIGN=n0call\\nFREQ_MHZ=146,565\\n' > settings.txt
            $foxfire picofox settings check settings.txt --firmware r3; echo "code $?"
            $foxfire picofox settings set settings.txt CALLSIGN=w1aw FREQ_MHZ=146.5 --firmware r3
            cat settings.txt
            $foxfire picofox settings check settings.txt --firmware r3; echo "code $?"
            $foxfire picofox settings convert settings.txt --to kg | head -3
            $foxfire picofox settings set settings.txt MORSE_TONE=2001 2>&1; echo "code $?"
            $foxfire picofox settings set settings.txt CALSIGN=A1A 2>&1; echo "code $?"
            $foxfire picofox settings set settings.txt FREQ_MHZ=144.001 2>&1; echo "code $?"
            """
        )
        #expect(result.output.contains("settings.txt:2:1: CALLSIGN is swallowed by line 1"))
        #expect(result.output.contains("# fox =\nCALLSIGN=W1AW\nFREQ_MHZ=146.500000\n"))
        #expect(result.output.contains("settings.txt: fine for r3\ncode 0\n"))
        #expect(result.output.contains("CALLSIGN=W1AW\nITU_ZONE=2\nFREQ_MHZ=146.500000\n"))
        #expect(
            result.output.contains(
                "MORSE_TONE must be a whole number from 100 to 2000, not \"2001\""
            )
        )
        #expect(result.output.contains("did you mean \"CALLSIGN\"?"))
        #expect(result.output.contains("beyond what r2 sends on in ITU zone 2"))
    }

    @Test func `kills at random moments leave old or new files, or what restore mends`() throws {
        let result = try shell(
            """
            for name in one two; do
            $foxfire picofox prepare speech.wav -o $name.wav --firmware r3 --fade ${#name}ms \
            --profile $([ $name = one ] && echo speech || echo music) >/dev/null; done
            mkdir fox; cp one.wav fox/audio.wav; printf 'CALLSIGN=A1A\\n' > fox/settings.txt
            $foxfire picofox device open fox --firmware r3 >/dev/null
            new=two.wav; old=one.wav; broken=0; count=0
            while [ $count -lt 20 ]; do
            $foxfire picofox device save fox --audio $new >/dev/null 2>&1 & pid=$!
            sleep 0.0$((count % 10))$((count % 7)); kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null
            cmp -s fox/audio.wav $old || cmp -s fox/audio.wav $new || exit 9
            if ! $foxfire picofox device status fox >/dev/null 2>&1; then broken=$((broken + 1))
            $foxfire picofox device restore fox >/dev/null || exit 8; cmp -s fox/audio.wav $old || exit 7
            elif cmp -s fox/audio.wav $new; then swap=$new; new=$old; old=$swap; fi
            count=$((count + 1)); done
            ls -A fox
            """
        )
        let names = result.output.split(separator: "\n")
        #expect(names == ["audio.wav", "settings.txt"])
    }
}
