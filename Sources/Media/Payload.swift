/// What a stream carries, said once for all its packets: a sample rate, a picture size, a codec.
///
/// Two streams fit together when their formats are of one type; a packet whose format differs from
/// the one before starts a format change.
public protocol StreamFormat: Hashable, Sendable, CustomStringConvertible {}

/// What a packet carries: immutable, shared by every reader, never copied on a hop.
///
/// Only final classes whose stored properties are all `let` adopt it.
public protocol Payload: AnyObject, Sendable {
    /// What is said once for a whole stream of these.
    associatedtype Format: StreamFormat
    /// The format of this very payload.
    var format: Format { get }
    /// The memory this payload holds, in bytes: what an edge's byte bound counts.
    var byteCount: Int { get }
}
