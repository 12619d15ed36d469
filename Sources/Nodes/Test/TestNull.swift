import Graph
import Media

/// Takes packets of any kind and drops them.
///
/// At least one input must be connected.
struct TestNull: Node {
    static let kind = "test.null"
    static let execution = Execution.serial

    private struct Dropping: PacketVisitor {
        func visit<T: Checksummed>(_ packet: Packet<T>, of input: Int) {}
    }

    let inputs: AnyInputs

    init(_ c: inout Contract) {
        inputs = AnyInputs(&c)
    }

    mutating func run(_ io: inout IO) {
        var dropping = Dropping()
        while inputs.takeNext(&io, &dropping) {}
    }
}
