import Codecs
import Foundation
import Graph
import Media
import Physarum
import TestSupport
import Testing

@testable import Nodes

/// The installed film graph, on the built-in track and small enough for a test.
@Suite struct FilmTests {
    private static let graph = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("graphs/film.json")

    /// Makes a film of some seconds of the built-in track.
    private func film(
        _ path: String,
        seconds: Range<Int>,
        size: String = "96x54",
        fps: String = "30",
        options: RunOptions = RunOptions(threads: 2)
    ) throws -> RunReport {
        let text = try String(contentsOf: Self.graph, encoding: .utf8)
        let cut = text.replacing(
            "\"path\": \"$input\" }",
            with: "\"path\": \"$input\", \"start\": \(seconds.lowerBound), "
                + "\"end\": \(seconds.upperBound) }"
        )
        #expect(cut != text)
        return try GraphRun.run(
            cut,
            values: [
                "input": "builtin:demo", "output": path, "size": size, "fps": fps, "seed": "7",
            ],
            options: options
        )
    }

    @Test func `it has both streams from 0 on, at a constant rate and the length designed`() throws
    {
        let folder = try TemporaryFolder()
        let path = folder.file("film.mp4")
        _ = try film(path, seconds: 0..<2)
        let streams = try Tools.ffprobe(
            path,
            "stream=codec_name,width,height,r_frame_rate,avg_frame_rate,start_time,nb_frames"
        )
        #expect(streams.map { $0["codec_name"] } == ["h264", "aac"])
        #expect(streams.allSatisfy { abs(Double($0["start_time"] ?? "") ?? 1) < 1e-6 })
        #expect(streams[0]["width"] == "96" && streams[0]["height"] == "54")
        #expect(streams[0]["r_frame_rate"] == "30/1" && streams[0]["avg_frame_rate"] == "30/1")
        #expect(streams[0]["nb_frames"] == "60")
        for stream in ["v", "a"] {
            let times = try Tools.ffprobe(path, "packet=dts_time", stream: stream)
                .compactMap { Double($0["dts_time"] ?? "") }
            #expect(!times.isEmpty && zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test func `its bytes do not depend on workers or capacities`() throws {
        let folder = try TemporaryFolder()
        var sums: Set<Data> = []
        for (threads, capacity) in [(1, 1), (1, 64), (2, 1), (8, 64)] {
            let name = "film-\(threads)-\(capacity).mp4"
            _ = try film(
                folder.file(name),
                seconds: 0..<1,
                size: "64x36",
                fps: "24",
                options: RunOptions(threads: threads, capacity: capacity)
            )
            sums.insert(try folder.bytes(name))
        }
        #expect(sums.count == 1)
    }

    @Test func `it is alive, and moves with the bass`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("film.mp4")
        // From the lead-in into the groove.
        _ = try film(path, seconds: 3..<9)
        let liveliness = try FilmLiveliness(path)
        #expect(liveliness.livingSeconds >= 0.95)
        let hits = try FilmLiveliness.bassTransients("builtin:demo", seconds: 3..<9, fps: 30)
        let correlation = liveliness.correlation(with: hits)
        #expect(correlation >= 0.3, "\(correlation)")
    }

    /// Set `FOXFIRE_TRACK` to any audio file to look at a film of all of it.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["FOXFIRE_FILM"] != nil))
    func `a film that was made is alive, and moves with its track's bass`() throws {
        let environment = ProcessInfo.processInfo.environment
        let path = try #require(environment["FOXFIRE_FILM"])
        let track = try #require(environment["FOXFIRE_TRACK"])
        let liveliness = try FilmLiveliness(path)
        let hits = try FilmLiveliness.bassTransients(track, seconds: nil, fps: liveliness.fps)
        let correlation = liveliness.correlation(with: hits)
        print("living seconds \(liveliness.livingSeconds), correlation \(correlation)")
        #expect(liveliness.livingSeconds >= 0.95)
        #expect(correlation >= 0.3)
    }
}

/// How much a film's pictures differ within themselves and from one to the next.
struct FilmLiveliness {
    /// Frames a second.
    let fps: Double
    /// The part of its seconds in which the first picture's luminance has a variance above 1e-3.
    let livingSeconds: Double
    /// Of each picture, the mean difference of luminance from the one before; the first has 0.
    let differences: [Double]

    init(_ path: String) throws {
        var reader = try MediaReader(path: path, options: ReadOptions(audio: .none))
        let rate = try #require(reader.info.videoFormat?.frameRate)
        fps = rate.perSecond
        var living = 0
        var seconds = 0
        var last: [UInt8] = []
        var differences: [Double] = []
        while case .video(let picture, _, _)? = try reader.next() {
            let plane = picture.format.planes[0]
            let luma = picture.bytes.withSpan { span in
                (0..<plane.stride * plane.height).map { span[plane.offset + $0] }
            }
            if differences.count % Int(fps.rounded()) == 0 {
                seconds += 1
                if Self.variance(luma) > 1e-3 { living += 1 }
            }
            differences.append(
                last.isEmpty
                    ? 0
                    : Double(zip(luma, last).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) })
                        / Double(luma.count)
            )
            last = luma
        }
        self.differences = differences
        livingSeconds = Double(living) / Double(max(seconds, 1))
    }

    /// The variance of luminance, black 0 and white 1.
    private static func variance(_ luma: [UInt8]) -> Double {
        let values = luma.map { (Double($0) - 16) / 219 }
        let mean = values.reduce(0, +) / Double(values.count)
        return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
    }

    /// Pearson's correlation of the differences with a value for each picture.
    func correlation(with values: [Double]) -> Double {
        let pairs = Array(zip(differences, values).dropFirst())
        let count = Double(pairs.count)
        let (meanX, meanY) = (
            pairs.reduce(0) { $0 + $1.0 } / count, pairs.reduce(0) { $0 + $1.1 } / count
        )
        var (xx, yy, xy) = (0.0, 0.0, 0.0)
        for (x, y) in pairs {
            xx += (x - meanX) * (x - meanX)
            yy += (y - meanY) * (y - meanY)
            xy += (x - meanX) * (y - meanY)
        }
        return xy / (xx * yy).squareRoot()
    }

    /// The bass transient at the time of each picture.
    static func bassTransients(_ track: String, seconds: Range<Int>?, fps: Double) throws
        -> [Double]
    {
        let name = UUID().uuidString
        let end =
            seconds.map { ", \"start\": \($0.lowerBound), \"end\": \($0.upperBound)" } ?? ""
        try GraphRun.run(
            """
            { "foxfire": 1, "nodes": {
                "track": { "kind": "source.media", "path": "\(track)"\(end) },
                "bands": { "kind": "analyze.bands", "from": "track.audio" },
                "sink": { "kind": "test.bands", "from": "bands", "name": "\(name)" } } }
            """,
            nodes: [BandsSink.entry]
        )
        let readings = BandsSink.readings(name)
        return stride(from: 0, to: Double(readings.count) / 240, by: 1 / fps).map { time in
            readings[min(Int(time * 240), readings.count - 1)]
        }
    }
}

/// Keeps the bass transients of a stream of readings.
struct BandsSink: Node {
    static let kind = "test.bands"
    static let execution = Execution.serial
    static let entry = CatalogueEntry(
        kind: kind,
        type: Self.self,
        summary: "Keeps readings for tests.",
        discussion: ""
    )
    private static let kept = Locked<[String: [Double]]>([:])

    static func readings(_ name: String) -> [Double] { kept.withLock { $0[name] ?? [] } }

    let bands: Input<AudioBands>
    let name: String

    init(_ c: inout Contract) {
        bands = c.input("bands", .inOrder, "Readings.")
        name = c.string("name", default: "", "Under which they are kept.")
    }

    mutating func run(_ io: inout IO) {
        while let packet = io.take(bands) {
            Self.kept.withLock { $0[name, default: []].append(packet.payload.transient.bass) }
        }
    }
}
