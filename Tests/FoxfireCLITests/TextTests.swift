import Graph
import Media
import Testing

@testable import FoxfireCLI

@Suite struct TextTests {
    @Test(arguments: [
        (0.0, 2, "0.00"), (1.005, 1, "1.0"), (2.5, 0, "3"), (-0.001, 2, "0.00"), (-1.25, 1, "-1.3"),
        (0.06, 2, "0.06"), (12345.678, 3, "12345.678"), (1e20, 2, "1e+20"),
    ])
    func `numbers have a fixed number of digits`(number: Double, digits: Int, expected: String) {
        #expect(fixed(number, digits: digits) == expected)
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"),
        (48_300_000, "48.3 MB"),
        (999_960_000, "1.0 GB"), (Int64.max, "9223.4 PB"),
    ])
    func `bytes are counted in powers of 1000`(count: Int64, expected: String) {
        #expect(byteText(count) == expected)
    }

    @Test(arguments: [
        (0.0, "0.0 s"), (0.84, "0.8 s"), (59.94, "59.9 s"), (59.96, "1:00"), (186.4, "3:06"),
        (3599.6, "1:00:00"), (3723.0, "1:02:03"), (-1, "?"), (.infinity, "?"), (.nan, "?"),
    ])
    func `lengths of time are short`(seconds: Double, expected: String) {
        #expect(durationText(seconds) == expected)
    }

    @Test func `text is broken at spaces`() {
        #expect(wrapped("one two three", width: 7) == ["one two", "three"])
        #expect(wrapped("muchtoolong a", width: 5) == ["muchtoolong", "a"])
        #expect(wrapped("", width: 5) == [""])
    }

    @Test func `what a terminal would obey is shown`() {
        #expect(printable("a\u{1B}[2Jb\n\u{202E}") == "a\\u{1b}[2Jb\\u{a}\\u{202e}")
        #expect(printable("Ünïcode ♫") == "Ünïcode ♫")
    }
}

@Suite struct ProgressLineTests {
    private func line(_ seconds: Int64, of duration: Int64?, packets: Int64, elapsed: Double)
        -> ProgressLine
    {
        ProgressLine(
            label: "a-film.mp4",
            time: MediaTime(seconds, 1),
            duration: duration.map { MediaTime($0, 1) },
            packets: packets,
            arePictures: packets > 0,
            elapsed: elapsed
        )
    }

    @Test func `percent, speed and time left follow from time and length`() {
        let line = line(30, of: 120, packets: 1800, elapsed: 15)
        #expect(line.text() == "a-film.mp4   25 %  120.0 frames/s  2.00 × real time  45.0 s left")
    }

    @Test func `without a length there is no percent`() {
        let line = line(90, of: nil, packets: 900, elapsed: 10)
        #expect(line.text() == "a-film.mp4  1:30  90.0 frames/s  9.00 × real time")
    }

    @Test func `at the start nothing is divided by nothing`() {
        #expect(line(0, of: 120, packets: 0, elapsed: 0).text() == "a-film.mp4    0 %")
        #expect(line(0, of: 0, packets: 0, elapsed: 0).text() == "a-film.mp4  100 %")
    }

    @Test(arguments: [10, 30, 50, 60, 80])
    func `a line is never wider than the terminal`(columns: Int) {
        let line = line(30, of: 120, packets: 1800, elapsed: 15)
        #expect(line.text(columns: columns).count < columns)
    }
}

@Suite struct NumberedFilesTests {
    @Test func `only the pattern's own files are found`() throws {
        try inTemporaryFolder { folder in
            let names = [
                "f-001.png", "f-010.png", "f-1.png", "f-0001.png", "f-1000.png", "f-.png",
                "g-001.png", "f-001.jpg", "f--01.png", "xf-001.png",
            ]
            for name in names { try TextFile.write("", to: "\(folder)/\(name)") }
            let files = NumberedFiles(pattern: folder + "/f-%03d.png")
            #expect(files.existing() == [1, 10, 1000])
            #expect(files.parent == folder)
        }
    }

    @Test func `the number may stand in a folder's name, beside percent signs`() throws {
        try inTemporaryFolder { folder in
            try Folder.create(folder + "/50%take7")
            try Folder.create(folder + "/50%take8")
            try TextFile.write("", to: folder + "/50%take7/x%.png")
            let files = NumberedFiles(pattern: folder + "/50%%take%d/x%%.png")
            #expect(files.existing() == [7])
            #expect(files.number(in: folder + "/50%take12/x%.png") == 12)
        }
    }

    @Test func `a pattern without a folder is in the working folder`() {
        #expect(NumberedFiles(pattern: "%d.png").parent == ".")
        #expect(NumberedFiles(pattern: "/%d.png").parent == "/")
    }

    @Test func `a target covers its own paths`() {
        let target = OutputPolicy.Target(path: "out/%02d.png", isSequence: true)
        #expect(target.covers("out/07.png") && target.covers("out/123.png"))
        #expect(!target.covers("out/7.png") && !target.covers("out/x.png"))
        #expect(OutputPolicy.Target(path: "a").covers("a"))
    }
}
