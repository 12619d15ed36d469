import Graph
import Media

/// Where a writer of stills puts them: one file for the first picture, or a numbered sequence for all.
struct PictureFiles {
    let path: OutputPath
    /// The first file's number.
    let first: Int64

    /// Declares `path` and `first`.
    ///
    /// - Parameters:
    ///   - c: the node's contract.
    ///   - ending: as in `png`, for examples.
    ///   - endings: those that a path may have; none for any.
    init(_ c: inout Contract, ending: String, endings: [String] = []) {
        path = c.outputPath(
            "path",
            sequence: true,
            example: "frame-%06d.\(ending)",
            "One file, or a sequence with its number's place, as in \"frame-%06d.\(ending)\"."
        )
        first = Int64(
            c.integer("first", default: 0, in: 0...1_000_000_000, .none, "The first file's number.")
        )
        c.require(
            !path.isStandardOutput,
            "path",
            "must be a file: this node does not write to stdout"
        )
        let name = path.path.lowercased()
        c.require(
            endings.isEmpty || endings.contains { name.hasSuffix("." + $0) },
            "path",
            "must end in " + endings.map { "." + $0 }.joined(separator: " or ")
        )
    }

    /// Writes what waits at an input.
    ///
    /// - Parameters:
    ///   - io: gives the pictures.
    ///   - video: the input.
    ///   - encode: makes a file of a picture.
    /// - Throws: what `encode` throws, and `FileError`.
    func write(
        _ io: inout IO,
        _ video: Input<VideoFrame>,
        encode: (VideoFrame) throws -> [UInt8]
    ) throws {
        while let packet = io.take(video) {
            // Copies of a node may take later pictures, but only one of them gets the first.
            if path.isSequence || packet.index == 0 {
                let bytes = try encode(packet.payload)
                let file = try io.environment.outputs.open(name(of: packet.index))
                try file.write(bytes.span)
                try file.seal()
            }
            if !path.isSequence { return io.enough(video) }
        }
    }

    private func name(of index: Int64) -> String {
        guard path.isSequence else { return path.path }
        guard let name = OutputPath.name(of: first + index, in: path.path) else {
            preconditionFailure("A sequence's pattern was checked when declared.")
        }
        return name
    }
}
