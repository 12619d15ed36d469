import Foundation
import TestSupport
import Testing

/// Behaviour 42 of a fox: saves to a medium that fails, is full, or is a FAT16 image.
@Suite struct DeviceFaultTests {
    /// Makes `medium` with old.wav in it, new.wav beside it, and faults.so.
    private static let prologue = """
        export XDG_STATE_HOME=$PWD/state
        cc -shared -fPIC -o faults.so \(shim) -ldl || exit 90
        for name in old new; do
            ffmpeg -v error -nostdin -f lavfi -i sine=f=$([ $name = old ] && echo 500 || echo 900):d=2 s.wav
            $foxfire picofox prepare s.wav -o $name.wav --firmware r3 --profile tone >prepare.log || exit 91
            rm s.wav
        done
        mkdir medium; cp old.wav medium/audio.wav; printf 'CALLSIGN=N0CALL\\n' >medium/settings.txt
        $foxfire picofox device open medium --firmware r3 >/dev/null || exit 92
        save() { $foxfire picofox device save medium --audio new.wav; }
        # What is on the medium, as a word.
        state() {
            for name in old new; do cmp -s medium/audio.wav $name.wav && echo $name && return; done
            echo torn
        }
        faulty() { env LD_PRELOAD=$PWD/faults.so FAULT_PATH=medium "$@"; }

        """

    private static let shim = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Faults/faults.c").path()

    private func shell(_ line: String) throws -> Tool.Result {
        try inTemporaryFolder { try Tool.shell(Self.prologue + line, in: $0) }
    }

    /// A fault, whether it comes where the file is written in place, what is on the fox after it, and
    /// what is told of it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let settings: String
        var inPlace = false
        let state: String
        let text: String

        var testDescription: String { settings + (inPlace ? " in place" : "") }
    }

    private static let faults = [
        Fault(
            settings: "FAULT=write FAULT_ERROR=5 FAULT_AT=9000",
            state: "old",
            text: "Input/output"
        ),
        Fault(
            settings: "FAULT=write FAULT_ERROR=28 FAULT_AT=0",
            state: "old",
            text: "the disk is full"
        ),
        Fault(settings: "FAULT=sync FAULT_ERROR=5", state: "old", text: "Input/output"),
        Fault(settings: "FAULT=rename FAULT_ERROR=5", state: "old", text: "Input/output"),
        Fault(settings: "FAULT=flip FAULT_AT=9000", state: "torn", text: "reads back otherwise"),
        Fault(settings: "FAULT=flip FAULT_AT=0", state: "torn", text: "reads back otherwise"),
        Fault(
            settings: "FAULT=write FAULT_ERROR=5 FAULT_AT=9000",
            inPlace: true,
            state: "torn",
            text: "Input/output"
        ),
        Fault(
            settings: "FAULT=write FAULT_ERROR=28 FAULT_AT=0",
            inPlace: true,
            state: "old",
            text: "the disk is full"
        ),
        Fault(
            settings: "FAULT=flip FAULT_AT=24043",
            inPlace: true,
            state: "torn",
            text: "reads back otherwise"
        ),
        Fault(
            settings: "FAULT=sync FAULT_ERROR=5",
            inPlace: true,
            state: "new",
            text: "Input/output"
        ),
    ]

    @Test(arguments: faults)
    func `a save to a medium that fails is told, and what was there is whole or comes back`(
        fault: Fault
    ) throws {
        let free = fault.inPlace ? "FAULT_FREE=2048" : "FAULT_FREE=1000000"
        let result = try shell(
            """
            faulty \(fault.settings) \(free) $foxfire picofox device save medium --audio new.wav
            echo save $?; state
            $foxfire picofox device status medium >/dev/null 2>&1; echo status $?
            $foxfire picofox device restore medium >/dev/null 2>restore.log; state
            save >/dev/null 2>&1; echo again $?; state
            ls -A medium | tr '\\n' ' '
            """
        )
        let lines = result.output.split(separator: "\n").map(String.init)
        let isBroken = fault.inPlace || fault.state == "torn"
        #expect(
            lines == [
                "save \(fault.text.contains("full") && !fault.inPlace ? 75 : 1)", fault.state,
                "status \(isBroken ? 1 : 0)", "old", "again 0", "new",
                "audio.wav settings.txt ",
            ],
            "\(result.error)"
        )
        #expect(result.error.contains(fault.text))
        if isBroken {
            #expect(result.error.contains("\"foxfire picofox device restore medium\" puts it back"))
        }
        #expect(result.error.contains("written in place") == fault.inPlace)
    }

    @Test(arguments: [false, true])
    func `writes that take a part at a time end whole`(inPlace: Bool) throws {
        let result = try shell(
            """
            faulty FAULT=short FAULT_FREE=\(inPlace ? 2048 : 1_000_000) \\
                $foxfire picofox device save medium --audio new.wav >/dev/null; echo save $?; state
            """
        )
        #expect(result.output == "save 0\nnew\n", "\(result.error)")
    }

    @Test func `an audio file that cannot be read is left alone`() throws {
        let result = try shell(
            """
            faulty FAULT=read FAULT_ERROR=5 FAULT_PATH=medium/audio.wav \\
                $foxfire picofox device open medium --firmware r3 >/dev/null; echo open $?
            save; echo save $?; state
            """
        )
        #expect(result.output == "open 0\nsave 1\nold\n")
        #expect(result.error.contains("audio.wav cannot be read: it is left alone"))
        #expect(result.error.contains("could not be read when it was opened"))
    }

    /// Facts 3.3: where the partition begins, and how the firmware formats it.
    private static let image = """
        export MTOOLS_SKIP_CHECK=1
        truncate -s $((30720 * 512)) fox.img
        printf '\\x04\\0\\0\\0\\xe7\\0\\0\\0\\x19\\x77\\0\\0' | dd of=fox.img bs=1 seek=450 conv=notrunc status=none
        printf '\\x55\\xaa' | dd of=fox.img bs=1 seek=510 conv=notrunc status=none
        volume=fox.img@@$((231 * 512))
        mformat -i $volume -T 30489 -h 1 -s 1 -c 2 -L 60 -r 32 -H 231 -N 0012D687 :: || exit 93

        """

    @Test func `a FAT16 image as the firmware makes it has the room that is reckoned with`() throws
    {
        let result = try shell(
            Self.image + """
                minfo -i $volume :: | grep -E 'cluster size|root directory|sectors per fat|serial|disk type'
                mdir -i $volume :: | grep free | tr -dc 0-9; echo
                # A save carries over to the image and back, names in lower case and all bytes.
                mcopy -i $volume medium/settings.txt medium/audio.wav ::
                mkdir mount; mcopy -i $volume '::*' mount
                $foxfire picofox device open mount --firmware r3 >/dev/null
                $foxfire picofox device save mount --audio new.wav >/dev/null; echo save $?
                ls -A mount | tr '\\n' ' '; echo
                mcopy -o -i $volume mount/* ::
                mcopy -i $volume ::audio.wav back.wav; cmp back.wav new.wav && echo same
                mdir -b -i $volume ::
                # The largest file that goes beside 64 KiB of others; one cluster more does not.
                mdel -i $volume ::audio.wav
                head -c 65536 /dev/zero >others; mcopy -i $volume others ::; mdel -i $volume ::settings.txt
                head -c 15466496 /dev/zero >large; mcopy -i $volume large :: && echo fits
                mdel -i $volume ::large; head -c 15466497 /dev/zero >large
                mcopy -i $volume large :: 2>/dev/null || echo too large
                """
        )
        #expect(
            result.output == """
                cluster size: 2 sectors
                max available root directory slots: 512
                sectors per fat: 60
                serial number: 0012D687
                disk type="FAT16   "
                15532032
                save 0
                audio.wav settings.txt \n\
                same
                ::/settings.txt
                ::/audio.wav
                fits
                too large

                """,
            "\(result.error)"
        )
    }

    @Test
    func `names in capitals, as mtools and DOS write them, are told where the fox removes them`()
        throws
    {
        let result = try shell(
            Self.image + """
                printf 'CALLSIGN=A1A\\n' >SETTINGS.TXT; cp old.wav AUDIO.WAV
                mcopy -i $volume SETTINGS.TXT AUDIO.WAV medium/settings.txt ::  2>/dev/null </dev/null
                mdir -b -i $volume ::
                mkdir mount; mcopy -i $volume ::AUDIO.WAV mount; cp medium/settings.txt mount
                $foxfire picofox device open mount --firmware r2
                """
        )
        #expect(result.output.contains("::/AUDIO.WAV"))
        #expect(result.output.contains("the fox will remove at its next start: AUDIO.WAV"))
    }

    /// Whether this process may mount.
    private static let mayMount =
        (try? Tool.shell("unshare -m mount -t tmpfs -o size=8k none /mnt").code) == 0

    @Test(.enabled(if: mayMount))
    func `kills on a full volume leave what restore mends`() throws {
        // Two of 8 MB do not go beside each other into 15,532,032 bytes.
        let result = try inTemporaryFolder { folder in
            let line = """
                export XDG_STATE_HOME=$PWD/state
                mkdir fox; mount -t tmpfs -o size=15532032 none fox || exit 90
                for name in one two; do
                    ffmpeg -v error -nostdin -f lavfi -i \\
                        sine=f=$([ $name = one ] && echo 500 || echo 900):d=800:r=5000 -bitexact $name.wav
                    $foxfire picofox inspect $name.wav --firmware r3 --fix $name-good.wav >/dev/null
                    mv $name-good.wav $name.wav
                done
                cp one.wav fox/audio.wav; printf 'CALLSIGN=A1A\\n' >fox/settings.txt
                $foxfire picofox device open fox --firmware r3 >/dev/null || exit 91
                $foxfire picofox device save fox --audio two.wav >/dev/null || exit 92
                cmp fox/audio.wav two.wav || exit 93
                old=two.wav; new=one.wav; count=0
                while [ $count -lt 10 ]; do
                    $foxfire picofox device save fox --audio $new >/dev/null 2>&1 & process=$!
                    sleep 0.0$((count * 7 % 10))$count; kill -9 $process 2>/dev/null; wait $process 2>/dev/null
                    if ! $foxfire picofox device status fox >/dev/null 2>&1; then
                        $foxfire picofox device restore fox >/dev/null || exit 94
                        cmp fox/audio.wav $old || exit 95
                    elif cmp -s fox/audio.wav $new; then swap=$new; new=$old; old=$swap
                    else cmp fox/audio.wav $old || exit 96; fi
                    count=$((count + 1))
                done
                # No room at all is told before anything is touched.
                head -c 7000000 /dev/zero >fox/other; rm fox/audio.wav
                head -c 600000 /dev/zero >>fox/other
                $foxfire picofox device open fox --firmware r3 >/dev/null
                $foxfire picofox device save fox --audio one.wav; echo full $?
                ls -A fox | tr '\\n' ' '
                """
            return try Tool.run(
                "/usr/bin/unshare",
                ["-m", "/bin/bash", "-c", "foxfire=\(Tool.foxfire)\n\(line)"],
                in: folder
            )
        }
        #expect(result.output == "full 75\nother settings.txt ", "\(result.code) \(result.error)")
        #expect(result.error.contains("it is written in place"))
        #expect(result.error.contains("there is no room for audio.wav: 8000"))
    }
}
