import Batch
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
        // A graph that came by standard input has spent it.
        let readsStandardInput = willRun && source.file != "-"
        var options = Self.options(mayReadStandardInput: readsStandardInput)
        var whole: (split: FilmSplit, part: FilmPart)?
        if let text = arguments.text(.part) {
            let part = try Self.part(text)
            let film = try Self.film(source, values)
            do throws(Problem) {
                let split = try FilmSplit(film, file: source.file, length: part.length)
                whole = (split, part)
                options.edits = split.edits(for: part)
            } catch {
                throw Failure(.usage, Message(error))
            }
        }
        let outcome = Self.check(source, values, options)
        // Warnings may only follow from the faults: they are told when those are mended.
        guard let plan = outcome.plan else { throw Failure(outcome) }
        if source.file == "-", plan.inputFiles.contains(where: \.isStandardInput) {
            throw UsageError(text: "standard input cannot be both the graph and an input of it")
        }
        self.plan = whole.map { $0.split.named(plan, $0.part) } ?? plan
        file = source.file
        text = source.text
        warnings = outcome.warnings.map { Message($0, .warning) }
    }

    private static func options(mayReadStandardInput: Bool) -> GraphCheck.Options {
        GraphCheck.Options(
            mayReadStandardInput: mayReadStandardInput,
            version: foxfireVersion,
            digest: { bytes in
                var hash = SHA256()
                hash.update(bytes)
                return hash.hexDigest()
            }
        )
    }

    private static func check(
        _ source: GraphLocation.Source,
        _ values: [String: String],
        _ options: GraphCheck.Options
    ) -> GraphCheck.Outcome {
        GraphCheck.plan(
            text: source.text,
            file: source.file,
            values: values,
            catalogue: nodeCatalogue,
            options: options
        )
    }

    private static func part(_ text: String) throws(UsageError) -> FilmPart {
        if let part = FilmPart(text) { return part }
        throw UsageError(
            text: "\"--part\" must name a part of a film, not \"\(text)\"",
            hint: "as in \"pictures 3/10 60s parts\""
        )
    }

    /// Checks the graph of a film that is to be made in parts.
    ///
    /// - Parameters:
    ///   - source: the graph.
    ///   - values: of its variables.
    /// - Returns: the whole film's plan.
    /// - Throws: `Failure` when something is wrong with the graph or its files.
    static func film(_ source: GraphLocation.Source, _ values: [String: String]) throws(Failure)
        -> GraphPlan
    {
        var options = options(mayReadStandardInput: false)
        options.needsFolders = false
        let outcome = check(source, values, options)
        guard let plan = outcome.plan else { throw Failure(outcome) }
        return plan
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

extension Failure {
    /// What is wrong with a graph.
    fileprivate init(_ outcome: GraphCheck.Outcome) {
        self.init(
            outcome.isOnlyFiles ? .failed : .usage,
            outcome.problems.map { Message($0) }
        )
    }
}
