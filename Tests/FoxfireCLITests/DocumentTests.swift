import Foundation
import Testing

@testable import FoxfireCLI

/// What the README says, tried.
@Suite struct DocumentTests {
    private let readme: String

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    }

    private func block(_ language: String) throws -> String {
        let parts = readme.components(separatedBy: "```\(language)\n")
        return try #require(parts.dropFirst().first?.components(separatedBy: "```").first)
    }

    @Test func `its graph is right, and its faulty twin is told as shown`() throws {
        let graph = try block("json")
        try inTemporaryFolder { folder in
            try TextFile.write(graph, to: folder + "/right.json")
            let right = try Tool.shell("$foxfire check right.json", in: folder)
            #expect(right.code == 0, "\(right.error)")
            let wrong = graph.replacingOccurrences(of: "\"2s\"", with: "\"2 lightyears\"")
            try TextFile.write(wrong, to: folder + "/wrong.json")
            let told = try Tool.shell("$foxfire check wrong.json", in: folder)
            #expect(told.code == 2)
            let shown = readme.replacingOccurrences(of: "\n", with: " ")
            #expect(shown.contains(told.error.trimmingCharacters(in: .newlines)))
        }
    }

    @Test func `its table has every command, with the right operands`() throws {
        let rows = readme.split(separator: "\n").filter { $0.hasPrefix("| `foxfire ") }
        let names = rows.compactMap { $0.split(separator: " ").dropFirst(2).first }
            .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "`")) }
        #expect(names == Command.all.map(\.name))
        for (row, command) in zip(rows, Command.all) where command.name != "completions" {
            for operand in command.operands where operand.name == "GRAPH" || operand.name == "FILE"
            {
                #expect(row.contains(operand.name))
            }
        }
    }

    @Test func `its table has every exit code`() {
        for (code, _) in ExitCode.meanings { #expect(readme.contains("| \(code) |")) }
    }

    @Test func `its links lead somewhere`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        for match in readme.matches(of: /\]\(([^)]+)\)/) {
            let path = root.appending(path: String(match.1)).path()
            #expect(FileManager.default.fileExists(atPath: path), "\(path)")
        }
    }

    @Test func `the page of parameters is what their table says: make docs writes it anew`() throws
    {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/parameters.md")
        let text = try Tool.shell("$foxfire presets parameters").output
        #expect(text.hasPrefix("# Parameters\n"))
        let isFresh = try String(contentsOf: page, encoding: .utf8) == text
        #expect(isFresh, "docs/parameters.md is stale: make docs")
    }
}
