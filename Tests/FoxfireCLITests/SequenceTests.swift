import Media
import Foundation
import Testing

@testable import FoxfireCLI

/// Numbered files, written by the built command.
@Suite struct SequenceTests {
    /// A graph that writes `count` pictures.
    private static let frames = """
        {"foxfire": 1, "variables": {"length": {"type": "time", "default": 1}},
         "nodes": {
            "base": {"kind": "source.parameters", "duration": "$length"},
            "mould": {"kind": "simulate.physarum", "from": "base", "size": "64x64", "fps": 4},
            "look": {"kind": "render.physarum", "from": "mould"},
            "files": {"kind": "write.png", "from": "look", "path": "out/f-%03d.png"}}}
        """

    private func pictures(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder + "/out").sorted()
    }

    @Test func `-y removes what lies beyond the new end, and nothing else`() throws {
        try inTemporaryFolder { folder in
            try TextFile.write(Self.frames, to: folder + "/frames.json")
            try Folder.create(folder + "/out")
            let first = try Tool.shell("$foxfire run frames.json", in: folder)
            #expect(first.code == 0, "\(first.error)")
            #expect(first.error.contains("wrote out/f-%03d.png (4 files, "))
            let four = (0..<4).map { "f-00\($0).png" }
            try #expect(pictures(in: folder) == four)

            let refused = try Tool.shell("$foxfire run frames.json", in: folder)
            #expect(refused.code == 1)
            #expect(refused.error.contains("out/f-%03d.png: 4 of its files exist"))

            for name in ["f-9.png", "f-009.jpg", "other.png"] {
                try TextFile.write("mine", to: folder + "/out/" + name)
            }
            let kept = try Tool.shell("$foxfire run frames.json length=0.5 -n", in: folder)
            #expect(kept.code == 0)
            try #expect(pictures(in: folder).count == 7)

            let shorter = try Tool.shell("$foxfire run frames.json length=0.5 -y", in: folder)
            #expect(shorter.code == 0)
            let rest = ["f-000.png", "f-001.png", "f-009.jpg", "f-9.png", "other.png"]
            try #expect(pictures(in: folder) == rest)
        }
    }
}
