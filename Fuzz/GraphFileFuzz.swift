// A libFuzzer target: any bytes as a graph file must end in a plan or in problems.
//
// Built by `make fuzz` alone: an ordinary build has no main for it. It declares nodes of its own,
// since the sanitizer's flags would also reach the tool that lists the real ones.

import Graph
import Media

final class Nothing: Payload {
    struct Format: StreamFormat {
        var description: String { "nothing" }
    }

    var format: Format { Format() }
    var byteCount: Int { 0 }
}

enum Word: String, CaseIterable { case one, two }

/// A source with a parameter of every type.
struct FuzzSource: Node {
    static let kind = "fuzz.source"
    static let execution = Execution.serial

    init(_ c: inout Contract) {
        let _: Output<Nothing> = c.output("out", "Nothing.")
        _ = c.integer("integer", default: 1, in: -10...10, .none, "A whole number.")
        _ = c.number("number", default: 1, in: -10...10, .none, "A number.")
        _ = c.decibels("level", default: 0, in: -120...60, "A level.")
        _ = c.boolean("switch", default: false, "A switch.")
        _ = c.string("text", default: "", "A text.")
        let _: Word = c.choice("word", default: .one, "A word.")
        _ = c.optionalTime("time", "A time.")
        _ = c.optionalRate("rate", in: Rate(1)...Rate(1000), .perSecond, "A rate.")
        _ = c.optionalSize("size", in: 1...100, .pixels, "A size.")
        _ = c.optionalList("list", "Objects.") { c in
            c.integer("element", default: 0, in: 0...1, .none, "A number.")
        }
    }

    mutating func run(_ io: inout IO) {}
}

/// A sink with inputs of every sort, and an output file.
struct FuzzSink: Node {
    static let kind = "fuzz.sink"
    static let execution = Execution.serial

    init(_ c: inout Contract) {
        let _: Inputs<Nothing> = c.inputs("many", .inOrder, "Any number.")
        let _: Input<Nothing>? = c.optionalInput("maybe", .inOrder, "One or none.")
        _ = c.outputPath("path", sequence: true, "A file that is never written.")
    }

    mutating func run(_ io: inout IO) {}
}

private let catalogue = [
    CatalogueEntry(kind: FuzzSource.kind, type: FuzzSource.self, summary: "", discussion: ""),
    CatalogueEntry(kind: FuzzSink.kind, type: FuzzSink.self, summary: "", discussion: ""),
]

/// Checks the bytes as a graph file; writes no file.
///
/// - Parameters:
///   - bytes: what the fuzzer made up.
///   - count: how many bytes.
/// - Returns: 0, as libFuzzer wants it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGraphFile(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    let outcome = GraphCheck.plan(text: text, file: "fuzz.json", catalogue: catalogue)
    precondition(
        (outcome.plan == nil) == !outcome.problems.isEmpty,
        "A check ends in a plan or in problems."
    )
    return 0
}
