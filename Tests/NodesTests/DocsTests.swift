import Foundation
import Graph
import Testing

@testable import Nodes

@Suite struct DocsTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("docs/nodes")

    @Test func `every node's page is what its declaration says: make docs writes them anew`() throws
    {
        let pages = NodePages.all(nodeCatalogue)
        for page in pages {
            let file = Self.folder.appendingPathComponent(page.fileName)
            let text = try? String(contentsOf: file, encoding: .utf8)
            let isFresh = text == page.text
            #expect(isFresh, "docs/nodes/\(page.fileName) is stale: make docs")
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(
            Set(files).subtracting(pages.map(\.fileName)).isEmpty,
            "docs/nodes holds pages of nodes that are gone"
        )
    }

    @Test(arguments: nodeCatalogue.map(\.kind))
    func `a node's page says what it does and shows a right graph`(kind: String) throws {
        let entry = try #require(nodeCatalogue.first { $0.kind == kind })
        #expect(entry.summary.hasSuffix("."), "the summary of \(kind) is no sentence")
        let page = try #require(NodePages.all(nodeCatalogue).first { $0.fileName == "\(kind).md" })
        let parts = page.text.components(separatedBy: "```")
        guard parts.count == 3 else { return }
        let graph = String(parts[1].dropFirst("json\n".count))
        let outcome = GraphCheck.plan(
            text: Array(graph.utf8),
            file: "\(kind).json",
            catalogue: nodeCatalogue
        )
        // A file that an example names need not be there.
        let missing = outcome.problems.filter { $0.text.contains("no such file") }
        #expect(outcome.problems.map(\.description) == missing.map(\.description))
    }
}
