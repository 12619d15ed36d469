import Batch
import Graph
import Media

extension Command {
    /// `foxfire batch clean`: removes what is of no use any more.
    static let batchClean = Command(
        name: "batch clean",
        summary:
            "Remove what is known of jobs that are not in the batch any more, and parts of films that are made.",
        operands: [.batchFile],
        options: [.all],
        details: [
            "Outputs stay. With --all everything that is known of the batch goes, so that all jobs count as "
                + "never begun, and their outputs as files of somebody else."
        ],
        perform: { arguments in
            let loaded = try LoadedBatch(arguments.operands[0])
            let survey = try BatchSurvey(loaded.state)
            // What lies between the parts of a film that is made is of no use any more.
            let known = Set(
                loaded.plan.jobs
                    .filter { !$0.isIntermediate || !loaded.isFilmMade($0, survey) }
                    .map(\.id)
            )
            let isAll = arguments.has(.all)
            let held = survey.jobs.filter { survey.isHeld($0) }
            if isAll, !held.isEmpty {
                throw Failure(
                    .failed,
                    Message(
                        .error,
                        "held",
                        "\(held.count) jobs are being run",
                        hint: "\"foxfire batch cancel\" stops them"
                    )
                )
            }
            let gone = survey.jobs.filter { (isAll || !known.contains($0)) && !survey.isHeld($0) }
            try loaded.state.forget(Set(gone), all: isAll)
            if !isAll { try loaded.forgetParts(survey) }
            let arrays = SlurmEngine.submitted(loaded.state)
            let alive = Set(try Slurm.tasks(of: arrays).filter(\.isAlive).map(\.job))
            SlurmEngine.forget(arrays.filter { !alive.contains($0) }, in: loaded.state)
            StandardStreams.write(log: "foxfire: forgot \(gone.count) jobs\n")
            return .done
        }
    )
}

extension LoadedBatch {
    /// Removes what lies between the parts of films that are made, or are not in the batch any more.
    fileprivate func forgetParts(_ survey: BatchSurvey) throws(FileError) {
        let ofFilms = Dictionary(grouping: plan.jobs, by: \.film).values
        let needed = ofFilms.compactMap { jobs in
            guard let film = jobs.first(where: { !$0.isIntermediate }) else { return nil as JobID? }
            let isHeld = jobs.contains { survey.isHeld($0.id) }
            return isHeld || film.part != nil && !isFilmMade(film, survey) ? film.id : nil
        }
        try state.forgetParts(except: Set(needed))
    }
}
