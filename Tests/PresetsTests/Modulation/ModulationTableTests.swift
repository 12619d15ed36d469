import Graph
import Physarum
import Testing

@testable import Presets

@Suite struct ModulationTableTests {
    private func read(_ text: String) -> ModulationTable.Reading {
        ModulationTable.read(Array(text.utf8), file: "a.csv")
    }

    @Test(
        arguments: [
            "time,bassLevel,beat\n0,0.25,\n0.5,,0\n1,0.75,\n",
            "\u{FEFF}time, bassLevel ,beat\r\n\r\n0,\"0.25\",\r\n0.5,,0\r\n1,0.75",
            "{\"foxfire\": 1, \"columns\": [\"time\", \"bassLevel\", \"beat\"], "
                + "\"rows\": [[0, 0.25, null], [5e-1, null, 0], [1, 0.75]]}",
        ]
    )
    func `CSV and JSON say the same`(text: String) throws {
        let table = try #require(read(text).table)
        #expect(table.times == [0, 0.5, 1] && table.end == 1)
        #expect(table.has(ModulationColumn.bands) && !table.has([.tempo]))
        var track = try #require(table.curve(.level(.bass)))
        // Even over the empty cell, constant beyond the ends, in any order of times.
        let expected = [(-1.0, 0.25), (0, 0.25), (0.5, 0.5), (0.75, 0.625), (1, 0.75), (9, 0.75)]
        for (time, value) in expected + expected.reversed() {
            #expect(track.value(at: time) == value)
        }
        #expect(table.beats.map(\.time) == [0.5])
        #expect(table.curve(.level(.mid)) == nil)
    }

    @Test(
        arguments: [
            ("", 1, 1, "begins with a line that names"),
            ("bassLevel\n1", 1, 1, "first column must be \"time\""),
            ("time,bassLevle\n0,1", 1, 6, "no column \"bassLevle\""),
            ("time,beat,beat\n0,1,1", 1, 11, "there already"),
            ("time,bassLevel\n0,1.5\n", 2, 3, "\"bassLevel\" must be a number from 0.0 to 1.0"),
            ("time,bassLevel\n0,nan\n", 2, 3, "must be a number"),
            ("time,bassLevel\n0,0x1p\n", 2, 3, "must be a number"),
            ("time\n1\n1\n", 3, 1, "must be later than 1.0"),
            ("time\n-1\n", 2, 1, "the time must be in seconds"),
            ("time\nsoon\n", 2, 1, "not \"soon\""),
            ("time\n0,1\n", 2, 3, "a row of 2 cells"),
            ("time\n\"0\n1\n", 2, 1, "a quote that nothing closes"),
            ("time,tempo\n", 1, 1, "at least one row"),
            ("{\"columns\": []}", 1, 1, "has \"columns\""),
            ("{\"columns\": [\"time\"], \"rows\": [[0], 3]}", 1, 37, "a row is an array"),
            (
                "{\"columns\": [\"time\", \"beat\"], \"rows\": [[0, \"x\"]]}", 1, 44,
                "\"beat\" must be"
            ),
            ("{", 1, 2, ""),
        ]
    )
    func `a fault is told with its place`(
        text: String,
        line: Int,
        column: Int,
        words: String
    ) throws {
        let reading = read(text)
        #expect(reading.table == nil)
        let problem = try #require(reading.problems.first)
        #expect(problem.text.contains(words), "\(problem)")
        #expect(problem.location == SourceLocation(line: line, column: column), "\(problem)")
        #expect(problem.file == "a.csv")
    }

    @Test func `faults are told up to a limit`() {
        let rows = (0..<500).map { "\($0),7\n" }.joined()
        #expect(read("time,bassLevel\n" + rows).problems.count == 100)
        let wide = "time" + String(repeating: ",x", count: 100_000) + "\n0\n"
        #expect(!read(wide).problems.isEmpty)
        let long = "time\n" + String(repeating: "9", count: 100_000) + "\n"
        #expect(read(long).problems.count == 1)
    }

    @Test func `every column has a name that finds it`() {
        for column in ModulationColumn.allCases {
            #expect(ModulationColumn(named: column.name) == column)
        }
        #expect(Set(ModulationColumn.allCases.map(\.name)).count == ModulationColumn.allCases.count)
    }
}
