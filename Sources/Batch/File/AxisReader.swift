import Glibc
import Graph
import Media

/// Reads the values that a variable takes: a list, files that match a pattern, a column of a table.
struct AxisReader {
    /// What cannot be read, in a sentence.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private static let byteLimit = 256 << 20
    private let folder: String

    init(_ folder: String) { self.folder = folder }

    /// The values, in their order; those of a pattern sorted by their bytes.
    func values(_ values: BatchFile.Axis.Values) throws -> [String] {
        switch values {
        case .list(let list): return list
        case .glob(let pattern):
            let found = files(pattern)
            if found.isEmpty { throw Fault(description: "no file matches \"\(pattern)\"") }
            return found
        case .csv(let path, let column):
            return try Self.column(column, of: try contents(path), path)
        case .jsonl(let path, let key): return try Self.key(key, of: try contents(path), path)
        }
    }

    private func place(_ path: String) -> String {
        path.hasPrefix("/") || folder.isEmpty ? path : folder + "/" + path
    }

    private func contents(_ path: String) throws -> [UInt8] {
        let bytes = try FileContents.read(place(path), limit: Self.byteLimit)
        if bytes.count > Self.byteLimit {
            throw Fault(description: "\(path) has more than \(Self.byteLimit >> 20) MiB")
        }
        return bytes
    }

    private func files(_ pattern: String) -> [String] {
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        guard unsafe glob(place(pattern), 0, nil, &found) == 0 else { return [] }
        var paths: [String] = []
        for index in 0..<Int(unsafe found.gl_pathc) {
            guard let path = unsafe found.gl_pathv[index] else { continue }
            paths.append(unsafe String(cString: path))
        }
        // As the batch file would name them.
        let prefix = pattern.hasPrefix("/") || folder.isEmpty ? 0 : folder.utf8.count + 1
        return paths.filter { Folder.kind(of: $0) == .file }
            .map { String(decoding: $0.utf8.dropFirst(prefix), as: UTF8.self) }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    // MARK: Tables

    /// A column of a table with a heading line (RFC 4180).
    static func column(_ name: String, of bytes: [UInt8], _ path: String) throws -> [String] {
        var rows = CSVRows(bytes)
        guard let heading = try rows.next(path), let index = heading.firstIndex(of: name) else {
            throw Fault(description: "\(path) has no column \"\(name)\" in its first line")
        }
        var values: [String] = []
        while let row = try rows.next(path) {
            // A line end at the end of a file begins no row.
            if row == [""] { continue }
            guard row.count == heading.count else {
                throw Fault(
                    description:
                        "\(path):\(rows.line): \(row.count) fields, and the first line has \(heading.count)"
                )
            }
            values.append(row[index])
        }
        if values.isEmpty { throw Fault(description: "\(path) has no rows") }
        return values
    }

    /// A key of each line's object.
    static func key(_ name: String, of bytes: [UInt8], _ path: String) throws -> [String] {
        var values: [String] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.allSatisfy({ $0 <= 32 }) {
            let reading = JSONReader.read(Array(line))
            if let problem = reading.problems.first {
                throw Fault(description: "\(path):\(index + 1): \(problem.text)")
            }
            switch reading.value?[name]?.value {
            case .string(let text), .number(let text): values.append(text)
            case .boolean(let truth): values.append(truth ? "true" : "false")
            default:
                throw Fault(
                    description:
                        "\(path):\(index + 1): no string, number or boolean under \"\(name)\""
                )
            }
        }
        if values.isEmpty { throw Fault(description: "\(path) has no lines") }
        return values
    }
}

/// Rows of comma-separated values, quoted or not.
private struct CSVRows {
    private let bytes: [UInt8]
    private var place = 0
    /// The line on which the row that was read ends.
    private(set) var line = 0

    init(_ bytes: [UInt8]) {
        // A mark of the encoding belongs to no field.
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    mutating func next(_ path: String) throws -> [String]? {
        guard place < bytes.count else { return nil }
        var fields: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        line += 1
        var quoteLine = line
        while true {
            let byte = place < bytes.count ? bytes[place] : nil
            place += 1
            if isQuoted {
                guard let byte else {
                    throw AxisReader.Fault(
                        description: "\(path):\(quoteLine): a quote does not end"
                    )
                }
                if byte == UInt8(ascii: "\n") { line += 1 }
                if byte == UInt8(ascii: "\"") {
                    guard place < bytes.count, bytes[place] == byte else {
                        isQuoted = false
                        continue
                    }
                    place += 1
                }
                field.append(byte)
                continue
            }
            switch byte {
            case UInt8(ascii: "\"") where field.isEmpty:
                isQuoted = true
                quoteLine = line
            case UInt8(ascii: ","):
                fields.append(String(decoding: field, as: UTF8.self))
                field = []
            case UInt8(ascii: "\n"), nil:
                if field.last == UInt8(ascii: "\r") { field.removeLast() }
                fields.append(String(decoding: field, as: UTF8.self))
                return fields
            case let byte?: field.append(byte)
            }
        }
    }
}
