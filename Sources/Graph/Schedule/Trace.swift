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
                worker: Int32(worker), node: Int32(node), packets: Int32(clamping: packets),
                duration: UInt32(clamping: end - begin), begin: begin))
    }

    /// The events as a Chrome trace (JSON array format), times in microseconds from `origin`.
    ///
    /// Format: "Trace Event Format", complete events (`ph: X`) and thread names (`ph: M`).
    func chromeTrace(nodes: [String], workers: [String], origin: UInt64) -> String {
        var text = "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n"
        var isFirst = true
        func line(_ content: String) {
            text += isFirst ? content : ",\n" + content
            isFirst = false
        }
        for (index, name) in workers.enumerated() {
            var label = ""
            JSON.write(string: name, to: &label)
            line(
                "{\"ph\": \"M\", \"pid\": 1, \"tid\": \(index), \"name\": \"thread_name\", "
                    + "\"args\": {\"name\": \(label)}}")
        }
        let labels = nodes.map { name in
            var label = ""
            JSON.write(string: name, to: &label)
            return label
        }
        for event in events {
            let begin = event.begin >= origin ? event.begin - origin : 0
            line(
                "{\"ph\": \"X\", \"pid\": 1, \"tid\": \(event.worker), "
                    + "\"ts\": \(Self.microseconds(begin)), "
                    + "\"dur\": \(Self.microseconds(UInt64(event.duration))), "
                    + "\"name\": \(labels[Int(event.node)]), "
                    + "\"args\": {\"packets\": \(event.packets)}}")
        }
        return text + "\n]}\n"
    }

    private static func microseconds(_ nanoseconds: UInt64) -> String {
        let rest = nanoseconds % 1000
        let digits = String(rest)
        return "\(nanoseconds / 1000)."
            + String(repeating: "0", count: 3 - digits.count) + digits
    }
}
