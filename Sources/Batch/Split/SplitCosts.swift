/// What the making of films in parts took, and whether it was worth while.
public struct SplitCosts: Sendable, Hashable {
    /// How many films all of whose parts are known.
    public private(set) var films = 0
    /// Their parts.
    public private(set) var parts = 0
    /// Seconds for the parts' pictures, all together.
    public private(set) var pictures = 0.0
    /// Seconds for the simulation's states, each of which needs the one before.
    public private(set) var checkpoints = 0.0
    /// Seconds for the modulation tracks.
    public private(set) var tracks = 0.0
    /// Seconds that the films would take with a machine for each part.
    public private(set) var shortest = 0.0

    /// How many times as fast as at once films are made at best; nil where none is known.
    public var gain: Double? { shortest > 0 ? (tracks + pictures) / shortest : nil }

    /// Adds up what was written down of films' parts: O(jobs), a file for each.
    ///
    /// - Parameters:
    ///   - jobs: of a batch; those that make no part of a film do not count.
    ///   - survey: what is known of them.
    public init(_ jobs: [BatchPlan.Job], _ survey: BatchSurvey) {
        let inParts = jobs.filter { $0.part != nil }
        for film in Dictionary(grouping: inParts, by: \.film).values {
            var times: [FilmPart.Kind: [Int: Double]] = [:]
            for job in film {
                guard let part = job.part, let seconds = survey.state(job.id)?.seconds else {
                    continue
                }
                times[part.kind, default: [:]][part.number] = seconds
            }
            if times.values.reduce(0, { $0 + $1.count }) == film.count { add(times) }
        }
    }

    private mutating func add(_ times: [FilmPart.Kind: [Int: Double]]) {
        func sum(_ kind: FilmPart.Kind) -> Double { (times[kind] ?? [:]).values.reduce(0, +) }
        films += 1
        parts += times[.pictures]?.count ?? 0
        pictures += sum(.pictures)
        checkpoints += sum(.state)
        tracks += sum(.track)
        var (begin, end) = (sum(.track), 0.0)
        for (number, seconds) in (times[.pictures] ?? [:]).sorted(by: { $0.key < $1.key }) {
            end = max(end, begin + seconds)
            begin += times[.state]?[number] ?? 0
        }
        shortest += end + sum(.film)
    }
}

extension JobState {
    /// How long it took; nil where it has not ended.
    fileprivate var seconds: Double? {
        guard let begin, let end else { return nil }
        return max(0, end - begin)
    }
}
