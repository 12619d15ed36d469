import Media

/// What the scheduler knows and decides: a value that returns actions and touches no thread.
///
/// The shell around it moves packets, runs nodes and tells it what came of it.
struct SchedulerState {
    /// A connection as the scheduler sees it: counts and times, no packets.
    struct Edge {
        let writer: Int
        let reader: Int
        let slot: Int
        /// How many packets and bytes fit; doubled to free a deadlock.
        var capacity: Int
        var byteCapacity: Int
        /// What waits for the reader, and what a running activation of it has in its hands.
        var waiting = 0
        var taken = 0
        var bytes = 0
        /// Room promised to running copies of a stateless writer.
        var reserved = 0
        /// The time of the packet that waits first, and of the last one written.
        var head: MediaTime?
        var last: MediaTime?
        /// Nothing before this will be written.
        var bound: MediaTime?
        /// The writer is done.
        var hasEnded = false
        /// The reader has enough.
        var isClosed = false
        var total: Int64 = 0
        var peakPackets = 0
        var peakBytes = 0
        var reliefs = 0

        var packets: Int { waiting + taken }

        var isFull: Bool {
            !isClosed
                && (packets + reserved >= capacity || (packets > 0 && bytes >= byteCapacity))
        }

        var view: LaneView {
            LaneView(head: waiting > 0 ? head : nil, bound: bound, hasEnded: hasEnded)
        }
    }

    /// A node as the scheduler sees it.
    struct Node {
        let execution: Execution
        /// The edges of its input slots, and the rules by which they are read.
        let slots: [Int]
        let rules: [InputRule]
        /// The edges of each output.
        let outputs: [[Int]]
        /// How many activations may run at once.
        let copies: Int
        var running = 0
        var wantsMore = false
        /// It has begun to flush and goes on until it says that it is done.
        var isFinishing = false
        var isDone = false
        var isQueued = false
        /// Nobody wants its outputs any more; it ends when what runs of it has returned.
        var isDoomed = false
        /// Copies of a stateless node that were finished.
        var finishedCopies = 0
        /// Nanoseconds a packet takes, as a running average: sizes a stateless copy's share.
        var costPerPacket: UInt64 = 0
        var wait = WaitClock()

        var isSource: Bool { slots.isEmpty }
        var isTogether: Bool { rules.contains(.together) }
        /// Whether copies may run at once: the input sets of one input can be cut anywhere.
        var isSplittable: Bool { execution == .stateless && slots.count == 1 }
    }

    /// How long a node waited, and for what.
    struct WaitClock {
        var since: UInt64 = 0
        var isForRoom = false
        var forInput: UInt64 = 0
        var forRoom: UInt64 = 0

        mutating func settle(at now: UInt64) {
            let passed = now >= since ? now - since : 0
            if isForRoom { forRoom += passed } else { forInput += passed }
            since = now
        }
    }

    /// Leave to run one activation.
    struct Grant: Equatable {
        let node: Int
        /// How many packets of the only input it gets; nil: all that wait on every input.
        var share: Int?
        /// The copy that is to be finished; nil: any free one is run.
        var finishing: Int?
        /// Per output, how many packets and bytes may be emitted; nil where nothing reads it.
        var rooms: [Room?] = []
    }

    struct Room: Equatable {
        var packets: Int
        var bytes: Int
    }

    /// What an activation did.
    struct Outcome {
        struct Taken {
            var packets = 0
            var bytes = 0
            /// What it left, and the time of the first of that.
            var left = 0
            var head: MediaTime?
        }

        struct Emitted {
            var packets = 0
            var bytes = 0
            var first: MediaTime?
            var last: MediaTime?
            var advancedTo: MediaTime?
        }

        var node: Int
        var share: Int?
        var taken: [Taken]
        var emitted: [Emitted]
        var closedSlots: [Int] = []
        var wantsMore = false
        var isFinishing = false
        var isDone = false
        var elapsed: UInt64 = 0
    }

    /// What the shell must do now.
    enum Action: Equatable {
        /// So many idle workers may find something to run.
        case wake(Int)
        /// This blocking node has something to run on its own queue.
        case runBlocking(Int)
        /// This node will not run again: free it and what waits on its inputs.
        case release(Int)
        /// Everything is done, or nothing that was cancelled runs any more.
        case finished
    }

    var nodes: [Node]
    var edges: [Edge]
    /// Nodes that workers may run, in the order in which they became ready.
    var ready = ReadyQueue()
    var running = 0
    var doneCount = 0
    var isCancelled = false
    var bytes = 0
    var peakBytes = 0
    let memoryLimit: Int
    let threads: Int
    /// Grows whenever packets move or a node works on: what the watchdog looks at.
    var moves: UInt64 = 0

    init(nodes: [Node], edges: [Edge], threads: Int, memoryLimit: Int) {
        self.nodes = nodes
        self.edges = edges
        self.threads = threads
        self.memoryLimit = memoryLimit
    }

    // MARK: Events

    /// Looks at all nodes for the first time.
    mutating func begin(at now: UInt64) -> [Action] {
        var actions: [Action] = []
        for node in nodes.indices {
            nodes[node].wait.since = now
            consider(node, at: now, &actions)
        }
        if doneCount == nodes.count { actions.append(.finished) }
        return actions
    }

    /// Gives a worker the node that has been ready longest.
    mutating func claim(at now: UInt64) -> Grant? {
        while let node = ready.popFirst() {
            nodes[node].isQueued = false
            guard isReady(node) else { continue }
            let grant = grant(node, at: now)
            // Another copy may go on with what is left.
            if nodes[node].isSplittable, isReady(node) {
                nodes[node].isQueued = true
                ready.append(node)
            }
            return grant
        }
        return nil
    }

    /// Gives a blocking node's own queue an activation, when there is something to run.
    mutating func claim(blocking node: Int, at now: UInt64) -> Grant? {
        nodes[node].isQueued = false
        return isReady(node) ? grant(node, at: now) : nil
    }

    private mutating func grant(_ index: Int, at now: UInt64) -> Grant {
        running += 1
        nodes[index].running += 1
        nodes[index].wait.settle(at: now)
        var grant = Grant(node: index)
        if nodes[index].isSplittable {
            let edge = nodes[index].slots[0]
            if edges[edge].waiting == 0 {
                grant.finishing = nodes[index].finishedCopies
            } else {
                let share = share(of: nodes[index], edge)
                grant.share = share
                take(share, from: edge)
                for output in nodes[index].outputs {
                    for edge in output { edges[edge].reserved += share }
                }
            }
        } else {
            for edge in nodes[index].slots { take(edges[edge].waiting, from: edge) }
        }
        grant.rooms = nodes[index].outputs.map(room)
        return grant
    }

    private mutating func take(_ count: Int, from edge: Int) {
        edges[edge].waiting -= count
        edges[edge].taken += count
        if edges[edge].waiting == 0 { edges[edge].head = nil }
    }

    /// How many packets a copy gets: about a millisecond's work, and no more than its part.
    private func share(of node: Node, _ edge: Int) -> Int {
        let waiting = edges[edge].waiting
        let byTime = Int(clamping: 1_000_000 / max(1, node.costPerPacket))
        let part = (waiting + node.copies - 1) / node.copies
        var share = min(64, byTime, part)
        for output in node.outputs {
            for edge in output where !edges[edge].isClosed {
                share = min(
                    share,
                    edges[edge].capacity - edges[edge].packets - edges[edge].reserved
                )
            }
        }
        return max(1, share)
    }

    private func room(_ output: [Int]) -> Room? {
        var room: Room?
        for edge in output where !edges[edge].isClosed {
            let packets = edges[edge].capacity - edges[edge].packets
            let bytes =
                edges[edge].packets == 0
                ? max(1, edges[edge].byteCapacity) : edges[edge].byteCapacity - edges[edge].bytes
            room = Room(
                packets: min(room?.packets ?? .max, packets),
                bytes: min(room?.bytes ?? .max, bytes)
            )
        }
        return room
    }

    /// Takes in what an activation did and says what can run now.
    mutating func complete(_ outcome: Outcome, at now: UInt64) -> [Action] {
        var actions: [Action] = []
        let index = outcome.node
        running -= 1
        nodes[index].running -= 1
        nodes[index].wait.since = now
        nodes[index].wantsMore = outcome.wantsMore
        if outcome.isFinishing { nodes[index].isFinishing = true }
        settleInputs(of: index, outcome, at: now, &actions)
        settleOutputs(of: index, outcome, at: now, &actions)
        if outcome.isDone {
            nodes[index].finishedCopies += 1
            if !nodes[index].isSplittable || nodes[index].finishedCopies == nodes[index].copies {
                end(index, at: now, &actions)
            }
        }
        if nodes[index].isDoomed, nodes[index].running == 0 { end(index, at: now, &actions) }
        consider(index, at: now, &actions)
        if doneCount == nodes.count || (isCancelled && running == 0) { actions.append(.finished) }
        return actions
    }

    private mutating func settleInputs(
        of index: Int,
        _ outcome: Outcome,
        at now: UInt64,
        _ actions: inout [Action]
    ) {
        for (slot, taken) in outcome.taken.enumerated() {
            let edge = nodes[index].slots[slot]
            if edges[edge].isClosed { continue }
            edges[edge].taken -= taken.packets + taken.left
            edges[edge].bytes -= taken.bytes
            bytes -= taken.bytes
            if taken.left > 0 {
                edges[edge].waiting += taken.left
                edges[edge].head = taken.head
            }
            if taken.packets > 0 {
                moves &+= 1
                consider(edges[edge].writer, at: now, &actions)
            }
        }
        for slot in outcome.closedSlots { close(nodes[index].slots[slot], at: now, &actions) }
        if let share = outcome.share, share > 0 {
            let cost = outcome.elapsed / UInt64(share)
            let average = nodes[index].costPerPacket
            nodes[index].costPerPacket = average == 0 ? cost : (average * 7 + cost) / 8
            for output in nodes[index].outputs {
                for edge in output { edges[edge].reserved -= share }
            }
        }
    }

    private mutating func settleOutputs(
        of index: Int,
        _ outcome: Outcome,
        at now: UInt64,
        _ actions: inout [Action]
    ) {
        // A node that works on without packets, as through a warm-up, does not stand still.
        if outcome.wantsMore { moves &+= 1 }
        for (output, emitted) in outcome.emitted.enumerated() {
            for edge in nodes[index].outputs[output] where !edges[edge].isClosed {
                if emitted.packets > 0 {
                    if edges[edge].waiting == 0 { edges[edge].head = emitted.first }
                    edges[edge].waiting += emitted.packets
                    edges[edge].bytes += emitted.bytes
                    edges[edge].total += Int64(emitted.packets)
                    edges[edge].last = emitted.last
                    edges[edge].peakPackets = max(edges[edge].peakPackets, edges[edge].packets)
                    edges[edge].peakBytes = max(edges[edge].peakBytes, edges[edge].bytes)
                    bytes += emitted.bytes
                    peakBytes = max(peakBytes, bytes)
                    moves &+= 1
                }
                if let last = emitted.last { edges[edge].bound = last }
                if let promised = emitted.advancedTo,
                    edges[edge].bound.map({ promised > $0 }) ?? true
                {
                    edges[edge].bound = promised
                }
                consider(edges[edge].reader, at: now, &actions)
            }
        }
    }

    /// Stops everything: nothing is granted any more.
    mutating func cancel() -> [Action] {
        if isCancelled { return [] }
        isCancelled = true
        ready = ReadyQueue()
        return running == 0 ? [.finished] : []
    }

    // MARK: Ends

    /// Ends a node: its outputs end, and what feeds only it ends too.
    private mutating func end(_ index: Int, at now: UInt64, _ actions: inout [Action]) {
        if nodes[index].isDone { return }
        nodes[index].isDone = true
        doneCount += 1
        actions.append(.release(index))
        for output in nodes[index].outputs {
            for edge in output {
                edges[edge].hasEnded = true
                consider(edges[edge].reader, at: now, &actions)
            }
        }
        for edge in nodes[index].slots { close(edge, at: now, &actions) }
    }

    /// Ends a reader's wish for an edge, and its writer when nobody else wants anything of it.
    private mutating func close(_ edge: Int, at now: UInt64, _ actions: inout [Action]) {
        if edges[edge].isClosed { return }
        edges[edge].isClosed = true
        bytes -= edges[edge].bytes
        edges[edge].bytes = 0
        edges[edge].waiting = 0
        edges[edge].taken = 0
        edges[edge].head = nil
        let writer = edges[edge].writer
        if nodes[writer].outputs.allSatisfy({ $0.allSatisfy { edges[$0].isClosed } }) {
            nodes[writer].isDoomed = true
            if nodes[writer].running == 0 { end(writer, at: now, &actions) }
        } else {
            consider(writer, at: now, &actions)
        }
    }

    /// Queues a node that has become ready, or notes what it waits for.
    private mutating func consider(_ index: Int, at now: UInt64, _ actions: inout [Action]) {
        if nodes[index].isQueued || isCancelled { return }
        if isReady(index) {
            nodes[index].isQueued = true
            if nodes[index].execution == .blocking {
                actions.append(.runBlocking(index))
            } else {
                ready.append(index)
            }
        } else if nodes[index].running == 0, !nodes[index].isDone {
            let isForRoom = hasWork(index)
            if isForRoom != nodes[index].wait.isForRoom {
                nodes[index].wait.settle(at: now)
                nodes[index].wait.isForRoom = isForRoom
            }
        }
    }
}

/// First in, first out; small integers.
struct ReadyQueue {
    private var items: [Int] = []
    private var first = 0

    var count: Int { items.count - first }

    mutating func append(_ item: Int) { items.append(item) }

    mutating func popFirst() -> Int? {
        guard first < items.count else { return nil }
        defer {
            first += 1
            if first == items.count {
                items.removeAll(keepingCapacity: true)
                first = 0
            } else if first > 1024 {
                items.removeFirst(first)
                first = 0
            }
        }
        return items[first]
    }
}
