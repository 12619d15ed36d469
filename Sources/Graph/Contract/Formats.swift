public import Media

/// What is known of one stream before it runs.
public struct StreamInfo: Sendable {
    /// What its packets will be.
    public var format: any StreamFormat
    /// How many packets a second, where that is constant.
    public var rate: Rate?
    /// How long it will be, where that is known; nil for endless ones too.
    public var duration: MediaTime?
    /// How far a packet's making lies behind the input it needs.
    public var delay: MediaTime?
    /// The memory of a packet, in bytes, where it is known.
    public var bytesPerPacket: Int?

    /// Says all that is known.
    public init(
        format: any StreamFormat,
        rate: Rate? = nil,
        duration: MediaTime? = nil,
        delay: MediaTime? = nil,
        bytesPerPacket: Int? = nil
    ) {
        self.format = format
        self.rate = rate
        self.duration = duration
        self.delay = delay
        self.bytesPerPacket = bytesPerPacket
    }
}

/// The formats at a node's ports: what `resolve` reads and writes and `start` relies on.
public struct Formats: Sendable {
    package var inputs: [StreamInfo?]
    package var outputs: [StreamInfo?]
    /// Of each output, whether anything reads it.
    package var connected: [Bool]
    /// What `resolve` asked the inputs to be converted to.
    package var requests: [Int: any StreamFormat] = [:]

    /// Where the node runs: workers, outputs, what is told to the user.
    public package(set) var environment: NodeEnvironment

    package init(
        inputs: [StreamInfo?],
        outputs: Int,
        connected: [Bool],
        environment: NodeEnvironment
    ) {
        self.inputs = inputs
        self.outputs = Array(repeating: nil, count: outputs)
        self.connected = connected
        self.environment = environment
    }

    /// The format of what comes in; nil while it is not known, as before a check of what comes by stdin.
    public subscript<T: Payload>(input: Input<T>) -> T.Format? {
        inputs[input.index]?.format as? T.Format
    }

    /// All that is known of what comes in.
    public func info<T: Payload>(of input: Input<T>) -> StreamInfo? { inputs[input.index] }

    /// How many packets a second come in, where that is constant.
    public func rate<T: Payload>(of input: Input<T>) -> Rate? { inputs[input.index]?.rate }

    /// How long the input will be, where that is known.
    public func duration<T: Payload>(of input: Input<T>) -> MediaTime? {
        inputs[input.index]?.duration
    }

    /// Whether anything reads an output; a source need not make what nobody reads.
    public func isConnected<T: Payload>(_ output: Output<T>) -> Bool { connected[output.index] }

    /// Says what an output will be.
    ///
    /// - Parameters:
    ///   - output: the output.
    ///   - format: what its packets will be.
    ///   - rate: packets a second, where that is constant.
    ///   - duration: how long it will be, where that is known.
    ///   - delay: how far it lies behind the input it needs.
    ///   - bytesPerPacket: the memory of a packet, where that is known.
    public mutating func set<T: Payload>(
        _ output: Output<T>,
        _ format: T.Format,
        rate: Rate? = nil,
        duration: MediaTime? = nil,
        delay: MediaTime? = nil,
        bytesPerPacket: Int? = nil
    ) {
        outputs[output.index] = StreamInfo(
            format: format,
            rate: rate,
            duration: duration,
            delay: delay,
            bytesPerPacket: bytesPerPacket
        )
    }

    /// Asks for the input in another format: the engine puts a conversion on the edge, or refuses.
    ///
    /// Does nothing where the input has that format already. Asked in `resolve` only, and each time.
    public mutating func request<T: Payload>(_ input: Input<T>, _ format: T.Format) {
        guard let actual = self[input], actual != format else { return }
        requests[input.index] = format
        inputs[input.index]?.format = format
    }
}

/// Where a node runs: lent by the engine, or by a test.
public final class NodeEnvironment: Sendable {
    /// Runs parts of a node's work at the same time.
    public let executor: any Executor
    /// Makes the files that appear only when the whole graph is done.
    public let outputs: OutputStore
    /// What outputs store of how they were made: seed, preset, version, the graph's hash.
    public let provenance: [(key: String, value: String)]
    /// What is told to the user about this node.
    public let notices: Locked<Notices>
    /// Whether the graph will run; a check may not read standard input.
    public let mayReadStandardInput: Bool
    /// How closely a writer looks at its finished output.
    public let verification: OutputVerification
    private let endIsAsked = Locked(false)

    /// Says all of it.
    public init(
        executor: any Executor = SerialExecutor(),
        outputs: OutputStore = OutputStore(),
        provenance: [(key: String, value: String)] = [],
        mayReadStandardInput: Bool = false,
        verification: OutputVerification = .fast
    ) {
        self.executor = executor
        self.outputs = outputs
        self.provenance = provenance
        self.mayReadStandardInput = mayReadStandardInput
        self.verification = verification
        notices = Locked(Notices())
    }

    /// Whether a live node should end now: the user has interrupted it.
    public var isAskedToEnd: Bool { endIsAsked.withLock { $0 } }

    /// Asks a live node to end.
    public func askToEnd() { endIsAsked.withLock { $0 = true } }

    /// Tells the user something that is no fault of the input.
    public func warn(_ text: String) {
        notices.withLock { notices in
            guard !notices.warnings.contains(text) else { return }
            if notices.warnings.count < Notices.limit { notices.warnings.append(text) }
        }
    }

    /// Tells that an input is damaged or cut short: the job is done, but exits with 4.
    ///
    /// - Parameters:
    ///   - text: what is lost.
    ///   - time: where on the timeline, when known.
    public func damaged(_ text: String, at time: MediaTime? = nil) {
        notices.withLock { notices in
            notices.damageCount += 1
            let line = time.map { "at \($0): \(text)" } ?? text
            if notices.damages.count < Notices.limit { notices.damages.append(line) }
        }
    }
}

/// How closely a finished output is looked at before it gets its name.
public enum OutputVerification: String, Sendable, CaseIterable {
    /// Packets are read back to the end; the first and last seconds are decoded.
    case fast
    /// All of it is decoded.
    case full
}

/// What a node told of its input; long lists are cut, the count goes on.
public struct Notices: Sendable {
    /// How many texts of a kind are kept.
    public static let limit = 50
    /// What the user should know.
    public var warnings: [String] = []
    /// Where the input is damaged or cut short.
    public var damages: [String] = []
    /// How many damages there were, also those beyond the limit.
    public var damageCount = 0
}
