import Codecs
import Media
import Testing

@testable import Lumen

/// A capture in memory.
struct Capture {
    let reader: CaptureReader

    init(_ bytes: [UInt8], index: String? = nil, rate: Rate? = nil, name: String = "test.h265")
        throws
    {
        reader = try CaptureReader(
            MemorySource(bytes, name: name),
            index: index.map { MemorySource(Array($0.utf8), name: name + ".idx") },
            rate: rate
        )
    }

    /// A picture that was decoded: its access unit, when it is shown, and the SHA-256 of its planes.
    struct Decoded {
        let unit: [UInt8]
        let time: MediaTime
        let hash: String
        let format: VideoFormat
    }

    /// All that the capture gives.
    func items() throws -> [CaptureItem] {
        var items: [CaptureItem] = []
        while let item = try reader.next() { items.append(item) }
        return items
    }

    /// All of its pictures, exact or not.
    func pictures() throws -> [TimedPicture] {
        try items().compactMap { if case .picture(let picture) = $0 { picture } else { nil } }
    }

    /// All of its audio.
    func packets() throws -> [TimedPacket] {
        try items().compactMap { if case .audio(let packet) = $0 { packet } else { nil } }
    }

    /// Decodes the pictures that are admitted, as they come, and hashes them.
    func decode() throws -> [Decoded] {
        let admitted = try pictures().filter { $0.picture.verdict == .admitted }
        var result: [Decoded] = []
        var start = 0
        while start < admitted.count {
            let form = admitted[start].picture.form
            let end = admitted[start...].firstIndex { $0.picture.form != form } ?? admitted.count
            result += try Self.decode(Array(admitted[start..<end]))
            start = end
        }
        return result
    }

    private static func decode(_ pictures: [TimedPicture]) throws -> [Decoded] {
        let form = try #require(pictures.first?.picture.form)
        let format = EncodedFormat(
            codec: form.codec,
            content: .video(form.format, frameRate: nil),
            configuration: form.configuration
        )
        var decoder = try VideoDecoder(format)
        var result: [Decoded] = []
        func take(_ decoder: inout VideoDecoder) throws {
            while let found = try decoder.next({ Issue.record("\($0)") }) {
                var hash = SHA256()
                found.picture.bytes.withSpan { hash.update($0) }
                let timed = pictures[Int(found.number)]
                result.append(
                    Decoded(
                        unit: timed.picture.bytes,
                        time: timed.time,
                        hash: hash.hexDigest(),
                        format: found.picture.format
                    )
                )
            }
        }
        for (index, timed) in pictures.enumerated() {
            let packet = EncodedPacket(
                format: format,
                bytes: Writable(copying: timed.picture.bytes),
                presentationTime: timed.time
            )
            let fault = try decoder.send(packet, number: Int64(index))
            #expect(fault == nil)
            try take(&decoder)
        }
        _ = try decoder.send(nil)
        try take(&decoder)
        return result
    }
}
