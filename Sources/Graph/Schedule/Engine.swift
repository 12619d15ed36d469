/// Runs one checked graph, once.
public final class Engine: Sendable {
    /// Prepares a run; nothing is opened yet.
    public init(_ plan: GraphPlan, _ options: RunOptions) {
    }

    /// Runs the graph to its end on the engine's workers, and blocks until then.
    ///
    /// Outputs get their names only when every node is done.
    ///
    /// - Throws: what ended the run; no output has its name then.
    public func run() throws(RunFailure) -> RunReport {
        throw .cancelled
    }

    /// Ends the run soon: sources stop, queued work is dropped, unfinished outputs are removed.
    ///
    /// May be called from any thread, at any time, more than once.
    public func cancel() {}

    /// How far every sink has come.
    public func progress() -> [Progress] { [] }

    /// The activations kept for a trace, as Chrome trace events (JSON); empty without tracing.
    public func trace() -> String { "" }
}
