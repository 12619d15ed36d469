import Graph

extension Command {
    /// `foxfire check`: everything that is wrong with a graph, or what it will do.
    static let check = Command(
        name: "check",
        summary: "Check a graph: tell every fault, or formats, conversions and memory.",
        operands: [
            .graph,
            Operand(
                name: "NAME=VALUE",
                kind: .settings,
                help: "Values for the graph's variables; \"foxfire run GRAPH --help\" lists them."
            ),
        ],
        options: [.set, .capacity, .errorsAsJSON],
        details: [
            "Files that the graph reads are looked into; nothing is written. The exit code is the "
                + "one that \"foxfire run\" would fail with: 2 for a wrong graph, 1 when only an "
                + "input is missing or an output cannot be written."
        ],
        examples: [
            (
                line: "foxfire check film size=3840x2160",
                purpose: "Tell what each edge of the film would hold at this size."
            )
        ],
        perform: { arguments in
            let loaded = try LoadedGraph(arguments, willRun: false)
            StandardStreams.tell(loaded.warnings, asJSON: arguments.has(.errorsAsJSON))
            let faults = OutputPolicy.faults(of: loaded.targets)
            if !faults.isEmpty { throw Failure(.failed, faults) }
            let capacity = arguments.integer(.capacity) ?? 64
            try StandardStreams.write(
                result: GraphCheck.describe(loaded.plan, capacity: capacity)
            )
            return .done
        }
    )
}
