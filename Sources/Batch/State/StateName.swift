/// The name of a file that says what became of a job: `<job>.<word>.<generation>`.
struct StateName: Sendable, Hashable {
    enum Word: String, Sendable, CaseIterable {
        case running
        case done
        /// Done, and an input was damaged.
        case damaged
        case failed
        /// Held by the process that runs it.
        case claim
        /// Made, and dropped, since another had taken it over meanwhile.
        case overtaken
    }

    let job: JobID
    let word: Word
    /// Counts the job's starts from 1.
    let generation: Int

    init(_ job: JobID, _ word: Word, _ generation: Int) {
        (self.job, self.word, self.generation) = (job, word, generation)
    }

    /// Reads a name; nil for any other file.
    init?(_ name: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let job = JobID(parts[0]),
            let word = Word(rawValue: String(parts[1])),
            let generation = Int(parts[2]), generation > 0
        else { return nil }
        self.init(job, word, generation)
    }

    /// Reads a name, or that of what was being written under it when its writer was killed: `.<name>.<more>`.
    init?(written entry: String) {
        self.init(entry.split(separator: ".").prefix(3).joined(separator: "."))
    }

    var text: String { "\(job).\(word.rawValue).\(generation)" }
}

/// What the names of a job's files say.
struct JobFiles: Sendable, Hashable {
    /// What it came to, or that it runs; nil before its first start.
    ///
    /// Of several the highest generation.
    private(set) var state: StateName?
    /// The generation of the highest claim; 0: none.
    private(set) var claim = 0
    private(set) var overtaken: [Int] = []
    /// How many names there are beside those of overtaken starts.
    var count = 0

    /// The highest generation there is; 0: none.
    var generation: Int { max(claim, state?.generation ?? 0, overtaken.max() ?? 0) }

    /// Whether a claim stands that no end has followed.
    var isClaimed: Bool {
        guard claim > 0 else { return false }
        guard let state, state.word != .running else { return true }
        return claim > state.generation
    }

    /// The end beside which names stand that it replaces: its writer was killed before it had removed them.
    var untidyEnd: StateName? {
        guard let state, state.word != .running, count > 1, !isClaimed else { return nil }
        return state
    }

    mutating func note(_ name: StateName) {
        if name.word != .overtaken { count += 1 }
        switch name.word {
        case .claim: claim = max(claim, name.generation)
        case .overtaken: overtaken.append(name.generation)
        case .running, .done, .damaged, .failed:
            // An end replaces what ran.
            let isLater = name.generation > (state?.generation ?? 0)
            let isEnd = name.generation == state?.generation && state?.word == .running
            if isLater || isEnd { state = name }
        }
    }
}
