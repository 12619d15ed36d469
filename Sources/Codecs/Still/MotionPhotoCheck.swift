/// Looks whether a file is a Motion Photo: a still that says where in it a movie lies.
///
/// What is wrong is said in whole sentences; an empty list means that photo libraries will find the movie.
/// Source: Motion Photo 1.0 (developer.android.com/media/platform/motion-photo-format).
public struct MotionPhotoCheck: Sendable, Equatable {
    /// What is wrong.
    public private(set) var faults: [String] = []
    /// What does not keep the movie from being found.
    public private(set) var notes: [String] = []
    /// The movie's length in bytes, where it is where the file says.
    public private(set) var movieLength: Int?
    /// When the still is in the movie, in seconds, where that is told.
    public private(set) var stillTime: Double?

    /// The largest XMP packet that is read, in bytes.
    private static let packetLimit = 1 << 20

    /// Checks a file.
    ///
    /// - Parameter path: JPEG or HEIC.
    /// - Throws: `FileError` or `CodecError` for a file that cannot be read.
    public init(_ path: String) throws {
        let file = try FileBytes(path)
        guard file.count <= StillFile.byteLimit else {
            throw CodecError(
                call: "read",
                code: 0,
                text:
                    "it has \(file.count) bytes; stills of at most \(StillFile.byteLimit) are read",
                subject: path
            )
        }
        try self.init(try file.read(0..<file.count), name: path)
    }

    /// Checks a file that is in memory.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - name: its name, which is looked at too.
    /// - Throws: `CodecError` for a file that cannot be read.
    package init(_ bytes: [UInt8], name: String) throws {
        let still = try StillFile(bytes, name: name)
        guard still.kind != .png else {
            faults.append("it is a PNG, and Motion Photos are JPEG or HEIC")
            return
        }
        lookAtName(name)
        guard let packet = still.xmp else {
            faults.append("it has no XMP, which tells where the movie is")
            return
        }
        guard packet.count <= Self.packetLimit else {
            faults.append(
                "its XMP has \(packet.count) bytes; at most \(Self.packetLimit) are read"
            )
            return
        }
        let text = String(decoding: packet, as: UTF8.self)
        guard Self.value("MotionPhoto", in: text[...]) == "1" else {
            let isOld = Self.value("MicroVideo", in: text[...]) == "1"
            faults.append(
                isOld
                    ? "it is a MicroVideo, the form before Motion Photo 1.0"
                    : "its XMP does not say MotionPhoto=\"1\""
            )
            return
        }
        guard let item = Self.items(text).first(where: { $0.semantic == "MotionPhoto" }) else {
            faults.append("its XMP lists no item \"MotionPhoto\"")
            return
        }
        guard let length = item.length, length > 0, length < bytes.count else {
            faults.append(
                "its XMP says that the movie has \(item.length ?? 0) bytes, and the file has \(bytes.count)"
            )
            return
        }
        let start = bytes.count - length
        guard Box.name(bytes[min(start + 4, bytes.count)..<min(start + 8, bytes.count)]) == "ftyp"
        else {
            faults.append(
                "no movie begins \(length) bytes before the end, where its XMP says: it was cut or grew since"
            )
            return
        }
        movieLength = length
        let primary = Self.items(text).first { $0.semantic == "Primary" }
        try lookAtBorder(bytes, start, still.kind, padding: primary?.padding ?? 0)
        try lookAtMovie(
            bytes,
            start,
            name,
            told: Self.value("MotionPhotoPresentationTimestampUs", in: text[...])
        )
    }

    private mutating func lookAtName(_ name: String) {
        let parts = name.split(separator: "/").last.map(String.init) ?? name
        let stem = parts.lastIndex(of: ".").map { parts[..<$0] } ?? parts[...]
        if !stem.hasSuffix("MP") {
            notes.append("its name does not end in MP.jpg or MP.heic, by which some libraries look")
        }
    }

    /// Between still and movie lies nothing, or in a HEIC the head of the box that holds the movie.
    private mutating func lookAtBorder(
        _ bytes: [UInt8],
        _ start: Int,
        _ kind: StillFile.Kind,
        padding: Int
    ) throws {
        if kind == .jpeg {
            if padding != 0 { faults.append("its still's padding is \(padding), and 0 is right") }
            if start < 2 || bytes[start - 2] != 0xFF || bytes[start - 1] != 0xD9 {
                faults.append("the picture does not end where the movie begins")
            }
            return
        }
        let last = try Box.list(bytes).last
        guard let last, last.type == "mpvd", last.body.lowerBound == start else {
            faults.append("the movie is not what the last box, which must be mpvd, holds")
            return
        }
        let head = last.body.lowerBound - last.range.lowerBound
        if padding != head {
            faults.append("its still's padding is \(padding), and \(head) is right")
        }
    }

    private mutating func lookAtMovie(
        _ bytes: [UInt8],
        _ start: Int,
        _ name: String,
        told: String?
    ) throws {
        let movie = try MovieFile(FileBytes(bytes, name: name), from: Int64(start))
        guard try movie.tracks().contains(where: { $0.handler == "vide" }) else {
            faults.append("the movie has no video track")
            return
        }
        let clock = try movie.clock()
        let length = Double(clock.duration) / Double(clock.timescale)
        guard let time = told.flatMap(Double.init), time >= 0 else {
            notes.append("it does not tell when in the movie the still is: readers take the middle")
            return
        }
        stillTime = time / 1e6
        if time / 1e6 >= length {
            faults.append(
                "the still's time, \(time / 1e6) s, is outside the movie, which lasts \(length) s"
            )
        }
    }
}

/// As much of XMP as the two forms need in which programs write these properties: attributes and elements.
extension MotionPhotoCheck {
    private struct Item {
        let semantic: String
        let length: Int?
        let padding: Int?
    }

    /// The items of the directory, in their order.
    private static func items(_ text: String) -> [Item] {
        text.split(separator: "<rdf:li", maxSplits: 100).dropFirst().compactMap { part in
            guard let semantic = value("Semantic", in: part) else { return nil }
            return Item(
                semantic: semantic,
                length: value("Length", in: part).flatMap { Int($0) },
                padding: value("Padding", in: part).flatMap { Int($0) }
            )
        }
    }

    /// The value of a property, whatever its prefix: `:Name="value"` or `:Name>value<`.
    private static func value(_ name: String, in text: Substring) -> String? {
        let forms: [(opening: String, closing: Character)] = [
            (":\(name)=\"", "\""), (":\(name)='", "'"), (":\(name)>", "<"),
        ]
        for form in forms {
            guard let found = text.firstRange(of: form.opening) else { continue }
            return String(text[found.upperBound...].prefix { $0 != form.closing })
        }
        return nil
    }
}
