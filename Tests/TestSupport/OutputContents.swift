import Graph
import Media
import Nodes

/// What came out of one output, in a form that does not show how audio was cut into blocks.
enum OutputContents: Equatable {
    /// Stretches of audio without gaps.
    case audio([AudioRun])
    case packets([String])

    init(_ packets: [RawPacket]) {
        guard packets.first?.payload is AudioBlock else {
            self = .packets(packets.map(Self.line))
            return
        }
        var runs: [AudioRun] = []
        for packet in packets {
            guard let block = packet.payload as? AudioBlock, block.frameCount > 0 else { continue }
            if runs.last?.end != packet.time || runs.last?.format != block.format {
                runs.append(AudioRun(format: block.format, start: packet.time))
            }
            runs[runs.count - 1].append(block)
        }
        self = .audio(runs)
    }

    private static func line(_ packet: RawPacket) -> String {
        guard let payload = packet.payload as? any Checksummed else {
            preconditionFailure("\(type(of: packet.payload)) must be Checksummed to be compared.")
        }
        let (time, duration) = (packet.time.reduced, packet.duration.reduced)
        return "\(time.value)/\(time.scale) for \(duration.value)/\(duration.scale), "
            + "flags \(packet.flags.rawValue), contents \(payload.checksum.text)"
    }

    /// In a sentence, where two contents differ; nil when they do not.
    func difference(from other: OutputContents) -> String? {
        switch (self, other) {
        case (.audio(let first), .audio(let second)):
            if first.map(\.start) != second.map(\.start) {
                return "audio starts at \(second.map(\.start)), not at \(first.map(\.start))"
            }
            for (one, two) in zip(first, second) {
                if let difference = one.difference(from: two) { return difference }
            }
            return nil
        case (.packets(let first), .packets(let second)):
            if first.count != second.count {
                return "\(second.count) packets come out, not \(first.count)"
            }
            guard let index = first.indices.first(where: { first[$0] != second[$0] }) else {
                return nil
            }
            return "packet \(index) is \(second[index]), not \(first[index])"
        case (.audio(let runs), .packets(let packets)), (.packets(let packets), .audio(let runs)):
            // An output without packets does not tell what it is.
            return runs.isEmpty && packets.isEmpty ? nil : "one run gave nothing"
        }
    }
}

/// Audio without a gap.
struct AudioRun: Equatable {
    let format: AudioFormat
    let start: MediaTime
    var channels: [[Float]]

    init(format: AudioFormat, start: MediaTime) {
        self.format = format
        self.start = start
        channels = Array(repeating: [], count: format.channels)
    }

    var end: MediaTime {
        format.time(of: format.index(of: start) + Int64(channels[0].count))
    }

    mutating func append(_ block: AudioBlock) {
        for channel in channels.indices {
            channels[channel].append(contentsOf: block.channel(channel))
        }
    }

    func difference(from other: AudioRun) -> String? {
        if format != other.format { return "audio is \(other.format), not \(format)" }
        for (channel, (one, two)) in zip(channels, other.channels).enumerated() {
            if one.count != two.count { return "\(two.count) samples come out, not \(one.count)" }
            // Bits are compared, so that a NaN equals itself and -0 differs from 0.
            if let index = one.indices.first(where: { one[$0].bitPattern != two[$0].bitPattern }) {
                return "sample \(index) of channel \(channel) is \(two[index]), not \(one[index])"
            }
        }
        return nil
    }
}

extension [OutputContents] {
    /// In a sentence, where the outputs of two runs differ; nil when they do not.
    func difference(from other: [OutputContents]) -> String? {
        for (index, (first, second)) in zip(self, other).enumerated() {
            if let difference = first.difference(from: second) {
                return "on output \(index), \(difference)"
            }
        }
        return nil
    }
}
