public import Media

/// What is said of one packet beside its time.
@frozen public struct PacketFlags: OptionSet, Sendable {
    /// The flags as bits.
    public let rawValue: UInt8
    /// Makes flags of bits.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Decoding may start here.
    public static let key = PacketFlags(rawValue: 1)
    /// Something is missing between the packet before and this one.
    public static let discontinuity = PacketFlags(rawValue: 2)
    /// Made from damaged input.
    public static let damaged = PacketFlags(rawValue: 4)
    /// The last packet of a segment.
    public static let endOfSegment = PacketFlags(rawValue: 8)
}

/// One payload with its place on the timeline.
@frozen public struct Packet<T: Payload>: Sendable {
    /// When it is; of an encoded packet, its decoding time.
    ///
    /// Times on an edge never fall.
    public let time: MediaTime
    /// How long it lasts; zero where that means nothing.
    public let duration: MediaTime
    /// Its number on its output, from 0; the engine counts.
    public let index: Int64
    /// What else is said of it.
    public let flags: PacketFlags
    /// What it carries.
    public let payload: T

    /// Moves a packet out of a buffer, whose place is then uninitialized; counts no reference.
    @inlinable @inline(__always)
    init(moving raw: UnsafeMutablePointer<RawPacket>) {
        unsafe time = raw.pointee.time
        unsafe duration = raw.pointee.duration
        unsafe index = raw.pointee.index
        unsafe flags = raw.pointee.flags
        payload = unsafe withUnsafeMutablePointer(to: &raw.pointee.payload) { place in
            unsafe UnsafeMutableRawPointer(place).assumingMemoryBound(to: Unmanaged<T>.self)
                .pointee.takeRetainedValue()
        }
    }

    @inlinable package init(_ raw: consuming RawPacket) {
        time = raw.time
        duration = raw.duration
        index = raw.index
        flags = raw.flags
        payload = unsafe unsafeDowncast(raw.payload, to: T.self)
    }
}

/// A packet as edges hold it: its payload's type was checked when the graph was loaded.
@frozen public struct RawPacket: Sendable {
    @usableFromInline package var time: MediaTime
    @usableFromInline package var duration: MediaTime
    @usableFromInline package var index: Int64
    @usableFromInline package var payload: any AnyObject & Sendable
    @usableFromInline package var byteCount: Int
    @usableFromInline package var formatID: Int32
    @usableFromInline package var flags: PacketFlags

    @inlinable package init(
        time: MediaTime,
        duration: MediaTime,
        index: Int64,
        payload: any AnyObject & Sendable,
        byteCount: Int,
        formatID: Int32,
        flags: PacketFlags
    ) {
        self.time = time
        self.duration = duration
        self.index = index
        self.payload = payload
        self.byteCount = byteCount
        self.formatID = formatID
        self.flags = flags
    }
}
