import Glibc
public import Media

/// One node while it runs: its lanes, what it asked for, and the rules by which packets are given out.
///
/// Knows no thread and no edge: the engine, or a test, fills the input lanes and empties the output
/// lanes between calls of `drive`.
@safe @usableFromInline package final class Activation {
    @usableFromInline package let inputs: UnsafeMutablePointer<InputLane>
    @usableFromInline package let outputs: UnsafeMutablePointer<OutputLane>
    package let inputCount: Int
    package let outputCount: Int
    @usableFromInline let table: FormatTable
    let environment: NodeEnvironment
    let nodeName: String
    /// The inputs whose packets set the pace, and those that only show a value beside them.
    package let drivers: [Int]
    package let holds: [Int]
    private let isTogether: Bool

    // In memory of its own: stored properties would be checked for exclusive access on every packet.
    @usableFromInline let state: UnsafeMutablePointer<State>

    @safe @usableFromInline struct State {
        @usableFromInline var wantsMore = false
        /// No packet is given out any more in this activation.
        var isStopped = false
        var hasEnded = false
        /// The input whose next packet has a format the node must be started anew for.
        var restartInput: Int?
        /// An input that said `.fixed` got another format.
        var refusedInput: Int?
        var budget = ActivationBudget(deadline: .max, packets: .max)
    }

    @inlinable package var wantsMore: Bool {
        get { unsafe state.pointee.wantsMore }
        set { unsafe state.pointee.wantsMore = newValue }
    }
    package private(set) var isStopped: Bool {
        get { unsafe state.pointee.isStopped }
        set { unsafe state.pointee.isStopped = newValue }
    }
    package private(set) var hasEnded: Bool {
        get { unsafe state.pointee.hasEnded }
        set { unsafe state.pointee.hasEnded = newValue }
    }
    var restartInput: Int? {
        get { unsafe state.pointee.restartInput }
        set { unsafe state.pointee.restartInput = newValue }
    }
    var refusedInput: Int? {
        get { unsafe state.pointee.refusedInput }
        set { unsafe state.pointee.refusedInput = newValue }
    }

    init(
        node: String,
        rules: [InputRule],
        changes: [FormatChange],
        outputCount: Int,
        table: FormatTable,
        environment: NodeEnvironment
    ) {
        nodeName = node
        inputCount = rules.count
        self.outputCount = outputCount
        self.table = table
        self.environment = environment
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: State())
        unsafe inputs = .allocate(capacity: max(1, rules.count))
        for (index, rule) in rules.enumerated() {
            unsafe (inputs + index).initialize(
                to: InputLane(
                    packets: PacketBuffer(),
                    formatID: -1,
                    rule: rule,
                    change: changes[index]
                )
            )
        }
        unsafe outputs = .allocate(capacity: max(1, outputCount))
        for index in 0..<outputCount {
            unsafe (outputs + index).initialize(to: OutputLane(packets: PacketBuffer()))
        }
        drivers = rules.indices.filter { rules[$0] != .hold }
        holds = rules.indices.filter { rules[$0] == .hold }
        isTogether = rules.contains(.together)
        precondition(
            rules.isEmpty || !drivers.isEmpty,
            "\(node) has only inputs that hold a value."
        )
        precondition(
            !(isTogether && rules.contains(.inOrder)),
            "\(node) mixes inputs read in order and together."
        )
    }

    deinit {
        unsafe state.deallocate()
        for index in 0..<inputCount {
            unsafe inputs[index].packets.removeAll(from: inputs[index].next)
            unsafe inputs[index].packets.free()
        }
        unsafe inputs.deinitialize(count: inputCount)
        unsafe inputs.deallocate()
        for index in 0..<outputCount {
            unsafe outputs[index].packets.removeAll(from: 0)
            unsafe outputs[index].packets.free()
        }
        unsafe outputs.deinitialize(count: outputCount)
        unsafe outputs.deallocate()
    }

    // MARK: What the node says

    @usableFromInline func stop() {
        isStopped = true
        for index in 0..<inputCount { unsafe inputs[index].limit = inputs[index].next }
    }

    func saysEnd() {
        hasEnded = true
        stop()
    }

    func saysEnough(_ input: Int) {
        unsafe inputs[input].isClosed = true
        unsafe inputs[input].limit = inputs[input].next
        discardWaiting(input)
    }

    /// Frees what waits in an input lane.
    func discardWaiting(_ input: Int) {
        let first = unsafe inputs[input].next
        let count = unsafe inputs[input].packets.count
        for position in first..<count {
            unsafe inputs[input].consumedBytes += inputs[input].packets.base[position].byteCount
            unsafe (inputs[input].packets.base + position).deinitialize(count: 1)
        }
        unsafe inputs[input].next = count
        unsafe inputs[input].limit = count
        unsafe inputs[input].isInSet = false
    }

    @usableFromInline func trapOnTime(_ time: MediaTime, after last: MediaTime, output: Int)
        -> Never
    {
        fatalError("Node \(nodeName) emits at \(time) on output \(output), after \(last).")
    }

    // MARK: Giving packets out

    /// Whether the activation may go on for one more packet; counts it.
    func allowsAnother() -> Bool { unsafe state.pointee.budget.allowsAnother() }

    /// Goes on with the activation's budget after a node was made anew or is finished.
    func resume() { unsafe begin(state.pointee.budget) }

    /// Begins an activation: lanes are filled, rooms are set.
    func begin(_ budget: ActivationBudget) {
        unsafe state.pointee.budget = budget
        isStopped = false
        for index in 0..<outputCount where unsafe outputs[index].isConnected {
            if unsafe outputs[index].room <= 0 || outputs[index].byteRoom <= 0 { stop() }
        }
    }

    private func view(_ input: Int) -> LaneView {
        unsafe LaneView(
            head: inputs[input].headTime,
            bound: inputs[input].bound,
            hasEnded: inputs[input].hasEnded || inputs[input].isClosed
        )
    }

    /// The slow way of `IO.take`: applies the rule, the budget, and format changes.
    @usableFromInline func take(_ input: Int) -> RawPacket? {
        if unsafe inputs[input].rule == .hold { return unsafe inputs[input].held }
        if isStopped || restartInput != nil { return nil }
        if isTogether { return takeFromSet(input) }
        guard unsafe inputs[input].waiting > 0 && !inputs[input].isClosed else { return nil }
        if drivers.count == 1, holds.isEmpty {
            guard allowsAnother(), accepts(input) else { return giveUp() }
            let chunk = unsafe state.pointee.budget.chunk()
            let packet = unsafe inputs[input].pop()
            unsafe inputs[input].limit = min(
                inputs[input].packets.count,
                inputs[input].next + chunk
            )
            return packet
        }
        guard let (winner, time) = InputRules.earliest(drivers.map(view)), drivers[winner] == input,
            holdsAreKnown(at: time)
        else { return nil }
        guard allowsAnother(), accepts(input), showHolds(at: time) else { return giveUp() }
        return unsafe inputs[input].pop()
    }

    private func giveUp() -> RawPacket? {
        stop()
        return nil
    }

    private func takeFromSet(_ input: Int) -> RawPacket? {
        if unsafe !inputs[input].isInSet {
            dropSet()
            guard allowsAnother() else { return giveUp() }
            guard formSet() else { return nil }
        }
        unsafe inputs[input].isInSet = false
        return unsafe inputs[input].pop()
    }

    /// Drops what the node left of the set it was given.
    func dropSet() {
        for index in drivers where unsafe inputs[index].isInSet {
            unsafe inputs[index].isInSet = false
            _ = unsafe inputs[index].pop()
        }
    }

    /// Brings packets of one time to the head of every `.together` input.
    private func formSet() -> Bool {
        while true {
            switch InputRules.match(drivers.map(view)) {
            case .incomplete: return false
            case .drop(let positions):
                for position in positions {
                    _ = unsafe inputs[drivers[position]].pop()
                    unsafe inputs[drivers[position]].unmatched += 1
                }
            case .set(let time):
                guard holdsAreKnown(at: time) else { return false }
                for index in drivers { guard accepts(index) else { return false } }
                guard showHolds(at: time) else { return false }
                for index in drivers { unsafe inputs[index].isInSet = true }
                return true
            }
        }
    }

    private func holdsAreKnown(at time: MediaTime) -> Bool {
        holds.allSatisfy { InputRules.isKnown(view($0), lastWaiting: lastWaiting($0), after: time) }
    }

    private func lastWaiting(_ input: Int) -> MediaTime? {
        unsafe inputs[input].waiting > 0
            ? inputs[input].packets.base[inputs[input].packets.count - 1].time : nil
    }

    /// Lets every `.hold` input show its latest packet at or before `time`.
    private func showHolds(at time: MediaTime) -> Bool {
        for index in holds {
            while let head = unsafe inputs[index].headTime, head <= time {
                guard accepts(index) else { return false }
                unsafe inputs[index].held = inputs[index].pop()
            }
        }
        return true
    }

    /// Drops packets of `.hold` inputs that a later one has replaced before anyone could see them.
    func discardSuperseded() {
        let views = drivers.map(view)
        guard let time = InputRules.lowerBound(views) else { return }
        for index in holds {
            while unsafe inputs[index].waiting > 1 {
                let position = unsafe inputs[index].next + 1
                guard unsafe inputs[index].packets.base[position].time <= time else { break }
                _ = unsafe inputs[index].pop()
            }
        }
    }

    /// Applies the input's rule for format changes to its next packet.
    private func accepts(_ input: Int) -> Bool {
        let next = unsafe inputs[input].packets.base[inputs[input].next].formatID
        if unsafe next == inputs[input].formatID { return true }
        let isFirst = unsafe inputs[input].lastTime == nil
        switch unsafe inputs[input].change {
        case .accepts:
            unsafe inputs[input].formatID = next
            return true
        case .fixed where !isFirst:
            refusedInput = input
        case .restart, .fixed:
            restartInput = input
        }
        stop()
        return false
    }

    /// Whether the rule lets the node be run now.
    func ruleIsMet() -> Bool {
        if isStopped { return false }
        if isTogether {
            if drivers.contains(where: { unsafe inputs[$0].isInSet }) { return true }
            switch InputRules.match(drivers.map(view)) {
            case .incomplete: return false
            case .drop: return true
            case .set(let time): return holdsAreKnown(at: time)
            }
        }
        guard let (_, time) = InputRules.earliest(drivers.map(view)) else { return false }
        return holdsAreKnown(at: time)
    }

    /// Whether no driver can give anything any more, so that the node is to be finished.
    var inputsHaveEnded: Bool {
        InputRules.haveEnded(drivers.map(view), together: isTogether)
    }
}

/// How long an activation may go on: a number of packets, and a time looked at ever more rarely.
package struct ActivationBudget {
    /// Monotonic nanoseconds.
    let deadline: UInt64
    private var packets: Int
    private var unchecked: Int
    private var untilCheck: Int

    /// Begins a budget; a node known to be fast is asked for the time only after 32 packets.
    package init(deadline: UInt64, packets: Int, isFast: Bool = false) {
        self.deadline = deadline
        self.packets = packets
        unchecked = isFast ? 32 : 1
        untilCheck = unchecked
    }

    /// Whether one more packet may be given out; counts it.
    mutating func allowsAnother() -> Bool {
        if packets <= 0 { return false }
        packets -= 1
        untilCheck -= 1
        if untilCheck > 0 { return true }
        // Another one is asked after 1, 2, 4, … packets.
        untilCheck = unchecked
        unchecked = min(unchecked * 2, 32)
        return deadline == .max || monotonicNanoseconds() < deadline
    }

    /// How many packets may be given out beside the one just allowed without asking again.
    mutating func chunk() -> Int {
        let free = max(0, min(untilCheck - 1, packets))
        untilCheck -= free
        if packets != .max { packets -= free }
        return free
    }
}

/// The machine's monotonic clock, in nanoseconds.
func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
