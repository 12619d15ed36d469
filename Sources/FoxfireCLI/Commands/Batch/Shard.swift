/// A part of a batch: every N-th job.
struct Shard {
    private let index: Int
    private let count: Int

    /// Reads `I/N`, or `I` where a scheduler of arrays says N.
    ///
    /// - Throws: `UsageError`.
    init(_ text: String) throws(UsageError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        let names = ["SLURM_ARRAY_TASK_COUNT", "SGE_TASK_LAST"]
        let told = names.lazy.compactMap { StandardStreams.environment($0) }.compactMap { Int($0) }
        guard (1...2).contains(parts.count), let index = parts[0],
            parts.count == 1 || parts[1] != nil
        else {
            throw UsageError(text: "\"--shard\" must be I/N, as in 2/8, not \"\(text)\"")
        }
        guard let count = parts.count == 2 ? parts[1] : told.first else {
            throw UsageError(
                text: "\"--shard \(text)\" does not say how many there are",
                hint: "write \(text)/N; only Slurm and Grid Engine tell N"
            )
        }
        guard (1...1_000_000).contains(count), (1...count).contains(index) else {
            throw UsageError(text: "there is no shard \(index) of \(count): they count from 1")
        }
        (self.index, self.count) = (index, count)
    }

    func holds(_ number: Int) -> Bool { (number - 1) % count == index - 1 }
}
