import Foundation
import TestSupport
import Testing

@Suite struct PairCommandTests {
    @Test func `check tells in words and in JSON why two files are no pair, and ends with 1`()
        throws
    {
        try inTemporaryFolder { folder in
            let setUp = """
                ffmpeg -v error -nostdin -f lavfi -i testsrc2=s=64x48:d=1 -c:v libx264 a.mov
                ffmpeg -v error -nostdin -f lavfi -i testsrc2=s=64x48 -frames:v 1 a.jpg

                """
            let text = try Tool.shell(setUp + "$foxfire pair check a.jpg a.mov", in: folder)
            #expect(text.code == 1 && text.output.hasPrefix("a.jpg and a.mov are no pair:\n"))
            #expect(text.output.contains("the still has no content identifier"))
            #expect(text.output.contains("no track that marks the still's time"))
            let json = try Tool.shell("$foxfire pair check --json a.jpg a.mov", in: folder)
            let object =
                try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
            #expect(object?["isPair"] as? Bool == false)
            #expect((object?["faults"] as? [String])?.count == 3)
            #expect(try Tool.shell("$foxfire pair check a.jpg", in: folder).code == 2)
            let swapped = try Tool.shell("$foxfire pair check a.mov a.jpg 2>&1", in: folder)
            #expect(
                swapped.code == 1 && swapped.output.contains("a.mov: it is no HEIC, JPEG or PNG")
            )
            let picture = try Tool.shell("$foxfire pair check a.jpg a.jpg 2>&1", in: folder)
            #expect(picture.output.contains("a.jpg: it is no QuickTime or MP4 file"))
            let device = try Tool.shell("$foxfire pair check /dev/null a.mov 2>&1", in: folder)
            #expect(device.code == 1 && !device.output.contains("folder"))
            let cut = "head -c 700 a.mov > c.mov; $foxfire pair check a.jpg c.mov 2>&1"
            #expect(try Tool.shell(cut, in: folder).output.contains("c.mov: box mdat"))
        }
    }
}
