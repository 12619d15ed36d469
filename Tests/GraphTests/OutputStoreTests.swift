import Foundation
import Graph
import Media
import Testing

@Suite struct OutputStoreTests {
    /// Runs `body` in a fresh folder.
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path())
    }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func `files get their names together`() throws {
        try inFolder { folder in
            let store = OutputStore()
            try store.open(folder + "/a").write([1].span)
            try store.open(folder + "/b").write([2].span)
            try #expect(!names(in: folder).contains("a"))
            try store.commit()
            try #expect(names(in: folder) == ["a", "b"])
        }
    }

    @Test func `a kept file stays as it was`() throws {
        try inFolder { folder in
            try Data("old".utf8).write(to: URL(filePath: folder + "/a"))
            let store = OutputStore { $0.hasSuffix("/a") }
            try store.open(folder + "/a").write([1].span)
            try store.open(folder + "/b").write([2].span)
            #expect(store.paths == [folder + "/b"])
            try store.commit()
            try #expect(names(in: folder) == ["a", "b"])
            try #expect(Data(contentsOf: URL(filePath: folder + "/a")) == Data("old".utf8))
        }
    }

    @Test func `where one cannot be named none is, and what was there is back`() throws {
        try inFolder { folder in
            try Data("old".utf8).write(to: URL(filePath: folder + "/a"))
            let store = OutputStore()
            let files = try ["a", "d", "b", "c"].map { name in
                let file = try store.open("\(folder)/\(name)", isInseparable: true)
                try file.write([1].span)
                return file
            }
            try FileManager.default.createDirectory(
                atPath: folder + "/b/x",
                withIntermediateDirectories: true
            )
            #expect(throws: FileError.self) { try store.commit() }
            try #expect(names(in: folder) == ["a", "b"])
            try #expect(Data(contentsOf: URL(filePath: folder + "/a")) == Data("old".utf8))
            withExtendedLifetime(files) {}
        }
    }

    @Test func `a replaced file leaves nothing behind`() throws {
        try inFolder { folder in
            for _ in 0..<2 {
                let store = OutputStore()
                for name in ["a", "b"] {
                    try store.open("\(folder)/\(name)", isInseparable: true).write([1].span)
                }
                try store.commit()
                try #expect(names(in: folder) == ["a", "b"])
            }
        }
    }

    @Test func `what a killed run left half named is completed by the next`() throws {
        try inFolder { folder in
            // As it is between the first name and the second.
            try Data("new a".utf8).write(to: URL(filePath: folder + "/a.HEIC"))
            try Data("old b".utf8).write(to: URL(filePath: folder + "/a.MOV"))
            try Data("new b".utf8).write(to: URL(filePath: folder + "/.a.MOV.part-123456"))
            try Data("old a".utf8).write(to: URL(filePath: folder + "/.a.HEIC.part-654321.old"))
            try Data("other".utf8).write(to: URL(filePath: folder + "/.other"))
            let lines = [
                ".a.HEIC.part-654321\ta.HEIC", ".a.MOV.part-123456\ta.MOV", ".other\ta.HEIC",
                "../.x.part-1\t../x",
            ]
            try Data(lines.joined(separator: "\n").utf8)
                .write(to: URL(filePath: folder + "/.a.HEIC.pending"))
            #expect(OutputJournal.complete(for: folder + "/a.HEIC"))
            try #expect(names(in: folder) == [".other", "a.HEIC", "a.MOV"])
            try #expect(Data(contentsOf: URL(filePath: folder + "/a.HEIC")) == Data("new a".utf8))
            try #expect(Data(contentsOf: URL(filePath: folder + "/a.MOV")) == Data("new b".utf8))
            #expect(!OutputJournal.complete(for: folder + "/a.HEIC"))
        }
    }

    @Test func `nothing is opened after the end`() throws {
        try inFolder { folder in
            let store = OutputStore()
            store.discard()
            #expect(throws: FileError.self) { try store.open(folder + "/late") }
            try #expect(names(in: folder).isEmpty)
        }
    }
}
