import Graph
import Media

/// A payload of 64 pooled bytes, like a small buffer of a media stream.
final class Buffer: Payload {
    struct Format: StreamFormat {
        var description: String { "buffer" }
    }

    let bytes: Lease<UInt8>
    var format: Format { Format() }
    var byteCount: Int { bytes.byteCount }

    init(_ bytes: consuming Writable<UInt8>) { self.bytes = bytes.frozen() }
}

/// Emits buffers, each fresh from the pool.
struct BufferSource: Node {
    static let kind = "bench.source"
    static let execution = Execution.serial
    let out: Output<Buffer>
    let count: Int
    var next: Int64 = 0

    init(_ c: inout Contract) {
        out = c.output("out", "Buffers.")
        count = c.integer("count", in: 1...1_000_000_000, .none, "How many.")
    }

    func resolve(_ f: inout Formats) { f.set(out, Buffer.Format(), rate: Rate(1000)) }

    mutating func run(_ io: inout IO) {
        io.emit(Buffer(Writable(uninitialized: 64)), at: MediaTime(next, 1000), on: out)
        next += 1
        if next < count { io.more() }
    }
}

/// Hands buffers on.
struct BufferPass: Node {
    static let kind = "bench.pass"
    static let execution = Execution.serial
    let input: Input<Buffer>
    let out: Output<Buffer>

    init(_ c: inout Contract) {
        input = c.input("in", .inOrder, changes: .accepts, "Buffers.")
        out = c.output("out", like: input, "The same.")
    }

    mutating func run(_ io: inout IO) {
        while let packet = io.take(input) { io.pass(packet, on: out) }
    }
}

/// Drops buffers.
struct BufferSink: Node {
    static let kind = "bench.sink"
    static let execution = Execution.serial
    let input: Input<Buffer>

    init(_ c: inout Contract) {
        input = c.input("in", .inOrder, changes: .accepts, "Buffers.")
    }

    mutating func run(_ io: inout IO) { while io.take(input) != nil {} }
}
