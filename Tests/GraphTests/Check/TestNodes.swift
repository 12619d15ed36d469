import Graph
import Media

/// A stream of numbers at some pitch, for graphs that need no medium.
struct ToneFormat: StreamFormat {
    let pitch: Int
    var description: String { "pitch \(pitch)" }
}

final class Tone: Payload {
    let format: ToneFormat
    let byteCount = 8
    init(pitch: Int) { format = ToneFormat(pitch: pitch) }
}

/// Another payload, which fits no input for tones.
struct LightFormat: StreamFormat {
    let description = "light"
}

final class Light: Payload {
    let format = LightFormat()
    let byteCount = 4
}

/// Makes tones and lights.
struct SourceBoth: Node {
    static let kind = "test.source"
    static let execution = Execution.serial
    let tone: Output<Tone>
    let light: Output<Light>
    let pitch: Int
    let rate: Rate

    init(_ c: inout Contract) {
        tone = c.output("tone", "Tones.")
        light = c.output("light", "Lights.")
        pitch = c.integer("pitch", default: 440, in: 1...20_000, .hertz, "How high.")
        rate = c.rate(
            "rate",
            default: Rate(240),
            in: Rate(1)...Rate(1000),
            .perSecond,
            "How often."
        )
    }

    func resolve(_ f: inout Formats) {
        f.set(
            tone,
            ToneFormat(pitch: pitch),
            rate: rate,
            duration: MediaTime(10, 1),
            bytesPerPacket: 8
        )
        f.set(light, LightFormat(), rate: rate, bytesPerPacket: 4)
    }
    mutating func run(_ io: inout IO) { io.end() }
}

/// Reads tones from a file.
struct SourceFile: Node {
    static let kind = "test.file"
    static let execution = Execution.blocking
    let tone: Output<Tone>
    let path: InputFile

    init(_ c: inout Contract) {
        tone = c.output("tone", "Tones.")
        path = c.inputFile("path", "The file.")
    }

    func resolve(_ f: inout Formats) throws {
        if path.isStandardInput {
            if f.environment.mayReadStandardInput { f.set(tone, ToneFormat(pitch: 7)) }
            return
        }
        _ = try readAll(path.path)
        f.set(tone, ToneFormat(pitch: 5))
    }
    mutating func run(_ io: inout IO) { io.end() }

    private func readAll(_ path: String) throws -> Bool {
        guard exists(path) else { throw FileError(path: path, call: "open", code: 2) }
        return true
    }
}

/// Passes tones on.
struct Pass: Node {
    static let kind = "test.pass"
    static let execution = Execution.stateless
    let tone: Input<Tone>
    let out: Output<Tone>
    let window: Int

    init(_ c: inout Contract) {
        tone = c.input("tone", .inOrder, changes: .accepts, "Tones.")
        out = c.output("out", like: tone, "The same.")
        window = c.integer("window", default: 64, in: 1...4096, .samples, "How many at once.")
        c.require(window.nonzeroBitCount == 1, "window", "must be a power of two")
    }
    mutating func run(_ io: inout IO) { while io.take(tone) != nil {} }
}

/// Shifts tones: what is put on edges.
struct Shift: Node {
    static let kind = "test.shift"
    static let execution = Execution.stateless
    static let conversion: Conversion? = Conversion(of: Tone.self) { from, to in
        to.pitch < 10_000 ? ["pitch": .integer(to.pitch)] : nil
    }
    let tone: Input<Tone>
    let out: Output<Tone>
    let pitch: Int

    init(_ c: inout Contract) {
        tone = c.input("tone", .inOrder, changes: .accepts, "Tones.")
        out = c.output("out", "Others.")
        pitch = c.integer("pitch", in: 1...20_000, .hertz, "How high.")
    }
    func resolve(_ f: inout Formats) {
        f.set(out, ToneFormat(pitch: pitch), rate: f.rate(of: tone), bytesPerPacket: 8)
    }
    mutating func run(_ io: inout IO) { while io.take(tone) != nil {} }
}

/// Reads tones of two sources together, both at its own pitch.
struct Mix: Node {
    static let kind = "test.mix"
    static let execution = Execution.serial
    let first: Input<Tone>
    let second: Input<Tone>
    let out: Output<Tone>
    let pitch: Int

    init(_ c: inout Contract) {
        first = c.input("first", .together, "One.")
        second = c.input("second", .together, "The other.")
        out = c.output("out", like: first, "Both.")
        pitch = c.integer("pitch", default: 440, in: 1...20_000, .hertz, "What it mixes at.")
    }
    func resolve(_ f: inout Formats) {
        f.request(first, ToneFormat(pitch: pitch))
        f.request(second, ToneFormat(pitch: pitch))
        if let format = f[first] { f.set(out, format, rate: f.rate(of: first)) }
    }
    mutating func run(_ io: inout IO) {}
}

/// Writes tones, and lights where there are any.
struct Sink: Node {
    static let kind = "test.sink"
    static let execution = Execution.blocking
    let tones: Inputs<Tone>
    let light: Input<Light>?
    let path: OutputPath?

    init(_ c: inout Contract) {
        tones = c.inputs("tones", .inOrder, changes: .accepts, "Tones.")
        light = c.optionalInput("light", .inOrder, "Lights.")
        path = c.outputPath("path", sequence: true, "The file.")
        _ = c.optionalString("title", "A title.")
        _ = c.optionalTime("start", "Where it starts.")
        _ = c.optionalList("routes", "Ways.") { c in
            _ = c.string("target", "Where to.")
            return c.number("depth", default: 1, in: 0...4, .none, "How much.")
        }
    }
    mutating func run(_ io: inout IO) {}
}

/// Has two outputs of one payload.
struct Twins: Node {
    static let kind = "test.twins"
    static let execution = Execution.serial
    let left: Output<Tone>
    let right: Output<Tone>

    init(_ c: inout Contract) {
        left = c.output("left", "One.")
        right = c.output("right", "The other.")
    }
    mutating func run(_ io: inout IO) { io.end() }
}

/// Cannot be resolved.
struct Refuse: Node {
    enum Mode: String, CaseIterable { case plain, located }
    struct Refusal: Error, CustomStringConvertible { let description = "this cannot be done" }
    static let kind = "test.refuse"
    static let execution = Execution.serial
    let mode: Mode

    init(_ c: inout Contract) { mode = c.choice("mode", "How it refuses.") }
    func resolve(_ f: inout Formats) throws {
        switch mode {
        case .plain: throw Refusal()
        case .located:
            throw Problem(.format, "this mode does not go", pointer: "/mode", hint: "take another")
        }
    }
    mutating func run(_ io: inout IO) { io.end() }
}

let testCatalogue: [CatalogueEntry] = [
    CatalogueEntry(
        kind: "test.file",
        type: SourceFile.self,
        summary: "Reads tones from a file.",
        discussion: ""
    ),
    CatalogueEntry(
        kind: "test.mix",
        type: Mix.self,
        summary: "Mixes two tones.",
        discussion: "Exact."
    ),
    CatalogueEntry(kind: "test.pass", type: Pass.self, summary: "Passes tones on.", discussion: ""),
    CatalogueEntry(kind: "test.shift", type: Shift.self, summary: "Shifts tones.", discussion: ""),
    CatalogueEntry(kind: "test.sink", type: Sink.self, summary: "Writes tones.", discussion: ""),
    CatalogueEntry(
        kind: "test.source",
        type: SourceBoth.self,
        summary: "Makes tones and lights.",
        discussion: ""
    ),
    CatalogueEntry(kind: "test.twins", type: Twins.self, summary: "Makes two.", discussion: ""),
    CatalogueEntry(kind: "test.refuse", type: Refuse.self, summary: "Refuses.", discussion: ""),
]
