public import Graph
public import Media

/// Drives one node without an engine: packets in by name, packets out by name.
///
/// Every output has room for everything, unless `packetsPerCall` says otherwise.
public final class NodeRunner {
    private let instance: NodeInstance
    private let schema: NodeSchema
    private let table = FormatTable()
    private var collected: [[RawPacket]]
    /// What the node told of its input.
    public var notices: Notices { instance.formats.environment.notices.withLock { $0 } }
    /// Formats, rates and lengths after `resolve`.
    public private(set) var formats: Formats

    /// Declares the node, gives its inputs' formats, resolves and starts it.
    ///
    /// - Parameters:
    ///   - type: the node.
    ///   - parameters: its parameters as a graph file has them.
    ///   - inputs: what is known of each connected input, in the order of declaration; elements of a
    ///     `many` input share a name.
    ///   - readOutputs: the outputs that something reads; nil for all.
    ///   - environment: where it runs.
    /// - Throws: the first `Problem` of its parameters, or what `resolve` and `start` throw.
    public init(
        _ type: any (Node & ~Copyable).Type,
        _ parameters: [String: JSON.Value] = [:],
        inputs: [(name: String, info: StreamInfo)] = [],
        readOutputs: Set<String>? = nil,
        environment: NodeEnvironment = NodeEnvironment(mayReadStandardInput: true)
    ) throws {
        let members = parameters.sorted { $0.key < $1.key }.map {
            JSON.Member(
                key: $0.key,
                location: SourceLocation(line: 0, column: 0),
                value: JSON($0.value)
            )
        }
        var binding = Contract.Binding(node: "test", object: JSON(.object(members)))
        for input in inputs { binding.connections[input.name, default: 0] += 1 }
        let bound = bind(type, binding)
        if let problem = bound.contract.problems.first { throw problem }
        schema = bound.contract.schema
        var formats = Formats(
            inputs: inputs.map(\.info),
            outputs: schema.outputs.count,
            connected: schema.outputs.map { readOutputs?.contains($0.name) ?? true },
            environment: environment
        )
        for (index, output) in schema.outputs.enumerated() {
            if let like = output.like { formats.outputs[index] = formats.inputs[like] }
        }
        try bound.slot.resolve(&formats)
        self.formats = formats
        collected = Array(repeating: [], count: schema.outputs.count)
        instance = NodeInstance(name: "test", bound: bound, formats: formats, table: table)
        try instance.start()
    }

    /// Puts a packet on an input; `element` picks one of a `many` input's.
    public func feed<T: Payload>(
        _ name: String,
        element: Int = 0,
        _ payload: T,
        at time: MediaTime,
        duration: MediaTime = .zero,
        flags: PacketFlags = []
    ) {
        let lane = unsafe instance.activation.inputs + slot(name, element)
        unsafe lane.pointee.packets.append(
            RawPacket(
                time: time,
                duration: duration,
                index: Int64(lane.pointee.packets.count),
                payload: payload,
                byteCount: payload.byteCount,
                formatID: table.number(of: payload.format),
                flags: flags
            )
        )
        unsafe lane.pointee.bound = time
    }

    /// Promises that nothing before `time` will be fed to an input.
    public func advance(_ name: String, element: Int = 0, to time: MediaTime) {
        unsafe instance.activation.inputs[slot(name, element)].bound = time
    }

    /// Ends an input.
    public func end(_ name: String, element: Int = 0) {
        unsafe instance.activation.inputs[slot(name, element)].hasEnded = true
    }

    /// Ends all inputs.
    public func endAll() {
        for index in schema.slots.indices {
            unsafe instance.activation.inputs[index].hasEnded = true
        }
    }

    /// Runs the node until it has nothing to do.
    ///
    /// - Parameters:
    ///   - packetsPerCall: how many packets an activation may take.
    ///   - calls: at most this many activations: a bound for endless sources.
    /// - Throws: `NodeFailure`.
    public func run(packetsPerCall: Int = .max, calls: Int = .max) throws {
        var left = calls
        while instance.phase != .done, left > 0 {
            left -= 1
            for index in schema.outputs.indices {
                unsafe instance.activation.outputs[index].room = .max
                unsafe instance.activation.outputs[index].byteRoom = .max
            }
            let before = collected.map(\.count)
            let waiting = schema.slots.indices.map { unsafe instance.activation.inputs[$0].next }
            try instance.drive(ActivationBudget(deadline: .max, packets: packetsPerCall))
            for index in schema.outputs.indices {
                let lane = unsafe instance.activation.outputs + index
                for position in unsafe 0..<lane.pointee.packets.count {
                    unsafe collected[index].append(lane.pointee.packets.base[position])
                }
                unsafe lane.pointee.packets.removeAll(from: 0)
                unsafe lane.pointee.bytes = 0
            }
            let now = schema.slots.indices.map { unsafe instance.activation.inputs[$0].next }
            // A node that was stopped may have used up its budget on what it took before.
            if before == collected.map(\.count), waiting == now, !instance.activation.wantsMore,
                !instance.activation.isStopped
            {
                return
            }
        }
    }

    /// Whether the node is finished.
    public var isDone: Bool { instance.phase == .done }

    /// Whether the node said that it has enough of an input.
    public func hasEnough(of name: String, element: Int = 0) -> Bool {
        unsafe instance.activation.inputs[slot(name, element)].isClosed
    }

    /// What came out of an output so far.
    public func output<T: Payload>(_ name: String, as type: T.Type = T.self) -> [Packet<T>] {
        guard let index = schema.outputs.firstIndex(where: { $0.name == name }) else {
            preconditionFailure("There is no output \(name).")
        }
        precondition(
            schema.outputs[index].payload == PayloadType(type),
            "Output \(name) is of another type."
        )
        return collected[index].map { Packet($0) }
    }

    /// What is known of an output after `resolve`.
    public func outputInfo(_ name: String) -> StreamInfo? {
        schema.outputs.firstIndex { $0.name == name }.flatMap { instance.formats.outputs[$0] }
    }

    /// What came out of each output so far, for comparing runs.
    var contents: [OutputContents] { collected.map { OutputContents($0) } }

    /// The declared rule of an input for changes of its format.
    func formatChange(of name: String) -> FormatChange {
        schema.inputs[schema.slots[slot(name, 0)]].change
    }

    private func slot(_ name: String, _ element: Int) -> Int {
        let matching = schema.slots.indices.filter { schema.inputs[schema.slots[$0]].name == name }
        precondition(element < matching.count, "There is no input \(name) \(element).")
        return matching[element]
    }
}

// A failed expectation shows the runner by its mirror, which cannot copy what payloads hold.
extension NodeRunner: CustomReflectable {
    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
