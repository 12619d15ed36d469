public import Media

/// One input of one running node: packets taken off the edge but not yet by the node.
@safe @frozen @usableFromInline package struct InputLane {
    @usableFromInline package var packets: PacketBuffer
    /// The position of the next packet, and the one it may not yet take.
    @usableFromInline package var next = 0
    @usableFromInline package var limit = 0
    /// The number of the format that the node was told of.
    @usableFromInline package var formatID: Int32
    /// The time of the packet last taken.
    @usableFromInline package var lastTime: MediaTime?
    @usableFromInline package let rule: InputRule
    @usableFromInline package let change: FormatChange
    /// Nothing earlier will come on the edge.
    @usableFromInline package var bound: MediaTime?
    /// Nothing more will come on the edge.
    @usableFromInline package var hasEnded = false
    /// The node said that it has enough.
    @usableFromInline package var isClosed = false
    /// Whether the packet at `next` belongs to the set being taken.
    @usableFromInline package var isInSet = false
    /// The packet that a `.hold` input shows.
    @usableFromInline package var held: RawPacket?
    /// The bytes of the packets taken in this activation.
    @usableFromInline package var consumedBytes = 0
    /// Packets dropped because they had no partner, or because a later one took their place.
    @usableFromInline package var unmatched = 0

    /// How many packets wait here.
    @usableFromInline package var waiting: Int { packets.count - next }

    @usableFromInline package var headTime: MediaTime? {
        unsafe next < packets.count ? packets.base[next].time : nil
    }

    @usableFromInline package mutating func pop() -> RawPacket {
        let packet = unsafe (packets.base + next).move()
        next += 1
        if limit < next { limit = next }
        lastTime = packet.time
        consumedBytes += packet.byteCount
        return packet
    }
}

/// One output of one running node: packets emitted but not yet on the edges.
@safe @frozen @usableFromInline package struct OutputLane {
    @usableFromInline package var packets: PacketBuffer
    @usableFromInline package var bytes = 0
    /// How many packets and bytes may still be emitted in this activation.
    @usableFromInline package var room = 0
    @usableFromInline package var byteRoom = 0
    @usableFromInline package var nextIndex: Int64 = 0
    @usableFromInline package var lastTime: MediaTime?
    /// What the node promised with `advance`.
    @usableFromInline package var advancedTo: MediaTime?
    @usableFromInline package var formatID: Int32 = -1
    @usableFromInline package var formatBox: AnyObject?
    /// Whether anything reads it.
    @usableFromInline package var isConnected = true
}

/// A growing run of packets in manual memory, so that edges can swap it with one assignment.
///
/// The owner moves packets out and calls `free()` at its end.
@safe @frozen @usableFromInline package struct PacketBuffer {
    @usableFromInline package var base: UnsafeMutablePointer<RawPacket>
    @usableFromInline package var count = 0
    @usableFromInline package var capacity: Int

    @usableFromInline package init(capacity: Int = 64) {
        unsafe base = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    @inlinable package mutating func append(_ packet: consuming RawPacket) {
        if count == capacity { grow(to: capacity * 2) }
        unsafe (base + count).initialize(to: packet)
        count += 1
    }

    /// Moves all of `other` to the end of this buffer.
    package mutating func append(moving other: inout PacketBuffer) {
        if count + other.count > capacity { grow(to: max(capacity * 2, count + other.count)) }
        unsafe (base + count).moveInitialize(from: other.base, count: other.count)
        count += other.count
        other.count = 0
    }

    @usableFromInline package mutating func grow(to capacity: Int) {
        let larger = UnsafeMutablePointer<RawPacket>.allocate(capacity: capacity)
        unsafe larger.moveInitialize(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = larger
        self.capacity = capacity
    }

    /// Moves the first `number` packets of `other` to the end of this buffer.
    package mutating func append(moving number: Int, from other: inout PacketBuffer) {
        if count + number > capacity { grow(to: max(capacity * 2, count + number)) }
        unsafe (base + count).moveInitialize(from: other.base, count: number)
        count += number
        other.dropMoved(number)
    }

    /// Closes the gap that `first` packets moved out at the front have left.
    package mutating func dropMoved(_ first: Int) {
        if first == 0 { return }
        unsafe base.moveInitialize(from: base + first, count: count - first)
        count -= first
    }

    /// Frees the packets from `first` on.
    package mutating func removeAll(from first: Int) {
        unsafe (base + first).deinitialize(count: count - first)
        count = 0
    }

    package func free() { unsafe base.deallocate() }
}
