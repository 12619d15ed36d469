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

    @Test func `a file that cannot be named takes those after it with it`() throws {
        try inFolder { folder in
            let store = OutputStore()
            let files = try ["a", "b", "c"].map { try store.open("\(folder)/\($0)") }
            try FileManager.default.createDirectory(
                atPath: folder + "/b/x",
                withIntermediateDirectories: true
            )
            #expect(throws: FileError.self) { try store.commit() }
            try #expect(names(in: folder) == ["a", "b"])
            withExtendedLifetime(files) {}
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
