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

    /// `foxfire pair check`: whether two files are a pair, or one is a Motion Photo.
    static let pairCheck = Command(
        name: "pair check",
        summary: "Tell whether a still and a movie pair, or exactly why not.",
        operands: [
            Operand(
                name: "STILL",
                kind: .file,
                help: "The still, HEIC or JPEG; without a movie it must be a Motion Photo."
            ),
            Operand(
                name: "MOVIE",
                kind: .file,
                isOptional: true,
                help: "The movie: a QuickTime file."
            ),
        ],
        options: [.json],
        details: [
            "Of a pair is looked for: one identifier, equal in both, at the places where photo libraries look; "
                + "the track that marks the still's time, and a time within the movie; a QuickTime movie with "
                + "hvc1 or avc1; one shape. Of a Motion Photo: XMP that says where the movie is, a movie that "
                + "is there, up to the end of the file, and a still's time within it. The command ends with 1 "
                + "where something is wrong. Nothing is decoded and nothing is changed."
        ],
        examples: [
            (
                line: "foxfire pair check IMG_0001.HEIC IMG_0001.MOV",
                purpose: "Will Photos pair them?"
            ),
            (
                line: "foxfire pair check IMG_0001.MP.jpg",
                purpose: "Will the movie in it be found?"
            ),
        ],
        perform: { arguments in
            let still = arguments.operands[0]
            let findings =
                arguments.operands.count > 1
                ? try PairCheck(still: still, movie: arguments.operands[1])
                    .findings(still, arguments.operands[1])
                : try MotionPhotoCheck(still).findings(still)
            let text =
                arguments.has(.json)
                ? JSON.pretty(findings.json) : findings.lines.joined(separator: "\n") + "\n"
            let code = try arguments.deliver(text)
            return code == .done && !findings.faults.isEmpty ? .failed : code
        }
    )
}

/// What a check found, as it is told.
private struct Findings {
    let faults: [String]
    let notes: [String]
    /// The first line: where all is well, and where not.
    let well: String
    let ill: String
    /// The second line where all is well.
    let detail: String
    /// What JSON holds beside faults and notes.
    let members: [(String, JSON.Value?)]

    var lines: [String] {
        let head = faults.isEmpty ? ["OK: \(well)", "  \(detail)"] : ["\(ill):"]
        // A file can hold anything where its identifier should stand.
        return (head + faults.map { "  - \($0)" } + notes.map { "  note: \($0)" })
            .map { printable(String($0.prefix(1000))) }
    }

    var json: JSON.Value {
        .members(
            [("foxfire", .integer(1))]
                + members.compactMap { key, value in value.map { (key, $0) } }
                + [
                    ("faults", .list(faults.map { .string($0) })),
                    ("notes", .list(notes.map { .string($0) })),
                ]
        )
    }
}

extension PairCheck {
    fileprivate func findings(_ still: String, _ movie: String) -> Findings {
        let time = stillTime.map { ", still at \($0) s" } ?? ""
        return Findings(
            faults: faults,
            notes: notes,
            well: "\(still) and \(movie) are a pair",
            ill: "\(still) and \(movie) are no pair",
            detail: "identifier: \(identifier ?? "none")\(time)",
            members: [
                ("still", .string(still)), ("movie", .string(movie)),
                ("isPair", .boolean(faults.isEmpty)),
                ("contentIdentifier", identifier.map { .string($0) }),
                ("stillSeconds", stillTime.map { .real($0) }),
            ]
        )
    }
}

extension MotionPhotoCheck {
    fileprivate func findings(_ file: String) -> Findings {
        let time = stillTime.map { ", still at \($0) s" } ?? ""
        return Findings(
            faults: faults,
            notes: notes,
            well: "\(file) is a Motion Photo",
            ill: "\(file) is no Motion Photo",
            detail: "movie: \(movieLength ?? 0) bytes\(time)",
            members: [
                ("still", .string(file)), ("isMotionPhoto", .boolean(faults.isEmpty)),
                ("movieBytes", movieLength.map { .integer($0) }),
                ("stillSeconds", stillTime.map { .real($0) }),
            ]
        )
    }
}
