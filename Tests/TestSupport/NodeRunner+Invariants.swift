public import Graph
public import Media
import Nodes

/// What an input of a node is fed with when its invariants are checked.
public struct TestStream {
    let name: String
    let info: StreamInfo
    /// Feeds the stream, cut into blocks of that many samples where it is audio.
    let feed: (NodeRunner, _ blockSize: Int) -> Void
    /// Feeds packets of another format after it; nil where none was given.
    let feedChanged: ((NodeRunner) -> Void)?
    /// Feeds a packet without samples; nil where payloads are never empty.
    let feedNothing: ((NodeRunner) -> Void)?
    let isAudio: Bool

    /// Audio: one block that the check cuts up, and one of another format that may come after it.
    ///
    /// - Parameters:
    ///   - name: the input.
    ///   - block: all of the signal; short, since it is fed sample by sample too.
    ///   - time: where it begins.
    ///   - next: what comes after it in the check of a format change.
    ///   - isLengthKnown: whether the node is told how long it is.
    /// - Returns: the stream.
    public static func audio(
        _ name: String,
        _ block: AudioBlock,
        at time: MediaTime = .zero,
        then next: AudioBlock? = nil,
        isLengthKnown: Bool = false
    ) -> TestStream {
        let first = block.format.index(of: time)
        let end = block.format.time(of: first + Int64(block.frameCount))
        return TestStream(
            name: name,
            info: StreamInfo(format: block.format, duration: isLengthKnown ? end : nil),
            feed: { runner, size in
                runner.feed(name, blocks: block.cut(into: size), from: first)
            },
            feedChanged: next.map { next in
                { runner in
                    let position = next.format.time(
                        of: end.converted(to: Int32(next.format.sampleRate), rounding: .up).value
                    )
                    runner.feed(
                        name,
                        blocks: next.cut(into: 64),
                        from: next.format.index(of: position)
                    )
                }
            },
            feedNothing: { runner in
                let none = AudioBlock(
                    format: block.format,
                    samples: Writable(uninitialized: 0)
                )
                runner.feed(name, none, at: block.format.time(of: first))
            },
            isAudio: true
        )
    }

    /// Payloads at a constant rate from 0 on, and maybe some of another format after them.
    public static func packets<T: Payload>(
        _ name: String,
        _ payloads: [T],
        rate: Rate,
        then next: [T] = []
    ) -> TestStream {
        precondition(!payloads.isEmpty, "A stream needs a payload to have a format.")
        @Sendable func feed(_ runner: NodeRunner, _ payloads: [T], _ first: Int) {
            for (index, payload) in payloads.enumerated() {
                runner.feed(
                    name,
                    payload,
                    at: rate.time(of: Int64(first + index)),
                    duration: rate.interval
                )
            }
        }
        return TestStream(
            name: name,
            info: StreamInfo(format: payloads[0].format, rate: rate),
            feed: { runner, _ in feed(runner, payloads, 0) },
            feedChanged: next.isEmpty ? nil : { feed($0, next, payloads.count) },
            feedNothing: nil,
            isAudio: false
        )
    }
}

/// An invariant that a node breaks, in a sentence.
public struct BrokenInvariant: Error, CustomStringConvertible {
    /// The sentence.
    public let description: String
}

extension NodeRunner {
    /// Puts audio on an input, block after block, from sample `first` on.
    public func feed(_ name: String, blocks: [AudioBlock], from first: Int64 = 0) {
        var position = first
        for block in blocks {
            feed(name, block, at: block.format.time(of: position), duration: block.duration)
            position += Int64(block.frameCount)
        }
    }

    /// Checks what must hold for every node, however its input is cut up.
    ///
    /// The same samples and times come out whether audio comes in blocks of 1, 7, 64 or 1024 and
    /// whether 1, 2 or all packets are taken at a time; packets without samples change nothing; a
    /// node finishes without input; a change of format follows the input's declared rule.
    ///
    /// - Parameters:
    ///   - type: the node.
    ///   - parameters: its parameters as a graph file has them.
    ///   - streams: what each input is fed with, in the order of declaration.
    ///   - finishesWithoutInput: whether it may do so; else it must throw.
    /// - Throws: `BrokenInvariant`, or what the node throws where it should not.
    public static func checkInvariants(
        _ type: any (Node & ~Copyable).Type,
        _ parameters: [String: JSON.Value] = [:],
        streams: [TestStream],
        finishesWithoutInput: Bool = true
    ) throws {
        func outcome(
            packetsPerCall: Int = .max,
            _ feed: (NodeRunner) -> Void
        ) throws -> [OutputContents] {
            let runner = try NodeRunner(
                type,
                parameters,
                inputs: streams.map { ($0.name, $0.info) }
            )
            feed(runner)
            runner.endAll()
            try runner.run(packetsPerCall: packetsPerCall)
            if !runner.isDone { throw BrokenInvariant(description: "The node does not finish.") }
            return runner.contents
        }

        let reference = try outcome { runner in streams.forEach { $0.feed(runner, 1024) } }
        let sizes = streams.contains(where: \.isAudio) ? [1, 7, 64, 1024] : [1024]
        for size in sizes {
            for packets in [1, 2, .max] {
                let other = try outcome(packetsPerCall: packets) { runner in
                    streams.forEach { $0.feed(runner, size) }
                }
                if let difference = reference.difference(from: other) {
                    let call = packets == .max ? "all" : "\(packets)"
                    throw BrokenInvariant(
                        description: "With blocks of \(size), \(call) packets a call: \(difference)"
                    )
                }
            }
        }
        let padded = try outcome { runner in
            for stream in streams {
                stream.feedNothing?(runner)
                stream.feed(runner, 1024)
            }
        }
        if let difference = reference.difference(from: padded) {
            throw BrokenInvariant(description: "After a packet without samples: \(difference)")
        }
        do {
            _ = try outcome { _ in }
            if !finishesWithoutInput {
                throw BrokenInvariant(description: "It finishes without input and should throw.")
            }
        } catch let failure as NodeFailure where !finishesWithoutInput {
            _ = failure
        }
        for stream in streams { try checkChange(of: stream, in: streams, outcome) }
    }

    private static func checkChange(
        of changing: TestStream,
        in streams: [TestStream],
        _ outcome: (Int, (NodeRunner) -> Void) throws -> [OutputContents]
    ) throws {
        guard let feedChanged = changing.feedChanged else { return }
        var rule = FormatChange.restart
        do {
            _ = try outcome(.max) { runner in
                rule = runner.formatChange(of: changing.name)
                for stream in streams {
                    stream.feed(runner, 1024)
                    if stream.name == changing.name { feedChanged(runner) }
                }
            }
        } catch let failure as NodeFailure {
            if rule == .fixed, failure.cause is FormatChangeError { return }
            throw failure
        }
        if rule == .fixed {
            throw BrokenInvariant(description: "It takes a second format, but said it is fixed.")
        }
    }
}
