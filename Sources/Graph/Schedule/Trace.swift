/// The activations of a run, in the order in which they ended.
struct TraceLog {
    struct Event {
        let worker: Int32
        let node: Int32
        let packets: Int32
        let duration: UInt32
        let begin: UInt64
    }

    private(set) var events: [Event] = []

    mutating func append(worker: Int, node: Int, from begin: UInt64, to end: UInt64, packets: Int) {
        events.append(
            Event(
                worker: Int32(worker),
                node: Int32(node),
                packets: Int32(clamping: packets),
                duration: UInt32(clamping: end - begin),
                begin: begin
            )
        )
    }

    /// The events as a Chrome trace (JSON object format), times in microseconds from `origin`.
    ///
    /// Format: "Trace Event Format", complete events (`ph: X`) and thread names (`ph: M`). Written as
    /// bytes, number by number: a film has millions of events.
    func chromeTrace(nodes: [String], workers: [String], origin: UInt64) -> [UInt8] {
        func quoted(_ text: String) -> [UInt8] {
            var label = ""
            JSON.write(string: text, to: &label)
            return Array(label.utf8)
        }
        var bytes = Array("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [".utf8)
        bytes.reserveCapacity(events.count * 96 + 4096)
        var separator = Array("\n".utf8)
        for (index, name) in workers.enumerated() {
            bytes += separator
            bytes += "{\"ph\": \"M\", \"pid\": 1, \"tid\": \(index), ".utf8
            bytes += "\"name\": \"thread_name\", \"args\": {\"name\": ".utf8
            bytes += quoted(name)
            bytes += "}}".utf8
            separator = Array(",\n".utf8)
        }
        let labels = nodes.map(quoted)
        let begin = Array("{\"ph\": \"X\", \"pid\": 1, \"tid\": ".utf8)
        let time = Array(", \"ts\": ".utf8)
        let duration = Array(", \"dur\": ".utf8)
        let name = Array(", \"name\": ".utf8)
        let packets = Array(", \"args\": {\"packets\": ".utf8)
        for event in events {
            bytes += separator
            bytes += begin
            Self.append(UInt64(event.worker), to: &bytes)
            bytes += time
            Self.append(
                microseconds: event.begin >= origin ? event.begin - origin : 0,
                to: &bytes
            )
            bytes += duration
            Self.append(microseconds: UInt64(event.duration), to: &bytes)
            bytes += name
            bytes += labels[Int(event.node)]
            bytes += packets
            Self.append(UInt64(max(0, event.packets)), to: &bytes)
            bytes += [0x7D, 0x7D]
        }
        bytes += "\n]}\n".utf8
        return bytes
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        let first = bytes.count
        var rest = number
        repeat {
            bytes.append(UInt8(0x30 + rest % 10))
            rest /= 10
        } while rest > 0
        bytes[first...].reverse()
    }

    private static func append(microseconds nanoseconds: UInt64, to bytes: inout [UInt8]) {
        append(nanoseconds / 1000, to: &bytes)
        bytes.append(0x2E)
        let rest = nanoseconds % 1000
        for digit in [rest / 100, rest / 10 % 10, rest % 10] {
            bytes.append(UInt8(0x30 + digit))
        }
    }
}
