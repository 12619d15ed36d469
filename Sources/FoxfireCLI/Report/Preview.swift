import Codecs
import Foundation
import Graph
import Media
import Nodes

/// Small pictures of outputs, for reports.
enum Preview {
    /// What kind of file an output is, by its name.
    enum Kind {
        case still, film, sound, picture, other

        init(_ path: String) {
            let name = Folder.name(of: path).lowercased()
            let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...] } ?? ""
            switch ending {
            case "png", "jpg", "jpeg", "heic", "heif": self = .still
            case "mp4", "mov", "mkv", "m4v", "webm": self = .film
            case "wav", "mp3", "m4a", "mka", "flac", "opus", "ogg": self = .sound
            case "svg", "gif": self = .picture
            default: self = .other
            }
        }
    }

    /// A still, or a film's picture a third of its length in, as JPEG.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - height: of the JPEG, at most that of the picture.
    /// - Returns: nil where there is nothing to be seen.
    static func thumbnail(_ path: String, height: Int) -> [UInt8]? {
        let frame: VideoFrame?
        switch Kind(path) {
        case .still: frame = still(path)
        case .film: frame = picture(of: path)
        case .sound, .picture, .other: frame = nil
        }
        return frame.flatMap { try? jpeg($0, height: height) }
    }

    private static func still(_ path: String) -> VideoFrame? {
        guard let bytes = try? FileContents.read(path, limit: 256 << 20) else { return nil }
        return try? StillPicture.decode(bytes, name: path).picture
    }

    private static func picture(of path: String) -> VideoFrame? {
        guard let info = try? MediaInfo(probing: path) else { return nil }
        let third = (info.duration?.seconds ?? 0) / 3
        let start = MediaTime(Int64(third * 1000), 1000)
        let options = ReadOptions(start: start, audio: .none, video: .best, threads: 1)
        guard var reader = try? MediaReader(path: path, options: options) else { return nil }
        while let decoded = try? reader.next() {
            if case .video(let frame, _, _) = decoded { return frame }
        }
        return nil
    }

    private static func jpeg(_ frame: VideoFrame, height: Int) throws -> [UInt8] {
        let source = frame.format
        let scale = min(1, Double(height) / Double(source.height))
        let target = VideoFormat(
            width: max(1, Int((Double(source.width) * scale).rounded())),
            height: max(1, Int((Double(source.height) * scale).rounded())),
            layout: .rgb24,
            color: .sRGB
        )
        var scaler = try Scaler(from: source, to: target)
        return try JPEGEncoder(quality: 72).encode(scaler.convert(frame))
    }

    /// A sound over time, and its bands and beats, as PNG files drawn by the plot nodes.
    ///
    /// - Parameter path: a file with sound.
    /// - Returns: the pictures that could be drawn.
    static func plots(_ path: String) -> [(title: String, png: [UInt8])] {
        let graph = """
            {"foxfire": 1, "variables": {
                "input": {"type": "file"}, "wave": {"type": "output"}, "bands": {"type": "output"}},
             "nodes": {
                "in": {"kind": "source.media", "path": "$input"},
                "wave": {"kind": "plot.waveform", "from": "in.audio", "path": "$wave", "width": 1200, "height": 120},
                "bands": {"kind": "analyze.bands", "from": "in.audio"},
                "beats": {"kind": "analyze.beats", "from": "in.audio"},
                "plot": {"kind": "plot.modulation", "from": {"bands": "bands", "beats": "beats"},
                    "path": "$bands", "width": 1200}}}
            """
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "foxfire-report-\(UUID().uuidString)").path()
        guard (try? Folder.create(folder)) != nil else { return [] }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let files = ["wave": "\(folder)/wave.png", "bands": "\(folder)/bands.png"]
        let outcome = GraphCheck.plan(
            text: Array(graph.utf8),
            file: "preview",
            values: files.merging(["input": path]) { $1 },
            catalogue: nodeCatalogue,
            options: GraphCheck.Options(mayReadStandardInput: false, version: foxfireVersion)
        )
        guard let plan = outcome.plan,
            (try? Engine(plan, RunOptions(threads: MachineLimits.cores)).run()) != nil
        else { return [] }
        return [("Waveform", "wave"), ("Bands and beats", "bands")].compactMap { title, name in
            files[name].flatMap { try? FileContents.read($0, limit: 64 << 20) }.map { (title, $0) }
        }
    }
}
