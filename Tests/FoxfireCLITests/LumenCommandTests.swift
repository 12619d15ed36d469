import Foundation
import TestSupport
import Testing

@Suite struct LumenCommandTests {
    /// Makes `a.h265`, with a refresh each second of three, and `cut.h265`, whose end is gone.
    private static let setUp = """
        ffmpeg -v error -nostdin -f lavfi -i testsrc2=s=96x64:r=30:d=3 -c:v libx265 -tune zerolatency \
            -x265-params log-level=none:repeat-headers=1:keyint=30:min-keyint=30:open-gop=0:bframes=0 a.h265
        head -c 20000 a.h265 > cut.h265
        """

    private func run(_ line: String, in folder: String) throws -> Tool.Result {
        try Tool.shell(Self.setUp + "\n" + line, in: folder)
    }

    @Test func `probe tells what is there, as text and as JSON, and ends with 4 for losses`() throws
    {
        try inTemporaryFolder { folder in
            let whole = try run("$foxfire lumen probe a.h265", in: folder)
            #expect(
                whole.code == 0 && whole.output.contains("90 access units, 90 exact, 0 not exact")
            )
            #expect(whole.output.contains("not looked for: cuts"))
            let json = try run("cat a.h265 | $foxfire lumen probe --json -", in: folder)
            let object =
                try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
            let pictures = object?["pictures"] as? [String: Any]
            #expect(pictures?["units"] as? Int == 90 && object?["lossCount"] as? Int == 0)
            let headless = try run("tail -c +100 a.h265 | $foxfire lumen probe -", in: folder)
            #expect(headless.code == 4 && headless.output.contains("loss at"))
            #expect(try run("$foxfire lumen probe /dev/null", in: folder).code == 1)
            #expect(try run("$foxfire lumen probe a.h265 --fps fast", in: folder).code == 2)
        }
    }

    @Test func `pack and cut keep every unit, from a refresh on, and twice give the same bytes`()
        throws
    {
        try inTemporaryFolder { folder in
            let line = """
                for i in $(seq 400); do printf '\\354\\377\\376%077d' 0; done > a.opus
                $foxfire lumen pack a.h265 a.opus -o a.lumencap && $foxfire lumen pack a.opus a.h265 -o b.lumencap
                cmp a.lumencap b.lumencap && $foxfire lumen probe a.lumencap
                $foxfire lumen cut a.lumencap --start 1.5 --end 2.5 -o part.lumencap
                $foxfire lumen probe part.lumencap
                $foxfire lumen cut a.h265 --start 1.5 --end 2.5 -o part.h265
                $foxfire lumen probe part.h265 | head -2
                $foxfire lumen cut a.h265 -o whole.h265 && cmp a.h265 whole.h265
                """
            let result = try run(line, in: folder)
            #expect(result.code == 0, "\(result.error)")
            #expect(result.output.contains("90 access units, 90 exact"))
            #expect(result.output.contains("400 packets, 0 missing"))
            #expect(result.output.components(separatedBy: "45 access units, 45 exact").count == 3)
            #expect(result.error.contains("wrote part.h265, from 0:01.000 to 0:02.500"))
        }
    }

    @Test func `what cannot be cut or packed is refused with what to do`() throws {
        try inTemporaryFolder { folder in
            #expect(
                try run("$foxfire lumen cut a.h265 --start 2 --end 1 -o b.h265", in: folder).code
                    == 2
            )
            #expect(try run("$foxfire lumen cut a.h265", in: folder).code == 2)
            #expect(
                try run("$foxfire lumen pack a.h265 a.h265 -o b.lumencap", in: folder).code == 2
            )
            #expect(try run("$foxfire lumen pack a.h265 -o b.mp4", in: folder).code == 2)
            let beyond = try run("$foxfire lumen cut a.h265 --start 9 -o b.h265; ls", in: folder)
            #expect(beyond.error.contains("the capture ends at 0:03.000"))
            #expect(!beyond.output.contains("b.h265"))
            let kept = try run(
                "echo old > b.h265; $foxfire lumen cut a.h265 -o b.h265 -n; cat b.h265",
                in: folder
            )
            #expect(kept.output == "old\n")
        }
    }
}
