import Graph

/// A stored modulation track: bands, beats and parameters over time, as a table.
///
/// The first column is the time in seconds, which rises; then comes a column for each thing that is
/// stored. An empty cell says nothing: between the values before and after it the track goes evenly.
/// The last row's time is the track's end.
///
/// As CSV (RFC 4180) the first line names the columns; as JSON the table is
/// `{"foxfire": 1, "columns": ["time", …], "rows": [[0, 0.25, null], …]}`. Memory: 8 bytes a cell.
public struct ModulationTable: Sendable, Hashable {
    /// The longest file that is read, in bytes; of JSON it is `JSONReader.byteLimit`.
    public static let byteLimit = 512 << 20
    /// The most rows that are read.
    public static let rowLimit = 20_000_000
    /// The latest time, in seconds.
    public static let timeRange = 0.0...1_000_000

    /// The time of each row, in seconds; they rise.
    public private(set) var times: [Double] = []
    /// The columns, each with as many cells as there are times; an empty cell is not a number.
    public private(set) var columns: [ModulationColumn: [Double]]

    /// When the track ends, in seconds.
    public var end: Double { times.last ?? 0 }

    /// Makes a table without rows.
    public init(_ columns: [ModulationColumn]) {
        self.columns = Dictionary(columns.map { ($0, []) }, uniquingKeysWith: { one, _ in one })
    }

    /// Adds a row; its time must be later than that of the one before.
    ///
    /// - Parameters:
    ///   - time: in seconds.
    ///   - cells: values of columns that the table has; others stay empty.
    public mutating func append(time: Double, _ cells: [(ModulationColumn, Double)]) {
        precondition(times.last.map { $0 < time } ?? true, "Times rise.")
        times.append(time)
        for column in columns.keys { columns[column]?.append(.nan) }
        for (column, value) in cells {
            if let count = columns[column]?.count { columns[column]?[count - 1] = value }
        }
    }

    /// Whether it has any of these columns.
    public func has(_ some: [ModulationColumn]) -> Bool { some.contains { columns[$0] != nil } }

    /// The course of one column; nil where the table has no such column, or only empty cells.
    public func curve(_ column: ModulationColumn) -> ModulationCurve? {
        guard let cells = columns[column] else { return nil }
        let rows = cells.indices.filter { !cells[$0].isNaN }
        if rows.isEmpty { return nil }
        return ModulationCurve(times: rows.map { times[$0] }, values: rows.map { cells[$0] })
    }

    /// The beats: their times, with tempo and strength where these are said.
    public var beats: [(time: Double, tempo: Double?, strength: Double?)] {
        guard let marks = columns[.beat] else { return [] }
        func cell(_ column: ModulationColumn, _ row: Int) -> Double? {
            columns[column].flatMap { $0[row].isNaN ? nil : $0[row] }
        }
        return marks.indices.compactMap { row in
            marks[row].isNaN
                ? nil : (times[row], cell(.tempo, row), cell(.beatStrength, row))
        }
    }
}

/// One column of a table over time: even between its values, constant beyond the first and the last.
public struct ModulationCurve: Sendable, Hashable {
    let times: [Double]
    let values: [Double]
    /// The first value that is later than the last time that was asked for.
    private var next = 0

    init(times: [Double], values: [Double]) {
        self.times = times
        self.values = values
    }

    /// The value at a time, in seconds; cheap for times that rise.
    public mutating func value(at time: Double) -> Double {
        if next > 0, times[next - 1] > time { next = 0 }
        while next < times.count, times[next] <= time { next += 1 }
        if next == 0 { return values[0] }
        if next == times.count || times[next - 1] == time { return values[next - 1] }
        let part = (time - times[next - 1]) / (times[next] - times[next - 1])
        return values[next - 1] + part * (values[next] - values[next - 1])
    }
}
