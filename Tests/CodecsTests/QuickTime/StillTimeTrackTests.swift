import Codecs
import Testing

@Suite struct StillTimeTrackTests {
    private static let identifier = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"

    private static func hex(_ text: String) -> [UInt8] {
        let digits = text.filter(\.isHexDigit).compactMap { $0.hexDigitValue }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    @Test func `the track has the bytes that readers know, for a still at 1,5 s of 600 counts`() {
        let wanted = Self.hex(
            """
            000002507472616b0000005c746b68640000000f00000000000000000000000300000000000003850000000000000000
            00000000000000000001000000000000000000000000000000010000000000000000000000000000400000000000000000000000
            000000306564747300000028656c7374000000000000000200000384ffffffff000100000000000100000000000100000000001474726566
            0000000c6364736300000001000001a86d646961000000206d646864000000000000000000000000000002580000000155c40000
            0000003468646c72000000006d686c726d6574616170706c000000000000000013436f7265204d65646961204d657461646174610000014c6d696e66
            00000020676d686400000018676d696e00000000004080008000800000000000
            0000002c68646c720000000064686c7275726c200000000000000000000000000b4461746148616e646c6572
            0000002464696e660000001c6472656600000000000000010000000c75726c2000000001
            000000d47374626c00000070737473640000000000000001000000606d6562780000000000000001000000506b6579730000004800000001
            000000306b6579646d647461636f6d2e6170706c652e717569636b74696d652e7374696c6c2d696d6167652d74696d6500000010647479700000000000000041
            000000187374747300000000000000010000000100000001
            0000001c737473630000000000000001000000010000000100000001
            000000147374737a000000000000000900000001
            000000147374636f000000000000000100107268
            """
        )
        let track = StillTimeTrack(
            trackID: 3,
            videoTrackID: 1,
            timescale: 600,
            stillTime: 900,
            sampleOffset: 0x107268
        )
        #expect(wanted.count == 592)
        #expect(track.box == wanted)
    }

    @Test func `cameras' layouts have 801 bytes, and 781 without what the track describes`() throws
    {
        var track = StillTimeTrack(
            trackID: 4,
            videoTrackID: 1,
            timescale: 600,
            stillTime: 540,
            sampleOffset: 4096,
            layout: .camera
        )
        #expect(track.box.count == 801)
        track.videoTrackID = nil
        #expect(track.box.count == 781)
        // A still at the beginning has no empty edit.
        track.stillTime = 0
        #expect(track.box.count == 769)
    }

    @Test func `the identifier's box has its 172 bytes and reads back, also in ISO's form`() throws
    {
        let box = MovieIdentifier.box(Self.identifier)
        let wanted = Self.hex(
            """
            000000ac6d6574610000002268646c7200000000000000006d64746100000000000000000000000000000000003e6b6579730000000000000001
            0000002e6d647461636f6d2e6170706c652e717569636b74696d652e636f6e74656e742e6964656e74696669657200000044696c7374
            0000003c000000010000003464617461
            0000000100000000
            """
        )
        #expect(box == wanted + Array(Self.identifier.utf8) && box.count == 172)
        let read = try Box.list(box)[0]
        #expect(try MovieIdentifier.read(read, box) == Self.identifier)
        let iso = [0, 0, 0, 176] + box[4..<8] + [0, 0, 0, 0] + box[8...]
        #expect(try MovieIdentifier.read(try Box.list(iso)[0], iso) == Self.identifier)
    }

    @Test func `boxes that do not fit are told with their path and place`() throws {
        let nested: [UInt8] =
            [0, 0, 0, 24] + Array("moov".utf8) + [0, 0, 0, 99] + Array("trak".utf8) + [
                1, 2, 3, 4, 5, 6, 7, 8,
            ]
        let moov = try Box.list(nested, origin: 1000)[0]
        let error = #expect(throws: CodecError.self) { try moov.children(nested) }
        let text = error?.description ?? ""
        #expect(text.contains("moov/trak") && text.contains("byte 1008") && text.contains("99"))
        for broken: [UInt8] in [
            [0, 0, 0, 4] + Array("moov".utf8), [0, 0, 0, 1] + Array("moov".utf8),
            [0, 0, 0, 1] + Array("moov".utf8) + [255, 255, 255, 255, 0, 0, 0, 0],
            [0, 0, 0, 8] + Array("free".utf8) + [1, 2, 3],
        ] {
            #expect(throws: CodecError.self) { try Box.list(broken) }
        }
        // A length of 0 reaches to the end.
        #expect(try Box.list([0, 0, 0, 0] + Array("mdat".utf8) + [1, 2])[0].body == 8..<10)
    }
}
