import Batch

extension Command {
    /// `foxfire batch report`: a page of all jobs.
    static let batchReport = Command(
        name: "batch report",
        summary: "Make a page of all jobs, with pictures, times and what failed.",
        operands: [.batchFile],
        options: [.output, .replace, .keep],
        details: [
            "The page is one HTML file that needs no network. Jobs can be sorted and filtered; each shows its "
                + "output's picture, how long its nodes worked, and of a failed one the end of its log."
        ],
        examples: [
            (line: "foxfire batch report films.json -o report.html", purpose: "Look at all films.")
        ],
        perform: { arguments in
            let loaded = try LoadedBatch(arguments.operands[0])
            let page = BatchPage(loaded: loaded, survey: try BatchSurvey(loaded.state))
            let text = page.text
            // The page's path is the user's, and starts from where the user is.
            try loaded.leave()
            return try arguments.deliver(text)
        }
    )
}
