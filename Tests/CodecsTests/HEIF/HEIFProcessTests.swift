import Foundation
import Media
import TestSupport
import Testing

@testable import Codecs

@Suite struct HEIFProcessTests {
    /// What comes of a decoder that does what a line of shell says.
    private func outcome(_ line: String) throws -> String {
        let folder = try TemporaryFolder()
        let path = folder.file("foxfire")
        // Written by another process: while this one had it open, a test that starts a program at the same time
        // would hand it on, and nobody could run it ("text file busy").
        try Tools.run(
            "sh",
            ["-c", "cat >\"$0\" && chmod 755 \"$0\"", path],
            input: Data("#!/bin/sh\n\(line)\n".utf8)
        )
        do {
            let bytes = [UInt8](repeating: 7, count: 3 << 20)
            let picture = try HEIFProcess.decode(bytes, name: "a.heic", by: path)
            return "\(picture.format.width)x\(picture.format.height)"
        } catch {
            return "\(error)"
        }
    }

    @Test(
        arguments: [
            ("kill -SEGV $$", "a.heic: decoding it crashed (signal 11)"),
            ("exit 3", "it cannot be decoded"), ("echo 'no meta box' >&2; exit 1", "no meta box"),
            ("echo short", "half a picture"), ("cat", "half a picture"),
            ("head -c 30000000 /dev/zero", "half a picture"),
            ("head -c 30000000 /dev/zero >&2; exit 1", "a.heic"),
            ("exec 0<&- 1>&- 2>&-", "half a picture"),
        ]
    )
    func `a decoder that fails in any way costs one file`(line: String, text: String) throws {
        #expect(try outcome(line).contains(text))
    }

    @Test func `a whole picture is taken, and a program that is not there is told`() throws {
        // Two pixels of rgb24, sRGB: magic, width, height, layout, primaries, transfer.
        let numbers = ["IFHF", "\\002", "\\001", "\\000", "\\001", "\\015"]
        let words = numbers.map {
            $0.count == 4 && !$0.hasPrefix("\\") ? $0 : $0 + "\\000\\000\\000"
        }
        #expect(try outcome("printf '\(words.joined())abcdef'") == "2x1")
        let error = #expect(throws: (any Error).self) {
            try HEIFProcess.decode([1], name: "a.heic", by: "/nowhere/foxfire")
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("/nowhere/foxfire"))
    }
}
