import Codecs
import Graph
import Media

extension Command {
    /// `foxfire pair`: motion-plus-still pairs.
    static let pair = Command.group(
        "pair",
        summary: "Make and check pairs of a still and a movie (Live Photos).",
        details: [
            "A Live Photo is two files: a still (HEIC or JPEG) and a QuickTime movie that carry the same "
                + "identifier. Copies and edits often lose it, and libraries then show two things instead of one."
        ],
        actions: [.pairMake, .pairCheck]
    )

    /// `foxfire pair check`: whether two files are a pair.
    static let pairCheck = Command(
        name: "pair check",
        summary: "Tell whether a still and a movie pair, or exactly why not.",
        operands: [
            Operand(name: "STILL", kind: .file, help: "The still: HEIC or JPEG."),
            Operand(name: "MOVIE", kind: .file, help: "The movie: a QuickTime file."),
        ],
        options: [.json],
        details: [
            "Looked for: one identifier, equal in both, at the places where photo libraries look; the track "
                + "that marks the still's time, and a time within the movie; a QuickTime movie with hvc1 or "
                + "avc1; one shape. The command ends with 1 where the two do not pair. Nothing is decoded and "
                + "nothing is changed."
        ],
        examples: [
            (
                line: "foxfire pair check IMG_0001.HEIC IMG_0001.MOV",
                purpose: "Will Photos pair them?"
            )
        ],
        perform: { arguments in
            let (still, movie) = (arguments.operands[0], arguments.operands[1])
            let check = try PairCheck(still: still, movie: movie)
            let text =
                arguments.has(.json)
                ? JSON.pretty(check.json(still, movie))
                : check.lines(still, movie).joined(separator: "\n") + "\n"
            let code = try arguments.deliver(text)
            return code == .done && !check.faults.isEmpty ? .failed : code
        }
    )
}

extension PairCheck {
    fileprivate func lines(_ still: String, _ movie: String) -> [String] {
        let time = stillTime.map { ", still at \($0) s" } ?? ""
        let head =
            faults.isEmpty
            ? [
                "OK: \(still) and \(movie) are a pair",
                "  identifier: \(identifier ?? "none")\(time)",
            ]
            : ["\(still) and \(movie) are no pair:"]
        // A file can hold anything where its identifier should stand.
        return (head + faults.map { "  - \($0)" } + notes.map { "  note: \($0)" })
            .map { printable(String($0.prefix(1000))) }
    }

    fileprivate func json(_ still: String, _ movie: String) -> JSON.Value {
        .record([
            "foxfire": 1,
            "still": .string(still),
            "movie": .string(movie),
            "isPair": .boolean(faults.isEmpty),
            "contentIdentifier": identifier.map { .string($0) },
            "stillSeconds": stillTime.map { .real($0) },
            "faults": .list(faults.map { .string($0) }),
            "notes": .list(notes.map { .string($0) }),
        ])
    }
}
