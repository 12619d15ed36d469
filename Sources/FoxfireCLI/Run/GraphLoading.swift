import Codecs
import Graph
import Media
import Nodes

/// A graph that was found, read and checked: the same for every command, so that they agree.
struct LoadedGraph {
    let plan: GraphPlan
    /// As the user named it.
    let file: String
    /// The graph file's bytes.
    let text: [UInt8]
    let warnings: [Message]

    /// Loads the graph that the first operand names, with the variables' values that were given.
    ///
    /// - Parameters:
    ///   - arguments: of the command line.
    ///   - willRun: whether standard input may be looked into.
    /// - Throws: `Failure` with every problem.
    init(_ arguments: Arguments, willRun: Bool) throws {
        let source = try GraphLocation.read(arguments.operands.first ?? "-")
        // Of a variable given twice, the last value: a script may add to what its user gave.
        let values = Dictionary(
            arguments.settings.map { ($0.name, $0.value) },
            uniquingKeysWith: { _, last in last }
        )
        let outcome = GraphCheck.plan(
            text: source.text,
            file: source.file,
            values: values,
            catalogue: nodeCatalogue,
            options: GraphCheck.Options(
                // A graph that came by standard input has spent it.
                mayReadStandardInput: willRun && source.file != "-",
                version: foxfireVersion,
                digest: { bytes in
                    var hash = SHA256()
                    hash.update(bytes)
                    return hash.hexDigest()
                }
            )
        )
        guard let plan = outcome.plan else {
            // Warnings may only follow from the faults: they are told when those are mended.
            throw Failure(
                outcome.isOnlyFiles ? .failed : .usage,
                outcome.problems.map { Message($0) }
            )
        }
        if source.file == "-", plan.inputFiles.contains(where: \.isStandardInput) {
            throw UsageError(text: "standard input cannot be both the graph and an input of it")
        }
        self.plan = plan
        file = source.file
        text = source.text
        warnings = outcome.warnings.map { Message($0, .warning) }
    }

    /// What it writes, standard output left out.
    var targets: [OutputPolicy.Target] {
        plan.outputs.filter { !$0.path.isStandardOutput }.map {
            OutputPolicy.Target(
                path: $0.path.path,
                isSequence: $0.path.isSequence,
                node: $0.node
            )
        }
    }

    /// The nodes whose first input are pictures, encoded or not.
    var pictureNodes: Set<String> {
        let nodes = plan.nodes.filter { node in
            switch node.formats.inputs.first??.format {
            case is VideoFormat: return true
            case let format as EncodedFormat:
                guard case .video = format.content else { return false }
                return true
            default: return false
            }
        }
        return Set(nodes.map(\.name))
    }
}
