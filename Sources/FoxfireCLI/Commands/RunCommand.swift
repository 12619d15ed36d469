import Codecs
import Graph
import Media

extension Command {
    /// `foxfire run`: runs a graph and writes its outputs.
    static let run = Command(
        name: "run",
        summary: "Run a graph and write its outputs.",
        operands: [
            .graph,
            Operand(
                name: "NAME=VALUE",
                kind: .settings,
                help: "Values for the graph's variables; \"foxfire run GRAPH --help\" lists them."
            ),
        ],
        options: [
            .replace, .keep, .set, .threads, .capacity, .memoryLimit, .progress, .report, .trace,
            .verifyOutput, .dryRun, .strict, .job, .part, .errorsAsJSON,
        ],
        details: [
            "An output that exists is asked about on a terminal; elsewhere the job is refused with "
                + "exit code 1, unless -y or -n says what to do. Reports and traces are outputs too.",
            "Outputs get their names when all of the graph is done. A job that fails or is stopped "
                + "leaves older files as they were.",
        ],
        examples: [
            (
                line: "foxfire run film input=track.ogg output=film.mp4",
                purpose: "Make a film that moves with a track."
            ),
            (line: "foxfire run film --help", purpose: "List the variables of the graph \"film\"."),
        ],
        perform: { arguments in
            if arguments.has(.help) { return try explainGraph(arguments) }
            if let job = arguments.text(.job) { return try HeldRun(arguments, job).perform() }
            return try RunJob(arguments).perform()
        }
    )

    /// What `foxfire run GRAPH --help` does.
    private static func explainGraph(_ arguments: Arguments) throws -> ExitCode {
        let name = arguments.operands.first ?? "-"
        let source = try GraphLocation.read(name)
        let (graph, problems) = GraphFile.read(source.text, file: source.file)
        guard let graph else { throw Failure(.usage, problems.map { Message($0) }) }
        try StandardStreams.write(result: HelpText.graph(graph, name: name))
        return .done
    }
}

extension Operand {
    /// The graph that a command is about.
    static let graph = Operand(
        name: "GRAPH",
        kind: .graph,
        help: "A graph file (it holds a \"/\" or ends in .json), \"-\" for standard input, or the "
            + "name of an installed graph."
    )
}
