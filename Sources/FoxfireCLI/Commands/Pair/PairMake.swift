import Codecs
import Graph
import Media

extension Option {
    static let at = Option(
        "--at",
        value: .text("TIME"),
        purpose: "When in the video the still is, as in 1:30 or 2.5s; without it in its middle."
    )
    static let duration = Option(
        "--duration",
        value: .text("TIME"),
        purpose: "How long the movie is, 0.5 to 8 s (default 2s)."
    )
    static let still = Option(
        "--still",
        value: .words(["heic", "jpeg"]),
        purpose: "What the still is (default heic)."
    )
    static let uuid = Option(
        "--uuid",
        value: .text("UUID"),
        purpose:
            "Names the pair: a UUID, \"random\", or \"derived\" from what it holds (the default)."
    )
    static let pairName = Option(
        "-o",
        value: .file("NAME"),
        purpose: "The pair's name: IMG_0001 becomes IMG_0001.HEIC and IMG_0001.MOV."
    )
    static let pvt = Option(
        "--pvt",
        purpose: "Also write NAME.pvt, a folder of both, which AirDrop sends as one Live Photo."
    )
}

extension Command {
    /// `foxfire pair make`: a pair out of a video.
    static let pairMake = Command(
        name: "pair make",
        summary: "Make a Live Photo out of any video.",
        operands: [
            Operand(name: "VIDEO", kind: .file, help: "A video file, with sound or without.")
        ],
        options: [
            .pairName, .at, .duration, .still, .uuid, .pvt, .replace, .keep, .progress,
            .errorsAsJSON,
        ],
        details: [
            "The graph is that of \"foxfire run live-photo-from-video\". The still is the video's own picture "
                + "at --at; the movie lies around it, as far as the video reaches. Only that part of the video is "
                + "decoded.",
            "Two loose files never pair in the Files app of a phone: send the .pvt folder by AirDrop, import "
                + "both into Photos on a Mac, or upload both to a photo server.",
        ],
        examples: [
            (
                line: "foxfire pair make clip.mp4 --at 12.5s -o IMG_0001",
                purpose: "A pair of the picture at 12.5 s and the two seconds around it."
            )
        ],
        perform: { arguments in try PairMaking(arguments).perform() }
    )
}

/// One `foxfire pair make`.
private struct PairMaking {
    let arguments: Arguments
    let name: String

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        guard let name = arguments.text(.pairName) else {
            throw UsageError(text: "\"-o\" is missing: the pair's name", hint: "-o IMG_0001")
        }
        if name == "-" { throw UsageError(text: "a pair is two files, and cannot go to stdout") }
        self.name = name
    }

    private var ending: String { arguments.text(.still) == "jpeg" ? "JPG" : "HEIC" }

    /// The name without an ending that the pair's files have.
    private var stem: String {
        for ending in [ending, "MOV"]
        where name.lowercased().hasSuffix(".\(ending.lowercased())") {
            return String(name.dropLast(ending.count + 1))
        }
        return name
    }

    func perform() throws -> ExitCode {
        let folder = PairFolder(stem: stem)
        if arguments.has(.pvt) { try folder.prepare(replaces: arguments.has(.replace)) }
        let code = try RunJob(try graphArguments()).perform()
        if arguments.has(.pvt) {
            // Where HEIC cannot be encoded the still is a JPEG.
            let endings = [ending, "JPG"].filter { Folder.kind(of: "\(stem).\($0)") == .file }
            try folder.write([endings.first ?? ending, "MOV"].map { "\(stem).\($0)" })
        }
        return code
    }

    private func graphArguments() throws -> Arguments {
        var graph = Arguments()
        graph.operands = ["live-photo-from-video"]
        var values = [("input", arguments.operands[0]), ("output", name)]
        for option in [Option.duration, .still, .uuid] {
            guard let text = arguments.text(option) else { continue }
            // The options are called like the graph's variables.
            values.append((String(option.name.dropFirst(2)), text))
        }
        values.append(("at", try arguments.text(.at) ?? middle()))
        graph.settings = values.map { Arguments.Setting(name: $0, value: $1) }
        graph.switches = arguments.switches.intersection([.replace, .keep, .errorsAsJSON])
        graph.values[.progress] = arguments.values[.progress]
        return graph
    }

    /// The middle of the video.
    private func middle() throws -> String {
        let path = arguments.operands[0]
        guard path != "-" else {
            throw UsageError(text: "\"--at\" is missing: the length of a stream is not known")
        }
        guard let length = try MediaInfo(probing: path).duration else {
            throw UsageError(text: "\"--at\" is missing: \(path) does not tell its length")
        }
        return "\(length.seconds / 2)s"
    }
}

/// The folder that AirDrop sends as one Live Photo: both files, and a list that says what they are.
private struct PairFolder {
    let path: String

    init(stem: String) { path = stem + ".pvt" }

    /// Refuses to replace one that is there, before anything is made.
    func prepare(replaces: Bool) throws {
        guard Folder.kind(of: path) != .nothing else { return }
        guard replaces, Folder.kind(of: path) == .folder else {
            throw Failure(
                .failed,
                Message(.error, "exists", "\(path) exists", hint: "-y replaces a folder")
            )
        }
    }

    /// Copies files into it; an older folder is replaced at the end.
    func write(_ files: [String]) throws {
        let part = "\(path).part"
        try Self.removeFolder(part)
        try Folder.create(part)
        for file in files {
            let copy = try OutputFile(path: "\(part)/\(Folder.name(of: file))")
            let source = try FileSource(path: file)
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            while true {
                var target = buffer.mutableSpan
                let count = try source.read(into: &target)
                if count == 0 { break }
                try copy.write(buffer.span.extracting(0..<count))
            }
            try copy.commit()
        }
        try TextFile.write(Self.list, to: "\(part)/metadata.plist")
        try Self.removeFolder(path)
        try Folder.rename(part, to: path)
    }

    private static func removeFolder(_ path: String) throws {
        guard Folder.kind(of: path) == .folder else { return }
        for name in try Folder.list(path) { try Folder.remove("\(path)/\(name)") }
        try Folder.remove(path)
    }

    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>PFVideoComplementMetadataVersionKey</key>
        \t<string>1</string>
        </dict>
        </plist>

        """
}
