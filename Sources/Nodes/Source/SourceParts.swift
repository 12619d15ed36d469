import Codecs
import Graph
import Media

/// Reads the pictures of a film that was made in parts, one part after the other, without decoding them.
///
/// What comes out are the parts' packets, byte for byte. All parts must have been encoded alike, at a
/// constant rate, and each begin where the one before ended: the first at time 0. A file's clock may
/// have rounded times; they are those of whole frames again.
///
/// Memory: one packet, and a part's index. Deterministic.
struct SourceParts: Node, ~Copyable {
    static let kind = "source.parts"
    static let execution = Execution.blocking
    /// Packets in one run.
    private static let burst = 32

    let video: Output<EncodedPacket>
    let paths: [InputFile]
    /// What the parts are, as the first one says.
    private var stream: (format: EncodedFormat, rate: Rate)?
    private var reader: PacketReader?
    /// The part that comes next.
    private var part = 0
    /// Whether the next packet is a part's first.
    private var isAtStart = false
    /// Packets so far.
    private var count: Int64 = 0

    init(_ c: inout Contract) {
        video = c.output("video", "The access units of all parts.")
        paths = c.list(
            "parts",
            example: [["path": "part-1.mp4"], ["path": "part-2.mp4"]],
            "The parts, in their order."
        ) {
            $0.inputFile("path", example: "part-1.mp4", "A movie, as write.movie makes it.")
        }
        c.require(!paths.isEmpty, "parts", "must name at least one")
        c.require(!paths.contains(where: \.isStandardInput), "parts", "must be files")
    }

    func resolve(_ f: inout Formats) throws {
        guard let first = paths.first else { return }
        let part = try PacketReader(path: first.path)
        f.set(video, part.format, rate: part.frameRate)
    }

    mutating func run(_ io: inout IO) throws {
        for _ in 0..<Self.burst {
            if reader == nil {
                guard part < paths.count else { return io.end() }
                try open(paths[part].path)
            }
            guard let (format, rate) = stream, let unit = try reader?.next(as: format, at: rate)
            else {
                reader = nil
                part += 1
                continue
            }
            if isAtStart { try check(unit.packet.presentationTime, rate) }
            isAtStart = false
            count += 1
            io.emit(unit, on: video)
        }
        io.more()
    }

    private mutating func open(_ path: String) throws {
        let reader = try PacketReader(path: path)
        let (format, rate) = stream ?? (reader.format, reader.frameRate)
        guard reader.format.codec == format.codec,
            reader.format.configuration == format.configuration
        else {
            throw Problem(
                .format,
                "\(path) was encoded unlike \(paths[0].path)",
                pointer: "/parts",
                hint: "parts of a film are made by the same graph and the same version"
            )
        }
        stream = (format, rate)
        isAtStart = true
        self.reader = consume reader
    }

    /// That a part begins where the one before ended.
    private func check(_ start: MediaTime, _ rate: Rate) throws {
        let end = rate.time(of: count)
        if start == end { return }
        throw Problem(
            .format,
            "\(paths[part].path) begins at \(start), where the part before ended at \(end)",
            pointer: "/parts",
            hint: "name all parts of the film, in their order"
        )
    }
}
