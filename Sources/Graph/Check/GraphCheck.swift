/// Checks graph files: one run tells every fault, or yields the plan that the engine runs.
public enum GraphCheck {
    /// How a graph is checked.
    public struct Options: Sendable {
        /// Whether the graph will run, so that standard input may be looked into.
        public var mayReadStandardInput: Bool
        /// Foxfire's version, which outputs store; nil stores none.
        public var version: String?
        /// The SHA-256 of bytes as hex digits, for the graph's hash; nil stores none.
        public var digest: (@Sendable (Span<UInt8>) -> String)?
        /// Whether folders of outputs that are not there are a fault.
        public var needsFolders = true
        /// What is run in place of what the file says.
        public var edits = GraphEdits()

        /// The usual: a check that reads nothing from standard input and stores nothing.
        public init(
            mayReadStandardInput: Bool = false,
            version: String? = nil,
            digest: (@Sendable (Span<UInt8>) -> String)? = nil
        ) {
            self.mayReadStandardInput = mayReadStandardInput
            self.version = version
            self.digest = digest
        }
    }

    /// What a check found.
    public struct Outcome: Sendable {
        /// What can run; nil exactly when there are problems.
        public let plan: GraphPlan?
        /// Every fault: those of the command line first, then in the order of the file.
        public let problems: [Problem]
        /// What is right but worth a look, in the order of the file.
        public let warnings: [Problem]

        /// Whether nothing is wrong with the graph itself, only with files it names: a job that fails
        /// rather than a graph that is wrong.
        public var isOnlyFiles: Bool {
            !problems.isEmpty && problems.allSatisfy { $0.code == .file }
        }
    }

    /// Checks the text of a graph file.
    ///
    /// Probes the files that sources read, creates nothing. At most 100 problems are told.
    ///
    /// - Parameters:
    ///   - text: the file's bytes; any may come.
    ///   - file: its path as the user named it; `-` for standard input. Relative `file` defaults start
    ///     from its folder.
    ///   - values: the variables' values as texts, by name.
    ///   - catalogue: the nodes there are.
    ///   - options: how to check.
    /// - Returns: the plan, or what is wrong.
    public static func plan(
        text: [UInt8],
        file: String,
        values: [String: String] = [:],
        catalogue: [CatalogueEntry],
        options: Options = Options()
    ) -> Outcome {
        let (graph, problems) = GraphFile.read(text, file: file)
        guard let graph else { return Outcome(plan: nil, problems: problems, warnings: []) }
        var checker = Checker(graph: graph, file: file, catalogue: catalogue, options: options)
        checker.problems = problems
        let plan = checker.plan(values)
        var found = Array(checker.problems.prefix(JSONReader.problemLimit))
        for index in found.indices where found[index].file == nil && found[index].location != nil {
            found[index].file = file
        }
        found.sort(by: Problem.stand)
        return Outcome(
            plan: found.isEmpty ? plan : nil,
            problems: found,
            warnings: plan.warnings
        )
    }
}
