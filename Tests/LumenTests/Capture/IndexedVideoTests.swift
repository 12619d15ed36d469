import Codecs
import Media
import TestSupport
import Testing

@testable import Lumen

@Suite struct IndexedVideoTests {
    private static let fixture = Result { try HEVCFixture(frames: 40, "keyint=20:open-gop=0") }

    private static func index(_ units: [HEVCAccessUnit], incomplete: Set<Int> = []) -> [String] {
        var offset = 0
        return units.enumerated().map { number, unit in
            defer { offset += unit.bytes.count }
            let flags = unit.isRandomAccess ? "0x5" : "0x1"
            return "\(offset) \(unit.bytes.count) \(flags) \(incomplete.contains(number) ? 0 : 1)"
        }
    }

    private func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    @Test func `units are those of the byte stream, with their flags`() throws {
        let fixture = try Self.fixture.get()
        let lines = ["# made by a test", ""] + Self.index(fixture.units)
        let found = try Capture(fixture.bytes, index: text(lines)).pictures()
        #expect(found.map(\.picture.bytes) == fixture.units.map(\.bytes))
        #expect(found.first?.picture.stamp.flags == 5 && found.last?.picture.stamp.flags == 1)
        let bare = try Capture(fixture.bytes).pictures()
        #expect(bare.map(\.picture.bytes) == found.map(\.picture.bytes))
    }

    @Test func `numbers may be hexadecimal, and lines end in CR LF`() {
        #expect(IndexEntry("0x10 0x2A 7 1") == IndexEntry("16 42 0x7 1"))
        for line in [
            "1 2 3", "1 2 3 4", "-1 2 3 1", "+1 2 3 1", "1 2 0x 1", "1 2 3 1 1", "a b c d",
        ] {
            #expect(IndexEntry(line) == nil, "\(line)")
        }
    }

    @Test func `a unit that did not come whole damages what refers to it`() throws {
        let fixture = try Self.fixture.get()
        let lines = Self.index(fixture.units, incomplete: [7])
        let capture = try Capture(fixture.bytes, index: text(lines))
        let found = try capture.decode().map(\.hash)
        #expect(found == Array(fixture.pictures[..<7] + fixture.pictures[20...]))
        let interval = try #require(capture.reader.report.intervals.first)
        #expect(interval.first == 7 && interval.last == 19 && interval.withheld == 13)
        #expect(interval.cause == "not all of it came")
    }

    @Test func `what a kill left of the last line is passed over`() throws {
        let fixture = try Self.fixture.get()
        for tail in ["12", "999999 12", "9 9 9 9 9", ""] {
            let lines = Self.index(fixture.units).dropLast()
            let capture = try Capture(fixture.bytes, index: text(Array(lines)) + tail)
            // The last unit stands behind the index, and is read without it.
            #expect(try capture.decode().map(\.hash) == fixture.pictures, "\(tail)")
        }
    }

    @Test func `wrong lines are refused with their number`() throws {
        let fixture = try Self.fixture.get()
        let lines = Self.index(fixture.units)
        for (number, line, text) in [
            (5, "nonsense", "line 5 is not"), (3, "0 10 1 1", "line 3 begins at 0, within"),
            (9, "999999 999999999 1 1", "line 9 names a unit of 999999999 bytes"),
        ] {
            var wrong = lines
            wrong[number - 1] = line
            let capture = Result { try Capture(fixture.bytes, index: self.text(wrong)).items() }
            let error = #expect(throws: CodecError.self) { try capture.get() }
            #expect(error?.description.contains(text) == true, "\(text)")
        }
        #expect(throws: CodecError.self) { try Capture(fixture.bytes, index: "# nothing\n") }
    }

    @Test func `data that ends before its index keeps what is there`() throws {
        let fixture = try Self.fixture.get()
        let cut = fixture.units.prefix(30).reduce(0) { $0 + $1.bytes.count } + 10
        let capture = try Capture(
            Array(fixture.bytes[..<cut]),
            index: text(Self.index(fixture.units))
        )
        #expect(try capture.decode().map(\.hash) == Array(fixture.pictures[..<30]))
        #expect(capture.reader.report[.damaged] == 1)
    }
}
