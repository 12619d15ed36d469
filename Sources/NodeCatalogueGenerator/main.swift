// Usage: NodeCatalogueGenerator OUTPUT SOURCE...
// Writes a Swift file that lists, by kind, every `struct X: …Node` with a `static let kind`.

import Foundation

/// One node as its source declares it.
struct Entry {
    var kind: String
    var type: String
    var summary: String
    var discussion: String
}

/// The types in `source` that declare themselves nodes, with their kinds and doc comments.
func nodes(in source: String) -> [Entry] {
    var found: [Entry] = []
    var comment: [String] = []
    var candidate: (type: String, comment: [String])?
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
        // Only at the margin: a node is a file's main type, never a nested one.
        if line.hasPrefix("///") {
            comment.append(String(line.dropFirst(3).drop { $0 == " " }))
            continue
        }
        if let match = line.firstMatch(of: /^(?:public |package )?struct (\w+)\s*:\s*([^{]*)/) {
            let protocols = match.2.split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            candidate = protocols.contains("Node") ? (String(match.1), comment) : nil
        } else if let (type, comment) = candidate,
            let match = line.firstMatch(of: /static let kind = "([^"]+)"/)
        {
            found.append(
                Entry(
                    kind: String(match.1),
                    type: type,
                    summary: comment.first ?? "",
                    discussion: paragraphs(comment.dropFirst())
                )
            )
            candidate = nil
        }
        if !line.hasPrefix("@") { comment = [] }
    }
    return found
}

/// Lines joined to paragraphs, which are apart by blank lines; list items keep their own lines.
func paragraphs(_ lines: some Sequence<String>) -> String {
    var result: [String] = []
    var current = ""
    for line in lines {
        if line.isEmpty || line.hasPrefix("- ") {
            if !current.isEmpty { result.append(current) }
            current = line
        } else {
            current += (current.isEmpty ? "" : " ") + line
        }
    }
    if !current.isEmpty { result.append(current) }
    return result.joined(separator: "\n\n")
}

do {
    let arguments = CommandLine.arguments.dropFirst()
    guard let output = arguments.first else {
        throw CocoaError(.fileWriteUnknown)
    }
    var all: [Entry] = []
    for path in arguments.dropFirst() {
        all += nodes(in: try String(contentsOfFile: path, encoding: .utf8))
    }
    all.sort { $0.kind < $1.kind }
    for (first, second) in zip(all, all.dropFirst()) where first.kind == second.kind {
        print("error: two nodes are called \(first.kind): \(first.type) and \(second.type)")
        exit(1)
    }
    let rows = all.map { entry in
        // Debug descriptions of strings are Swift literals.
        """
            CatalogueEntry(
                kind: \(entry.kind.debugDescription), type: \(entry.type).self,
                summary: \(entry.summary.debugDescription),
                discussion: \(entry.discussion.debugDescription)),

        """
    }.joined()
    let text = """
        // Made by NodeCatalogueGenerator; do not edit.

        public import Graph

        /// Every node of this library, by kind.
        public let nodeCatalogue: [CatalogueEntry] = [
        \(rows)]

        """
    try text.write(toFile: output, atomically: true, encoding: .utf8)
} catch {
    print("error: the node catalogue could not be made: \(error)")
    exit(1)
}
