extension Command {
    static let run = Command(
        name: "run",
        summary: "Run a graph and write its outputs.",
        operands: [
            Operand(
                name: "GRAPH",
                kind: .graph,
                help:
                    "A graph file (it holds a \"/\" or ends in .json), \"-\" for standard input, or "
                    + "the name of an installed graph."
            ),
            Operand(
                name: "NAME=VALUE",
                kind: .settings,
                help: "Values for the graph's variables; \"foxfire run GRAPH --help\" lists them."
            ),
        ],
        options: [
            .replace, .keep, .set, .threads, .capacity, .memoryLimit, .progress, .report, .trace,
            .verifyOutput, .dryRun, .strict, .errorsAsJSON,
        ],
        details: [
            "An output that exists is asked about on a terminal; elsewhere the job is refused with "
                + "exit code 1, unless -y or -n says what to do. Reports and traces are outputs too."
        ],
        examples: [
            (
                line: "foxfire run film input=track.ogg output=film.mp4",
                purpose: "Make a film that moves with a track."
            ),
            (
                line: "foxfire run film --help",
                purpose: "List the variables of the installed graph \"film\"."
            ),
        ],
        perform: { arguments in
            .done
        }
    )
}
