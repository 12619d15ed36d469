/// The timed metadata track that marks the moment of a pair's still: `still-image-time`.
///
/// Its only sample lies behind an empty edit, and the edit's length is the still's time. The bytes follow those
/// that cameras write. Source: QuickTime File Format Specification, "Timed Metadata Media".
package struct StillTimeTrack: Sendable {
    /// Who describes the data, which differs between writers.
    package enum Layout: Sendable {
        /// References as `url `, as most writers have them.
        case plain
        /// References as `alis`, and three keys, as cameras have them.
        case camera
    }

    /// The key of the moment.
    package static let key = "com.apple.quicktime.still-image-time"
    /// The only sample: its length, the key's number, and -1, which cameras write.
    package static let sample: [UInt8] = [0, 0, 0, 9, 0, 0, 0, 1, 0xFF]

    /// The track's number.
    package var trackID: Int
    /// The video's number; nil: the track does not say what it describes.
    package var videoTrackID: Int?
    /// Counts a second of the movie.
    package var timescale: Int
    /// When the still is, in counts of the movie.
    package var stillTime: Int
    /// Where the sample lies in the file.
    package var sampleOffset: Int
    /// Whose layout.
    package var layout = Layout.plain

    /// Says what most tracks need.
    package init(
        trackID: Int,
        videoTrackID: Int?,
        timescale: Int,
        stillTime: Int,
        sampleOffset: Int,
        layout: Layout = .plain
    ) {
        self.trackID = trackID
        self.videoTrackID = videoTrackID
        self.timescale = timescale
        self.stillTime = stillTime
        self.sampleOffset = sampleOffset
        self.layout = layout
    }

    /// The `trak` box: 592 bytes in the plain layout with an empty edit and a reference.
    package var box: [UInt8] {
        .box(
            "trak",
            header,
            .box("edts", .box("elst", edits)),
            videoTrackID.map { .box("tref", .box("cdsc", .words($0))) } ?? [],
            .box(
                "mdia",
                .box("mdhd", .words(0, 0, 0, timescale, 1), [0x55, 0xC4, 0, 0]),
                handler("mhlr", "meta", "appl", "Core Media Metadata"),
                .box(
                    "minf",
                    .box(
                        "gmhd",
                        .box("gmin", .words(0), [0, 0x40, 0x80, 0, 0x80, 0, 0x80, 0, 0, 0, 0, 0])
                    ),
                    layout == .plain
                        ? handler("dhlr", "url ", "\0\0\0\0", "DataHandler")
                        : handler("dhlr", "alis", "appl", "Core Media Data Handler"),
                    .box(
                        "dinf",
                        .box(
                            "dref",
                            .words(0, 1),
                            .box(layout == .plain ? "url " : "alis", .words(1))
                        )
                    ),
                    samples
                )
            )
        )
    }

    private var header: [UInt8] {
        var matrix: [UInt8] = []
        for value in [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000] { matrix.put32(value) }
        return .box(
            "tkhd",
            .words(0xF, 0, 0, trackID, 0, stillTime + 1, 0, 0, 0, 0),
            matrix,
            .words(0, 0)
        )
    }

    private var edits: [UInt8] {
        let shown: [UInt8] = .words(1, 0, 0x10000)
        return stillTime == 0
            ? .words(0, 1) + shown : .words(0, 2, stillTime, -1, 0x10000) + shown
    }

    private func handler(_ type: String, _ kind: String, _ maker: String, _ name: String) -> [UInt8]
    {
        .box(
            "hdlr",
            .words(0),
            Array((type + kind + maker).utf8),
            .words(0, 0),
            [UInt8(name.utf8.count)] + Array(name.utf8)
        )
    }

    /// A key's number, its name and the kind of its value.
    private func entry(_ number: Int, _ key: String, _ type: Int) -> [UInt8] {
        let parts: [UInt8] =
            .box("keyd", Array("mdta".utf8), Array(key.utf8)) + .box("dtyp", .words(0, type))
        return .words(8 + parts.count, number) + parts
    }

    private var samples: [UInt8] {
        // 65 is a byte with a sign, 83 a transform of nine doubles, 71 a size of two floats.
        var keys = entry(1, Self.key, 65)
        if layout == .camera {
            let transform = "com.apple.quicktime.live-photo-still-image-transform"
            keys += entry(2, transform, 83) + entry(3, transform + "-reference-dimensions", 71)
        }
        return .box(
            "stbl",
            .box("stsd", .words(0, 1), .box("mebx", [0, 0, 0, 0, 0, 0, 0, 1], .box("keys", keys))),
            .box("stts", .words(0, 1, 1, 1)),
            .box("stsc", .words(0, 1, 1, 1, 1)),
            .box("stsz", .words(0, layout == .plain ? Self.sample.count : 105, 1)),
            .box("stco", .words(0, 1, sampleOffset))
        )
    }
}
