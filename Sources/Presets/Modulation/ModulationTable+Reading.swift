public import Graph

extension ModulationTable {
    /// Reads a table from CSV or JSON; any bytes may come.
    ///
    /// - Parameters:
    ///   - bytes: the file; it is JSON when its first character is `{`.
    ///   - file: what problems call it.
    /// - Returns: the table, or every problem, at most 100, in the order of the text.
    public static func read(_ bytes: [UInt8], file: String) -> Reading {
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        let isObject = first == UInt8(ascii: "{")
        var reading = isObject ? read(JSONReader.read(bytes)) : CSVReader(bytes).read()
        for index in reading.problems.indices { reading.problems[index].file = file }
        if !reading.problems.isEmpty { reading.table = nil }
        return reading
    }

    /// What a reading found.
    public struct Reading: Sendable {
        /// The table; nil exactly when there are problems.
        public var table: ModulationTable?
        /// Every fault.
        public var problems: [Problem]
    }

    private static func read(_ reading: JSONReader.Reading) -> Reading {
        var builder = TableBuilder(problems: reading.problems)
        guard let json = reading.value else { return builder.reading }
        if let version = json["foxfire"], version.value != .integer(1) {
            builder.refuse(.version, "\"foxfire\" must be 1", at: version.location)
        }
        guard case .array(let names)? = json["columns"]?.value,
            case .array(let rows)? = json["rows"]?.value
        else {
            builder.refuse(
                .missingParameter,
                "a modulation track has \"columns\", an array of names, and \"rows\", an array of arrays",
                at: json.location
            )
            return builder.reading
        }
        builder.begin(names.map { ($0.string ?? "", $0.location) }, at: json.location)
        for row in rows {
            guard case .array(let cells) = row.value else {
                builder.refuse(.type, "a row is an array, not \(row.kindName)", at: row.location)
                continue
            }
            builder.add(
                cells.map { cell in
                    switch cell.value {
                    case .null: ("", cell.location)
                    case .number(let text): (text, cell.location)
                    default: (JSON.text(of: cell.value), cell.location)
                    }
                },
                at: row.location
            )
        }
        builder.finish(at: json.location)
        return builder.reading
    }
}

/// Puts rows of texts together to a table and keeps what is wrong.
struct TableBuilder {
    private var columns: [ModulationColumn?] = []
    private var table = ModulationTable([])
    private(set) var problems: [Problem]
    private var rowCount = 0

    init(problems: [Problem] = []) { self.problems = problems }

    var reading: ModulationTable.Reading {
        ModulationTable.Reading(table: problems.isEmpty ? table : nil, problems: problems)
    }

    /// Whether more problems are looked for.
    var isGoingOn: Bool { problems.count < JSONReader.problemLimit }

    mutating func refuse(
        _ code: Problem.Code,
        _ text: String,
        at location: SourceLocation,
        hint: String? = nil
    ) {
        if isGoingOn { problems.append(Problem(code, text, at: location, hint: hint)) }
    }

    /// Takes the names of the columns, of which the first must be `time`.
    mutating func begin(
        _ names: [(text: String, location: SourceLocation)],
        at location: SourceLocation
    ) {
        let all = ModulationColumn.allCases.map(\.name)
        guard let first = names.first, first.text == "time" else {
            refuse(
                .name,
                "the first column must be \"time\"",
                at: names.first?.location ?? location,
                hint: "the first line names the columns"
            )
            return
        }
        for name in names.dropFirst() {
            guard let column = ModulationColumn(named: name.text) else {
                refuse(
                    .name,
                    "there is no column \(JSON.quoted(name.text))",
                    at: name.location,
                    hint: suggestion(for: name.text, in: all)
                        ?? "known are \(all.joined(separator: ", "))"
                )
                columns.append(nil)
                continue
            }
            if columns.contains(column) {
                refuse(
                    .duplicateKey,
                    "column \"\(column.name)\" is there already",
                    at: name.location
                )
            }
            columns.append(column)
        }
        table = ModulationTable(columns.compactMap { $0 })
    }

    /// Takes a row, whose cells may be fewer than the columns.
    mutating func add(
        _ cells: [(text: String, location: SourceLocation)],
        at location: SourceLocation
    ) {
        guard isGoingOn else { return }
        rowCount += 1
        if rowCount > ModulationTable.rowLimit {
            if rowCount == ModulationTable.rowLimit + 1 {
                refuse(.range, "there are more than \(ModulationTable.rowLimit) rows", at: location)
            }
            return
        }
        if cells.count > columns.count + 1 {
            refuse(
                .range,
                "a row of \(cells.count) cells, but there are \(columns.count + 1) columns",
                at: cells[columns.count + 1].location
            )
            return
        }
        let times = ModulationTable.timeRange
        guard let first = cells.first, let time = Double(first.text), times.contains(time) else {
            let text = cells.first.map { JSON.quoted($0.text) } ?? "nothing"
            refuse(
                .range,
                "the time must be in seconds, from 0 to 1000000, not \(text)",
                at: cells.first?.location ?? location
            )
            return
        }
        if let last = table.times.last, last >= time {
            refuse(
                .range,
                "the time must be later than \(last), that of the row before",
                at: first.location
            )
            return
        }
        var values: [(ModulationColumn, Double)] = []
        for (column, cell) in zip(columns, cells.dropFirst()) where !cell.text.isEmpty {
            guard let column else { continue }
            guard let value = Double(cell.text), column.range.contains(value) else {
                refuse(
                    .range,
                    "\"\(column.name)\" must be a number from \(column.range.lowerBound) to "
                        + "\(column.range.upperBound), not \(JSON.quoted(cell.text))",
                    at: cell.location
                )
                continue
            }
            values.append((column, value))
        }
        table.append(time: time, values)
    }

    /// Looks at the whole.
    mutating func finish(at location: SourceLocation) {
        if table.times.isEmpty, problems.isEmpty {
            refuse(.missingParameter, "a modulation track has at least one row", at: location)
        }
    }
}

/// Cuts CSV into cells: commas, lines by LF or CRLF, cells maybe in double quotes.
struct CSVReader {
    private let bytes: [UInt8]
    private var position: Int
    private var line = 1
    private var lineStart: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        lineStart = position
    }

    consuming func read() -> ModulationTable.Reading {
        var builder = TableBuilder()
        var hasNames = false
        while position < bytes.count, builder.isGoingOn {
            let start = SourceLocation(line: line, column: 1)
            let cells = row(&builder)
            // Empty lines say nothing.
            if cells.count == 1, cells[0].text.isEmpty { continue }
            if hasNames {
                builder.add(cells, at: start)
            } else {
                builder.begin(cells, at: start)
                hasNames = true
                if !builder.problems.isEmpty { break }
            }
        }
        if !hasNames {
            builder.refuse(
                .missingParameter,
                "a modulation track begins with a line that names its columns",
                at: SourceLocation(line: 1, column: 1)
            )
        }
        builder.finish(at: SourceLocation(line: 1, column: 1))
        return builder.reading
    }

    private var place: SourceLocation {
        SourceLocation(line: line, column: position - lineStart + 1)
    }

    private mutating func row(
        _ builder: inout TableBuilder
    ) -> [(text: String, location: SourceLocation)] {
        var cells: [(text: String, location: SourceLocation)] = []
        while true {
            let start = place
            cells.append((cell(&builder), start))
            // Of a row that is far too long only the beginning is kept.
            if cells.count > ModulationColumn.allCases.count + 2 { cells.removeLast() }
            guard position < bytes.count else { return cells }
            let separator = bytes[position]
            position += 1
            if separator == UInt8(ascii: "\n") {
                line += 1
                lineStart = position
                return cells
            }
        }
    }

    /// A cell's text, up to its comma or the line's end.
    private mutating func cell(_ builder: inout TableBuilder) -> String {
        var text: [UInt8] = []
        if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
            let start = place
            position += 1
            while true {
                guard position < bytes.count, bytes[position] != UInt8(ascii: "\n") else {
                    builder.refuse(.syntax, "a quote that nothing closes", at: start)
                    return ""
                }
                if bytes[position] == UInt8(ascii: "\"") {
                    position += 1
                    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                        break
                    }
                }
                text.append(bytes[position])
                position += 1
            }
        }
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") { break }
            // A number is short; what is longer is wrong, and its start is enough to tell.
            if text.count < 256 { text.append(byte) }
            position += 1
        }
        let spaces: [UInt8] = [0x20, 0x09, 0x0D]
        let trimmed = text.drop { spaces.contains($0) }
        let end = trimmed.lastIndex { !spaces.contains($0) }.map { $0 + 1 } ?? trimmed.startIndex
        return String(decoding: trimmed[trimmed.startIndex..<end], as: UTF8.self)
    }
}
