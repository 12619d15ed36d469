import Graph
import Media

/// What the engine itself costs: a chain of nodes that only hand packets on.
enum HopGraph {
    private static let catalogue = [
        CatalogueEntry(
            kind: BufferSource.kind,
            type: BufferSource.self,
            summary: "Emits buffers.",
            discussion: ""
        ),
        CatalogueEntry(
            kind: BufferPass.kind,
            type: BufferPass.self,
            summary: "Hands buffers on.",
            discussion: ""
        ),
        CatalogueEntry(
            kind: BufferSink.kind,
            type: BufferSink.self,
            summary: "Drops buffers.",
            discussion: ""
        ),
    ]

    /// Sends packets through `passes` nodes between a source and a sink, on one worker.
    static func run(packets: Int, passes: Int, isTracing: Bool) throws {
        var text = "{\"foxfire\": 1, \"nodes\": {"
        text += "\"source\": {\"kind\": \"bench.source\", \"count\": \(packets)},"
        for index in 0..<passes {
            let writer = index == 0 ? "source" : "pass\(index - 1)"
            text += "\"pass\(index)\": {\"kind\": \"bench.pass\", \"from\": \"\(writer)\"},"
        }
        text += "\"sink\": {\"kind\": \"bench.sink\", \"from\": \"pass\(passes - 1)\"}}}"
        let outcome = GraphCheck.plan(
            text: Array(text.utf8),
            file: "hops",
            catalogue: catalogue
        )
        guard let plan = outcome.plan else {
            throw ProcessError(description: "\(outcome.problems)")
        }
        let engine = Engine(plan, RunOptions(threads: 1, isTracing: isTracing))
        _ = try engine.run()
        if isTracing { _ = engine.trace() }
    }

    /// CPU time a packet: three queued hops and two nodes that hand it on, against GStreamer's.
    @Sendable static func againstGStreamer(_ program: String, runs: Int) throws -> Row {
        let packets = 2_000_000
        let ours = [program, "--child", "hops", "\(packets)", "2", "plain"]
        let peer = [
            "gst-launch-1.0", "fakesrc", "num-buffers=\(packets)", "!", "queue", "!", "identity",
            "silent=true", "!", "queue", "!", "identity", "silent=true", "!", "queue", "!",
            "fakesink",
        ]
        let (a, b) = try alternate(ours, peer, runs: runs, core: 0) { $0.cpu }
        return Row(
            name: "3 queued hops and 2 pass-through nodes, CPU time a packet",
            unit: "us",
            ours: a * 1e6 / Double(packets),
            peer: b * 1e6 / Double(packets),
            ratio: b / a,
            target: 10
        )
    }

    /// A chain of 1,000 nodes with a complete trace, against itself without.
    @Sendable static func traced(_ program: String, runs: Int) throws -> Row {
        let chain = [program, "--child", "hops", "20000", "1000"]
        let (a, b) = try alternate(chain + ["traced"], chain + ["plain"], runs: runs, core: 0) {
            $0.wall
        }
        return Row(
            name: "chain of 1,000 nodes with a complete trace, against itself without",
            unit: "s",
            ours: a,
            peer: b,
            ratio: b / a,
            target: 1 / 1.05
        )
    }
}

/// Runs two commands in turn and returns the medians of what `figure` reads off each.
func alternate(
    _ ours: [String],
    _ peer: [String],
    runs: Int,
    core: Int? = nil,
    _ figure: (ProcessCost) -> Double
) throws(ProcessError) -> (ours: Double, peer: Double) {
    var a: [Double] = []
    var b: [Double] = []
    for _ in 0..<runs {
        a.append(figure(try measure(ours, core: core)))
        b.append(figure(try measure(peer, core: core)))
    }
    return (median(a), median(b))
}
