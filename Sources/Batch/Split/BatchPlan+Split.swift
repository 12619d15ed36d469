public import Media

extension BatchPlan {
    /// The same batch with the jobs that make its films in parts.
    ///
    /// Films keep their numbers; the jobs of their parts come behind them, each after those that it needs.
    ///
    /// - Parameters:
    ///   - counts: of each job, in how many parts its film is made; 1: at once.
    ///   - length: of a part.
    ///   - state: where what is in between is kept.
    /// - Returns: the plan.
    public func split(into counts: [Int], of length: MediaTime, state: StateFolder) -> BatchPlan {
        var films = jobs
        var parts: [Job] = []
        for (film, count) in zip(jobs, counts) where count > 1 {
            var numbers: [FilmPart.Kind: [Int: Int]] = [:]
            for part in FilmPart.all(count, length: length, folder: state.parts(of: film.id)) {
                let needs = part.needs.compactMap { numbers[$0.kind]?[$0.number] }
                if part.kind == .film {
                    films[film.number - 1] = Job(film.number, part, of: film, needs: needs)
                    continue
                }
                let number = jobs.count + parts.count + 1
                numbers[part.kind, default: [:]][part.number] = number
                parts.append(Job(number, part, of: film, needs: needs))
            }
        }
        return BatchPlan(jobs: films + parts)
    }
}

extension FilmPart {
    /// The parts of the same film whose outputs this one reads.
    fileprivate var needs: [(kind: Kind, number: Int)] {
        let before: [(kind: Kind, number: Int)] = number > 1 ? [(.state, number - 1)] : []
        return switch kind {
        case .track: []
        case .state, .pictures: [(.track, 1)] + before
        case .film: (1...count).map { (.pictures, $0) }
        }
    }
}

extension StateFolder {
    /// Where what lies between the parts of a film and the film is kept.
    ///
    /// - Parameter film: the film's job.
    /// - Returns: a folder's path; nothing need be there.
    public func parts(of film: JobID) -> String { "\(partsFolder)/\(film)" }

    private var partsFolder: String { "\(path)/parts" }

    /// Removes what lies between the parts of films and the films.
    ///
    /// - Parameter films: those of which it stays.
    /// - Throws: `FileError` when something cannot be removed.
    public func forgetParts(except films: Set<JobID>) throws(FileError) {
        for name in Folder.entries(of: partsFolder) {
            guard let film = JobID(name), !films.contains(film) else { continue }
            try Self.removeTree("\(partsFolder)/\(name)")
        }
    }
}
