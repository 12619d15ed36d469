import Graph
import Media
import Nodes

extension Command {
    /// `foxfire nodes`: what nodes there are, and what each takes.
    static let nodes = Command(
        name: "nodes",
        summary: "List the kinds of nodes, or tell about one.",
        operands: [
            Operand(
                name: "KIND",
                kind: .nodeKind,
                isOptional: true,
                help: "Tell what this kind does, its inputs, outputs and parameters."
            )
        ],
        options: [.json, .names, .markdown, .output, .replace, .keep],
        examples: [
            (
                line: "foxfire nodes analyze.bands",
                purpose: "Tell all about the node that analyses a track."
            )
        ],
        perform: { arguments in
            if let folder = arguments.text(.markdown) {
                try writePages(into: folder)
                return .done
            }
            return try arguments.deliver(try text(arguments))
        }
    )

    private static func text(_ arguments: Arguments) throws -> String {
        do throws(Problem) {
            if let kind = arguments.operands.first {
                return arguments.has(.json)
                    ? JSON.pretty(try NodeText.json(kind, nodeCatalogue))
                    : try NodeText.page(kind, nodeCatalogue)
            }
        } catch {
            throw Failure(.usage, Message(error))
        }
        if arguments.has(.json) { return JSON.pretty(NodeText.json(nodeCatalogue)) }
        if arguments.has(.names) {
            return nodeCatalogue.map { $0.kind + "\n" }.sorted().joined()
        }
        return NodeText.list(nodeCatalogue)
    }

    /// Writes every node's page, and removes pages of nodes that are gone.
    private static func writePages(into folder: String) throws {
        try Folder.create(folder)
        let pages = NodePages.all(nodeCatalogue)
        for page in pages { try TextFile.write(page.text, to: "\(folder)/\(page.fileName)") }
        let names = Set(pages.map(\.fileName))
        for name in Folder.entries(of: folder) where isPage(name) && !names.contains(name) {
            try Folder.remove("\(folder)/\(name)")
        }
    }

    /// Whether a file is called as a node's page is: `audio.gain.md`.
    private static func isPage(_ name: String) -> Bool {
        name.wholeMatch(of: /[a-z]+\.[a-zA-Z]+\.md/) != nil
    }
}
