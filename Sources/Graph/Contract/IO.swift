public import Media

/// A node's ports while it runs.
///
/// A node cannot ask whether or how many packets wait: what it sees never depends on the schedule.
@safe @frozen public struct IO: ~Copyable {
    @usableFromInline let inputs: UnsafeMutablePointer<InputLane>
    @usableFromInline let outputs: UnsafeMutablePointer<OutputLane>
    @usableFromInline let activation: Activation

    init(_ activation: Activation) {
        unsafe inputs = activation.inputs
        unsafe outputs = activation.outputs
        self.activation = activation
    }

    /// Takes the next packet that the input's rule gives, or nil when there is none now.
    ///
    /// A `.hold` input shows the same packet until a later one takes its place.
    @inlinable @inline(__always)
    public mutating func take<T: Payload>(_ input: Input<T>) -> Packet<T>? {
        let lane = unsafe inputs + input.index
        if unsafe lane.pointee.next < lane.pointee.limit {
            let head = unsafe lane.pointee.packets.base + lane.pointee.next
            if unsafe head.pointee.formatID == lane.pointee.formatID {
                unsafe lane.pointee.next += 1
                unsafe lane.pointee.lastTime = head.pointee.time
                unsafe lane.pointee.consumedBytes += head.pointee.byteCount
                return unsafe Packet(moving: head)
            }
        }
        guard let raw = activation.take(input.index) else { return nil }
        return Packet(raw)
    }

    /// Emits a payload; its time must not be before that of the packet before.
    ///
    /// - Parameters:
    ///   - payload: what is emitted.
    ///   - time: when it is; of an encoded packet, its decoding time.
    ///   - duration: how long it lasts, where that means something.
    ///   - flags: what else is said of it.
    ///   - output: where it goes.
    @inlinable public mutating func emit<T: Payload>(
        _ payload: consuming T,
        at time: MediaTime,
        duration: MediaTime = .zero,
        flags: PacketFlags = [],
        on output: Output<T>
    ) {
        let lane = unsafe outputs + output.index
        if unsafe !lane.pointee.isConnected { return }
        if let last = unsafe lane.pointee.lastTime, time < last {
            activation.trapOnTime(time, after: last, output: output.index)
        }
        let format = payload.format
        if let box = unsafe lane.pointee.formatBox,
            unsafe unsafeDowncast(box, to: FormatBox<T.Format>.self).format == format
        {
        } else {
            unsafe lane.pointee.formatBox = FormatBox(format)
            unsafe lane.pointee.formatID = activation.table.number(of: format)
        }
        let byteCount = payload.byteCount
        let packet = unsafe RawPacket(
            time: time,
            duration: duration,
            index: lane.pointee.nextIndex,
            payload: consume payload,
            byteCount: byteCount,
            formatID: lane.pointee.formatID,
            flags: flags
        )
        unsafe lane.pointee.packets.append(packet)
        unsafe lane.pointee.lastTime = time
        unsafe lane.pointee.nextIndex += 1
        unsafe lane.pointee.bytes += byteCount
        unsafe lane.pointee.room -= 1
        if unsafe lane.pointee.room <= 0 || lane.pointee.bytes >= lane.pointee.byteRoom {
            activation.stop()
        }
    }

    /// Emits a payload in the place of `packet`: at its time, with its duration and flags.
    @inlinable @inline(__always)
    public mutating func emit<T: Payload, U: Payload>(
        _ payload: consuming T,
        like packet: Packet<U>,
        on output: Output<T>
    ) {
        emit(
            payload,
            at: packet.time,
            duration: packet.duration,
            flags: packet.flags,
            on: output
        )
    }

    /// Hands a packet on as it is.
    @inlinable @inline(__always)
    public mutating func pass<T: Payload>(_ packet: consuming Packet<T>, on output: Output<T>) {
        let (time, duration, flags) = (packet.time, packet.duration, packet.flags)
        let payload = packet.payload
        _ = consume packet
        emit(payload, at: time, duration: duration, flags: flags, on: output)
    }

    /// Promises that nothing before `time` will be emitted on an output.
    public mutating func advance<T: Payload>(_ output: Output<T>, to time: MediaTime) {
        unsafe outputs[output.index].advancedTo = time
        // Kept like the time of a packet, so that a broken promise is found.
        if unsafe outputs[output.index].lastTime.map({ time > $0 }) ?? true {
            unsafe outputs[output.index].lastTime = time
        }
    }

    /// Asks to be run again without new input: sources, nodes with much to emit, and `finish`.
    @inlinable public mutating func more() { activation.wantsMore = true }

    /// Ends all outputs: the node is not run again.
    public mutating func end() { activation.saysEnd() }

    /// Ends this node's wish for an input, and upstream what feeds only it.
    public mutating func enough<T: Payload>(_ input: Input<T>) {
        activation.saysEnough(input.index)
    }

    /// Hands out `buffer` in bands of whole rows to the engine's workers and returns when all are done.
    ///
    /// - Parameters:
    ///   - buffer: what is written; its count must be a multiple of `rows`.
    ///   - rows: how many rows of equal length it holds.
    ///   - bandRows: how many rows a part gets; how many parts there are follows from the data alone.
    ///   - body: gets the elements of its rows and the rows' numbers.
    public mutating func split<Element>(
        _ buffer: inout Writable<Element>,
        rows: Int,
        bandRows: Int = 16,
        _ body: @Sendable (inout MutableSpan<Element>, Range<Int>) -> Void
    ) {
        environment.executor.split(&buffer, rows: rows, bandRows: bandRows, body)
    }

    /// Where the node runs: workers, outputs, what is told to the user.
    public var environment: NodeEnvironment { activation.environment }
}
