import Graph
import Media

/// Writes checksums of all that comes in to a text file, so that two runs can be compared.
///
/// At the end every connected input gets a line: `total`, its name, how many packets and bytes came,
/// and a hash over every packet's time, duration, flags and contents. With `"detail": "packets"`
/// every packet has a line before that: its input, its number, time and duration in seconds as
/// fractions, bytes, and the hash of its contents alone. At least one input must be connected.
struct TestChecksum: Node {
    static let kind = "test.checksum"
    static let execution = Execution.blocking

    /// How much is written.
    enum Detail: String, CaseIterable {
        case total, packets
    }

    let inputs: AnyInputs
    let path: OutputPath
    let detail: Detail
    private var ledger: ChecksumLedger
    private var file: OutputFile?

    init(_ c: inout Contract) {
        inputs = AnyInputs(&c)
        path = c.outputPath("path", example: "checksums.txt", "The text file to write.")
        detail = c.choice(
            "detail",
            default: Detail.total,
            "Whether every packet gets a line of its own."
        )
        c.require(
            !path.isStandardOutput,
            "path",
            "must be a file: this node does not write to stdout"
        )
        ledger = ChecksumLedger(labels: inputs.labels, listsPackets: detail == .packets)
    }

    mutating func start(_ f: borrowing Formats) throws {
        file = try f.environment.outputs.open(path.path)
    }

    mutating func run(_ io: inout IO) throws {
        while inputs.takeNext(&io, &ledger) {
            if ledger.text.count >= 1 << 16 { try write() }
        }
    }

    mutating func finish(_ io: inout IO) throws {
        ledger.close()
        try write()
    }

    private mutating func write() throws {
        try file?.write(ledger.text.span)
        ledger.text.removeAll(keepingCapacity: true)
    }
}

/// The lines of a checksum file, and the sums they will end with.
private struct ChecksumLedger: PacketVisitor {
    private struct Tally {
        let label: String
        var packets = 0
        var bytes = 0
        var checksum = Checksum()
    }

    private var tallies: [Tally]
    private let listsPackets: Bool
    /// What is not written yet.
    var text: [UInt8] = []

    init(labels: [String], listsPackets: Bool) {
        tallies = labels.map { Tally(label: $0) }
        self.listsPackets = listsPackets
    }

    mutating func visit<T: Checksummed>(_ packet: Packet<T>, of input: Int) {
        let contents = packet.payload.checksum
        let byteCount = packet.payload.byteCount
        if listsPackets {
            add(
                "\(tallies[input].label) \(packet.index) \(fraction(packet.time)) "
                    + "\(fraction(packet.duration)) \(byteCount) \(contents.text)"
            )
        }
        tallies[input].packets += 1
        tallies[input].bytes += byteCount
        tallies[input].checksum.add(packet.time)
        tallies[input].checksum.add(packet.duration)
        tallies[input].checksum.add(Int(packet.flags.rawValue))
        tallies[input].checksum.add(contents.value)
    }

    mutating func close() {
        for tally in tallies {
            add("total \(tally.label) \(tally.packets) \(tally.bytes) \(tally.checksum.text)")
        }
    }

    private func fraction(_ time: MediaTime) -> String {
        let reduced = time.reduced
        return "\(reduced.value)/\(reduced.scale)"
    }

    private mutating func add(_ line: String) {
        text.append(contentsOf: line.utf8)
        text.append(UInt8(ascii: "\n"))
    }
}
