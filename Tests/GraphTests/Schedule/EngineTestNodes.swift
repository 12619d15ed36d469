import Graph
import Media

/// A payload for engine tests: a number, and a format that a test can change.
final class Number: Payload {
    struct Format: StreamFormat {
        var unit = "count"
        var description: String { unit }
    }

    let value: Int
    let format: Format
    let byteCount: Int

    init(_ value: Int, unit: String = "count", byteCount: Int = 8) {
        self.value = value
        self.byteCount = byteCount
        format = Format(unit: unit)
    }
}

/// What nodes of a running test graph saw, by the name the test gave them.
enum Record {
    private static let seen = Locked<[String: [Int]]>([:])
    private static let starts = Locked<[String: [String]]>([:])

    static func add(_ value: Int, _ name: String) {
        seen.withLock { $0[name, default: []].append(value) }
    }
    static func values(_ name: String) -> [Int] { seen.withLock { $0[name] ?? [] } }
    static func addStart(_ unit: String, _ name: String) {
        starts.withLock { $0[name, default: []].append(unit) }
    }
    static func startedWith(_ name: String) -> [String] { starts.withLock { $0[name] ?? [] } }
}

struct CountSource: Node {
    static let kind = "test.count"
    static let execution = Execution.serial
    let out: Output<Number>
    let count: Int
    let size: Int
    let first: Int
    let changeAt: Int?
    var next = 0

    init(_ c: inout Contract) {
        out = c.output("out", "Numbers from 0.")
        count = c.integer(
            "count",
            default: 10,
            in: -1...1_000_000_000,
            .none,
            "How many; -1: no end."
        )
        size = c.integer("size", default: 8, in: 0...1_000_000, .none, "Bytes each.")
        first = c.integer("first", default: 0, in: 0...1_000_000, .none, "The time of the first.")
        changeAt = c.optionalInteger(
            "changeAt",
            in: 0...1_000_000,
            .none,
            "Where the format changes."
        )
    }

    func resolve(_ f: inout Formats) { f.set(out, Number.Format()) }

    mutating func run(_ io: inout IO) {
        guard next != count else { return }
        let unit = changeAt.map { next >= $0 ? "other" : "count" } ?? "count"
        io.emit(
            Number(next, unit: unit, byteCount: size),
            at: MediaTime(Int64(first + next), 1),
            on: out
        )
        next += 1
        io.more()
    }
}

struct PassNode: Node {
    static let kind = "test.pass"
    static let execution = Execution.serial
    let input: Input<Number>
    let out: Output<Number>
    let every: Int
    let advances: Bool
    let failAt: Int?
    let copies: Int

    init(_ c: inout Contract) {
        input = c.input("in", .inOrder, changes: .accepts, "Numbers.")
        out = c.output("out", like: input, "Some of them.")
        every = c.integer(
            "every",
            default: 1,
            in: 1...1_000_000_000,
            .none,
            "Passes multiples of this."
        )
        advances = c.boolean("advances", default: false, "Promises times it passes nothing at.")
        failAt = c.optionalInteger("failAt", in: 0...1_000_000, .none, "The number to fail at.")
        copies = c.integer("copies", default: 1, in: 0...1000, .none, "How often each is emitted.")
    }

    mutating func run(_ io: inout IO) throws {
        while let packet = io.take(input) {
            if packet.payload.value == failAt { throw TestError() }
            if packet.payload.value % every == 0 {
                for _ in 0..<copies { io.emit(packet.payload, like: packet, on: out) }
            } else if advances {
                io.advance(out, to: packet.time)
            }
        }
    }
}

struct TestError: Error, CustomStringConvertible {
    var description: String { "the test wants this failure" }
}

struct SquareNode: Node {
    static let kind = "test.square"
    static let execution = Execution.stateless
    let input: Input<Number>
    let out: Output<Number>

    init(_ c: inout Contract) {
        input = c.input("in", .inOrder, changes: .accepts, "Numbers.")
        out = c.output("out", like: input, "Their squares.")
    }

    mutating func run(_ io: inout IO) {
        while let packet = io.take(input) {
            // Uneven work, so that copies end in another order than they began.
            var sum = 0
            for step in 0..<(packet.payload.value * 7919 % 2000) { sum &+= step }
            let square = packet.payload.value * packet.payload.value + (sum == -1 ? 1 : 0)
            io.emit(Number(square), like: packet, on: out)
        }
    }
}

struct RecordSink: Node {
    static let kind = "test.record"
    static let execution = Execution.serial
    let input: Input<Number>
    let name: String
    let enoughAfter: Int?
    let packetsPerRun: Int
    var taken = 0

    init(_ c: inout Contract) {
        input = c.input("in", .inOrder, "Numbers.")
        name = c.string("name", default: "sink", "Under which they are kept.")
        enoughAfter = c.optionalInteger(
            "enoughAfter",
            in: 0...1_000_000,
            .none,
            "How many it wants."
        )
        packetsPerRun = c.integer(
            "packetsPerRun",
            default: 1_000_000,
            in: 1...1_000_000,
            .none,
            "A run."
        )
    }

    mutating func start(_ f: borrowing Formats) { Record.addStart(f[input]?.unit ?? "?", name) }

    mutating func run(_ io: inout IO) {
        var left = packetsPerRun
        while left > 0, let packet = io.take(input) {
            Record.add(packet.payload.value, name)
            precondition(packet.index >= 0)
            left -= 1
            taken += 1
            if taken == enoughAfter {
                io.enough(input)
                return
            }
        }
    }

    mutating func finish(_ io: inout IO) { Record.add(-1, name) }
}

/// A blocking sink that opens a file, so that tests see what becomes of it.
struct FileSink: Node {
    static let kind = "test.file"
    static let execution = Execution.blocking
    let input: Input<Number>
    let path: OutputPath
    var file: OutputFile?

    init(_ c: inout Contract) {
        input = c.input("in", .inOrder, changes: .fixed, "Numbers.")
        path = c.outputPath("path", "Where they go.")
    }

    mutating func start(_ f: borrowing Formats) throws {
        file = try f.environment.outputs.open(path.path)
    }

    mutating func run(_ io: inout IO) throws {
        while let packet = io.take(input) {
            try file?.write(Array("\(packet.payload.value)\n".utf8).span)
        }
    }
}

struct JoinNode: Node {
    static let kind = "test.join"
    static let execution = Execution.serial
    let inputs: Inputs<Number>
    let out: Output<Number>

    init(_ c: inout Contract) {
        inputs = c.inputs("in", .inOrder, changes: .accepts, "Numbers.")
        out = c.output("out", "All of them in order of time.")
    }

    func resolve(_ f: inout Formats) { f.set(out, Number.Format()) }

    mutating func run(_ io: inout IO) {
        var found = true
        while found {
            found = false
            for index in 0..<inputs.count {
                while let packet = io.take(inputs[index]) {
                    io.emit(packet.payload, like: packet, on: out)
                    found = true
                }
            }
        }
    }
}

struct ZipNode: Node {
    static let kind = "test.zip"
    static let execution = Execution.serial
    let a: Input<Number>
    let b: Input<Number>
    let out: Output<Number>

    init(_ c: inout Contract) {
        a = c.input("a", .together, "Numbers.")
        b = c.input("b", .together, "Numbers.")
        out = c.output("out", like: a, "a · 1000 + b.")
    }

    mutating func run(_ io: inout IO) {
        while let left = io.take(a), let right = io.take(b) {
            io.emit(Number(left.payload.value * 1000 + right.payload.value), like: left, on: out)
        }
    }
}

struct HoldNode: Node {
    static let kind = "test.hold"
    static let execution = Execution.serial
    let a: Input<Number>
    let b: Input<Number>
    let out: Output<Number>

    init(_ c: inout Contract) {
        a = c.input("a", .inOrder, "Numbers.")
        b = c.input("b", .hold, "Numbers.")
        out = c.output("out", like: a, "The value of b at the time of a.")
    }

    mutating func run(_ io: inout IO) {
        while let packet = io.take(a) {
            io.emit(Number(io.take(b)?.payload.value ?? -1), like: packet, on: out)
        }
    }
}

/// Adds up bands of a buffer on the engine's workers.
struct SplitNode: Node {
    static let kind = "test.split"
    static let execution = Execution.serial
    let input: Input<Number>
    let out: Output<Number>

    init(_ c: inout Contract) {
        input = c.input("in", .inOrder, "Numbers.")
        out = c.output("out", like: input, "Sums over 1000 rows.")
    }

    mutating func run(_ io: inout IO) {
        while let packet = io.take(input) {
            var rows = Writable<Int>(repeating: 0, count: 1000)
            let value = packet.payload.value
            io.split(&rows, rows: 1000, bandRows: 7) { part, row in
                for index in 0..<part.count { part[index] = (row.lowerBound + index) * value }
            }
            let sum = rows.withSpan { span in
                var sum = 0
                for index in 0..<span.count { sum += span[index] }
                return sum
            }
            io.emit(Number(sum), like: packet, on: out)
        }
    }
}
