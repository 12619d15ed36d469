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
            let alone = try Tool.shell("$foxfire pair check a.jpg", in: folder)
            #expect(alone.code == 1 && alone.output.contains("it has no XMP"))
            #expect(try Tool.shell("$foxfire pair check", in: folder).code == 2)
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

    @Test(arguments: ["jpg", "heic"])
    func `a Motion Photo is checked, and what cutting, growing and rewriting do to it is told`(
        ending: String
    ) throws {
        try inTemporaryFolder { folder in
            let set = """
                ffmpeg -v error -nostdin -f lavfi -i testsrc2=s=96x64:d=2 v.mp4
                $foxfire run motion-photo input=v.mp4 output=a.MP.\(ending) --progress none

                """
            let good = try Tool.shell(set + "$foxfire pair check a.MP.\(ending)", in: folder)
            #expect(
                good.code == 0 && good.output.hasPrefix("OK: a.MP.\(ending) is a Motion Photo\n")
            )
            #expect(good.output.contains("still at 1.0 s") && !good.output.contains("note"))
            let path = folder + "/a.MP.\(ending)"
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            func check(_ changed: [UInt8], _ name: String = "b") throws -> String {
                let file = "\(name).MP.\(ending)"
                try Data(changed).write(to: URL(filePath: folder + "/" + file))
                let result = try Tool.shell("$foxfire pair check \(file) 2>&1", in: folder)
                #expect(result.code == 1)
                return result.output
            }
            func replaced(_ old: String, _ new: String) throws -> [UInt8] {
                let place = try #require(bytes.firstRange(of: Array(old.utf8)))
                return Array(bytes[..<place.lowerBound]) + new.utf8 + bytes[place.upperBound...]
            }
            let movedBox = ending == "heic" ? "box mpvd" : "no movie begins"
            #expect(try check(bytes.dropLast(10)).contains(movedBox))
            #expect(try check(bytes + [0, 0, 0, 8] + "free".utf8).contains("no movie begins"))
            #expect(
                try check(replaced("MotionPhoto=\"1\"", "MotionPhoto=\"0\""))
                    .contains("does not say MotionPhoto")
            )
            #expect(
                try check(replaced("TimestampUs=\"1000000\"", "TimestampUs=\"9000000\""))
                    .contains("outside the movie")
            )
            #expect(
                try check(replaced("Semantic=\"MotionPhoto\"", "Semantic=\"MotionPhot0\""))
                    .contains("lists no item")
            )
            let padding = ending == "heic" ? ("8", "0") : ("0", "8")
            #expect(
                try check(replaced("Item:Padding=\"\(padding.0)", "Item:Padding=\"\(padding.1)"))
                    .contains("padding is \(padding.1)")
            )
            let json = try Tool.shell("$foxfire pair check --json a.MP.\(ending)", in: folder)
            let object =
                try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
            #expect(object?["isMotionPhoto"] as? Bool == true)
            try FileManager.default.copyItem(atPath: path, toPath: folder + "/x.\(ending)")
            let other = try Tool.shell("$foxfire pair check x.\(ending)", in: folder)
            #expect(other.code == 0 && other.output.contains("note: its name"))
        }
    }
}
