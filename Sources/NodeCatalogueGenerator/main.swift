// Usage: NodeCatalogueGenerator OUTPUT SOURCE...
// Writes a Swift file that lists, by kind, every `struct X: …Node` with a `static let kind`.

import Foundation

/// The types in `source` that declare themselves nodes, with their kinds.
func nodes(in source: String) -> [(kind: String, type: String)] {
    var found: [(kind: String, type: String)] = []
    var candidate: String?
    for line in source.split(separator: "\n") {
        // Only at the margin: a node is a file's main type, never a nested one.
        if let match = line.firstMatch(of: /^(?:public |package )?struct (\w+)\s*:\s*([^{]*)/) {
            let protocols = match.2.split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            candidate = protocols.contains { $0.hasSuffix("Node") } ? String(match.1) : nil
        } else if let type = candidate,
            let match = line.firstMatch(of: /static let kind = "([^"]+)"/)
        {
            found.append((String(match.1), type))
            candidate = nil
        }
    }
    return found
}

do {
    let arguments = CommandLine.arguments.dropFirst()
    guard let output = arguments.first else {
        throw CocoaError(.fileWriteUnknown)
    }
    var all: [(kind: String, type: String)] = []
    for path in arguments.dropFirst() {
        all += nodes(in: try String(contentsOfFile: path, encoding: .utf8))
    }
    all.sort { $0.kind < $1.kind }
    for (first, second) in zip(all, all.dropFirst()) where first.kind == second.kind {
        print("error: two nodes are called \(first.kind): \(first.type) and \(second.type)")
        exit(1)
    }
    let rows = all.map { "    \($0.type).self,  // \($0.kind)\n" }.joined()
    let text = """
        // Made by NodeCatalogueGenerator; do not edit.

        public import Graph

        /// Every node of this library, by kind.
        public let nodeCatalogue: [any (Node & ~Copyable).Type] = [
        \(rows)]

        """
    try text.write(toFile: output, atomically: true, encoding: .utf8)
} catch {
    print("error: the node catalogue could not be made: \(error)")
    exit(1)
}
