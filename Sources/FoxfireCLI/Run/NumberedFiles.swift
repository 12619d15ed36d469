import Graph
import Media

/// The files of a numbered sequence as they are on the disk.
struct NumberedFiles {
    let pattern: String
    /// The folder that holds the part of the path with the number in it.
    private let folder: String
    /// That part's text before and after the number.
    private let prefix: String
    private let suffix: String

    /// Reads a pattern that `OutputPath.name(of:in:)` takes.
    init(pattern: String) {
        self.pattern = pattern
        var before = ""
        var after = ""
        var isAfter = false
        var rest = pattern[...]
        while let character = rest.popFirst() {
            if character == "%", rest.first != "%" {
                isAfter = true
                rest = rest.drop { $0 != "d" }.dropFirst()
                continue
            }
            if character == "%" { rest = rest.dropFirst() }
            if isAfter { after.append(character) } else { before.append(character) }
        }
        let slash = before.lastIndex(of: "/")
        folder = slash.map { String(before[...$0]) } ?? ""
        prefix = slash.map { String(before[before.index(after: $0)...]) } ?? before
        suffix = String(after.prefix { $0 != "/" })
    }

    /// The folder that must exist before anything is written.
    var parent: String {
        folder.isEmpty ? "." : folder.count == 1 ? "/" : String(folder.dropLast())
    }

    /// The numbers of the files that exist, in order.
    func existing() -> [Int64] {
        Folder.entries(of: parent).compactMap { entry -> Int64? in
            // Only what the pattern makes: `7.png` is not in `%02d.png`.
            guard let number = number(in: folder + entry), let path = path(of: number),
                path.hasPrefix(folder + entry), Folder.kind(of: path) != .nothing
            else { return nil }
            return number
        }.sorted()
    }

    /// The number that stands in `path` where the pattern has it; nil where nothing like it does.
    func number(in path: String) -> Int64? {
        let rest = path.dropFirst(folder.count + prefix.count)
        guard path.hasPrefix(folder + prefix), rest.prefix(while: \.isNumber).count > 0 else {
            return nil
        }
        return Int64(rest.prefix(while: \.isNumber))
    }

    /// The path of file `number`; nil for negative numbers.
    func path(of number: Int64) -> String? {
        number < 0 ? nil : OutputPath.name(of: number, in: pattern)
    }
}
