public import Media

/// One node with its lanes and its formats, from start to finish: what an activation runs.
@safe package final class NodeInstance: @unchecked Sendable {  // Run on one thread at a time.
    package enum Phase { case running, restarting, finishing, done }

    package let name: String
    package let slot: AnyNodeSlot
    package let activation: Activation
    package var formats: Formats
    package private(set) var phase = Phase.running
    /// It was made while the graph ran, and is started by its first activation.
    var needsStart = false
    /// Its last activation took less than a microsecond a packet or so.
    var isFast = false
    private let isSource: Bool

    package init(
        name: String,
        bound: BoundNode,
        formats: Formats,
        table: FormatTable
    ) {
        let schema = bound.contract.schema
        self.name = name
        slot = bound.slot
        self.formats = formats
        isSource = schema.slots.isEmpty
        activation = Activation(
            node: name,
            rules: schema.slots.map { schema.inputs[$0].rule },
            changes: schema.slots.map { schema.inputs[$0].change },
            outputCount: schema.outputs.count,
            table: table,
            environment: formats.environment
        )
        for index in formats.connected.indices {
            unsafe activation.outputs[index].isConnected = formats.connected[index]
        }
        adoptFormats()
    }

    /// Tells the lanes which formats the node knows.
    private func adoptFormats() {
        for index in formats.inputs.indices {
            guard let info = formats.inputs[index] else { continue }
            unsafe activation.inputs[index].formatID = activation.table.number(of: info.format)
        }
    }

    package func start() throws(NodeFailure) { try attempt { try slot.start(formats) } }

    /// Runs the node while its rule is met and its budget and its outputs' room allow.
    ///
    /// The lanes hold what it may take; afterwards, what it took, left and emitted.
    package func drive(_ budget: ActivationBudget) throws(NodeFailure) {
        activation.begin(budget)
        var io = IO(activation)
        while phase != .done, !activation.isStopped || activation.hasEnded {
            if activation.hasEnded {
                phase = .done
                break
            }
            switch phase {
            case .running: if try !runOnce(&io) { return }
            case .restarting:
                if try finishOnce(&io) { try restart() }
            case .finishing:
                if try finishOnce(&io) { phase = .done }
            case .done: break
            }
        }
        if activation.hasEnded { phase = .done }
    }

    /// Runs the node once; false when there is nothing to run it for.
    private func runOnce(_ io: inout IO) throws(NodeFailure) -> Bool {
        let isAsked = activation.wantsMore || isSource
        if isAsked {
            guard activation.allowsAnother() else { return false }
        } else if !activation.ruleIsMet() {
            if activation.inputsHaveEnded {
                phase = .finishing
                return true
            }
            activation.discardSuperseded()
            return false
        }
        activation.wantsMore = false
        let before = isAsked ? -1 : progress
        try attempt { try slot.run(&io) }
        activation.dropSet()
        if let input = activation.refusedInput { throw refusal(of: input) }
        if let input = activation.restartInput {
            // A writer that has begun cannot begin anew, even for an input's first packet.
            if unsafe activation.inputs[input].change == .fixed, !isUntouched {
                throw refusal(of: input)
            }
            phase = isUntouched ? .running : .restarting
            if phase == .running { try restart() } else { activation.resume() }
            return true
        }
        if isSource, !activation.wantsMore, !activation.hasEnded {
            phase = .finishing
        } else if !activation.wantsMore, !activation.isStopped, progress == before {
            fatalError("Node \(name) was run with input that it neither took nor refused.")
        }
        return true
    }

    /// Finishes the node once; true when it has nothing more.
    private func finishOnce(_ io: inout IO) throws(NodeFailure) -> Bool {
        activation.wantsMore = false
        try attempt { try slot.finish(&io) }
        return !activation.wantsMore
    }

    /// Makes the node anew for the format that has come.
    private func restart() throws(NodeFailure) {
        guard let input = activation.restartInput else { return }
        let lane = unsafe activation.inputs + input
        let number = unsafe lane.pointee.packets.base[lane.pointee.next].formatID
        let format = activation.table.format(number)
        formats.inputs[input]?.format = format
        if formats.inputs[input] == nil { formats.inputs[input] = StreamInfo(format: format) }
        formats.requests = [:]
        activation.wantsMore = false
        try attempt {
            slot.renew()
            try slot.resolve(&formats)
        }
        if formats.requests[input] != nil { throw refusal(of: input) }
        try start()
        unsafe lane.pointee.formatID = number
        activation.restartInput = nil
        phase = .running
        activation.resume()
    }

    private var isUntouched: Bool {
        (0..<activation.inputCount).allSatisfy { unsafe activation.inputs[$0].lastTime == nil }
            && (0..<activation.outputCount).allSatisfy {
                unsafe activation.outputs[$0].nextIndex == 0
            }
    }

    /// Grows whenever the node takes or emits anything.
    private var progress: Int64 {
        var sum: Int64 = 0
        for index in 0..<activation.inputCount {
            unsafe sum += Int64(activation.inputs[index].next)
            if unsafe activation.inputs[index].isClosed { sum += 1 }
        }
        for index in 0..<activation.outputCount {
            unsafe sum += activation.outputs[index].nextIndex
        }
        return sum
    }

    private func refusal(of input: Int) -> NodeFailure {
        let lane = unsafe activation.inputs + input
        let head = unsafe lane.pointee.packets.base[lane.pointee.next]
        let number = unsafe lane.pointee.formatID
        let old = number < 0 ? "an unknown format" : "\(activation.table.format(number))"
        let new = activation.table.format(head.formatID)
        return NodeFailure(
            node: name,
            time: head.time,
            packet: head.index,
            cause: FormatChangeError(old: old, new: "\(new)")
        )
    }

    private func attempt(_ body: () throws -> Void) throws(NodeFailure) {
        do {
            try body()
        } catch let failure as NodeFailure {
            throw failure
        } catch {
            var latest: MediaTime?
            for index in 0..<activation.inputCount {
                if let time = unsafe activation.inputs[index].lastTime,
                    latest.map({ time > $0 }) ?? true
                {
                    latest = time
                }
            }
            throw NodeFailure(node: name, time: latest, packet: nil, cause: error)
        }
    }
}

/// A node failed: which, at what time of its input, and why.
public struct NodeFailure: Error, CustomStringConvertible, Sendable {
    /// The node's name in the graph.
    public let node: String
    /// The time of the packet it took last; nil before the first.
    public let time: MediaTime?
    /// That packet's number, where it is known.
    public let packet: Int64?
    /// What went wrong.
    public let cause: any Error

    /// Node, time and cause in one line.
    public var description: String {
        let place = time.map { " at \($0)" } ?? ""
        let number = packet.map { ", packet \($0)" } ?? ""
        return "node \"\(node)\"\(place)\(number): \(cause)"
    }
}

/// A stream changed its format where its reader cannot follow.
public struct FormatChangeError: Error, CustomStringConvertible, Sendable {
    /// The format before.
    public let old: String
    /// The format that came.
    public let new: String

    /// Both formats, and what to do.
    public var description: String {
        "the input changes from \(old) to \(new) in the middle, which this node cannot follow "
            + "(convert it to one format before, as with audio.resample or video.scale)"
    }
}
