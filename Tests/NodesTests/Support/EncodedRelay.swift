import Dispatch
import Graph
import Media

@testable import Nodes

/// Passes encoded packets on; one relay can wait until another has passed a time.
struct EncodedRelay: Node, ~Copyable {
    static let kind = "test.relay"
    static let execution = Execution.blocking
    static let entry = CatalogueEntry(
        kind: kind,
        type: Self.self,
        summary: "Passes packets for tests.",
        discussion: ""
    )

    private static let gates = Locked<[String: DispatchSemaphore]>([:])

    private static func gate(_ name: String) -> DispatchSemaphore {
        gates.withLock { gates in
            if let gate = gates[name] { return gate }
            let gate = DispatchSemaphore(value: 0)
            gates[name] = gate
            return gate
        }
    }

    let input: Input<EncodedPacket>
    let out: Output<EncodedPacket>
    let gate: String
    let opensAt: TimeValue?
    let waits: Bool
    private var isOpen = false

    init(_ c: inout Contract) {
        input = c.input("packets", .inOrder, changes: .accepts, "Packets.")
        out = c.output("packets", like: input, "The same.")
        gate = c.string("gate", default: "", "The name of the gate between two relays.")
        opensAt = c.optionalTime("opensAt", "It opens the gate when it has passed this time.")
        waits = c.boolean("waits", default: false, "Whether it passes nothing before.")
    }

    mutating func run(_ io: inout IO) {
        while let packet = io.take(input) {
            if waits, !isOpen {
                // A gate that nobody opens must not hold the tests for ever.
                _ = Self.gate(gate).wait(timeout: .now() + 60)
                isOpen = true
            }
            io.emit(packet.payload, like: packet, on: out)
            if let opensAt, packet.time >= opensAt.resolved(sampleRate: 48_000), !isOpen {
                isOpen = true
                Self.gate(gate).signal()
            }
        }
    }
}
