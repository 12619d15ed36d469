import Media

extension GraphCheck {
    /// What `foxfire check` prints of a right graph: every stream's format, where it goes, the
    /// conversions that were put in, and the memory that edges may take.
    ///
    /// - Parameters:
    ///   - plan: a checked graph.
    ///   - capacity: how many packets an edge holds unless the graph file says otherwise.
    ///   - edgeBytes: how many bytes an edge holds; at least one packet fits always.
    /// - Returns: lines, each with its newline.
    public static func describe(
        _ plan: GraphPlan,
        capacity: Int = 64,
        edgeBytes: Int = 64 << 20
    ) -> String {
        var text = plan.description.map { "\($0)\n\n" } ?? ""
        var rows: [[String]] = []
        let outgoing = Dictionary(grouping: plan.edges, by: \.fromNode)
        let written = Dictionary(grouping: plan.outputs, by: \.node)
        for (index, node) in plan.nodes.enumerated() {
            rows.append([node.name, node.kind + (node.isInserted ? " (inserted)" : "")])
            for (output, declaration) in node.schema.outputs.enumerated() {
                let edges = (outgoing[index] ?? []).filter { $0.fromOutput == output }
                let info = node.formats.outputs[output]
                guard !edges.isEmpty else {
                    rows.append(["  .\(declaration.name)", declaration.payload.name, "not read"])
                    continue
                }
                rows.append([
                    "  .\(declaration.name)", declaration.payload.name, facts(of: info),
                ])
                for edge in edges {
                    let reader = plan.nodes[edge.toNode]
                    let slots = reader.schema.slots
                    let port = reader.schema.inputs[slots[edge.toSlot]].name
                    let room = EdgeRoom(edge, info, capacity: capacity, edgeBytes: edgeBytes)
                    let name = reader.name + (slots.count > 1 ? ".\(port)" : "")
                    rows.append(["    → \(name) (\(room.text))"])
                }
            }
            for output in written[node.name] ?? [] {
                rows.append(["  writes \(output.path.path)"])
            }
        }
        text += aligned(rows) + "\n"
        let rooms = plan.edges.map { edge in
            EdgeRoom(
                edge,
                plan.nodes[edge.fromNode].formats.outputs[edge.fromOutput],
                capacity: capacity,
                edgeBytes: edgeBytes
            )
        }
        let sum = rooms.reduce(0) { sum, room in
            let (more, isTooMuch) = sum.addingReportingOverflow(room.bytes)
            return isTooMuch ? .max : more
        }
        let unknown = rooms.count { !$0.isKnown }
        text += "\(rooms.count) edge\(rooms.count == 1 ? "" : "s"), at most \(size(sum)) together"
        text += unknown == 0 ? "\n" : " (\(unknown) with packets of unknown size)\n"
        return text
    }

    /// What is known of a stream, in a few words.
    private static func facts(of info: StreamInfo?) -> String {
        guard let info else { return "not known before it runs" }
        let parts = [
            "\(info.format)", info.rate.map { "\($0) packets/s" },
            info.duration.map { "\($0) long" },
            info.delay.flatMap { $0.value == 0 ? nil : "\($0) late" },
            info.bytesPerPacket.map { "\(size($0)) a packet" },
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    /// The first two columns of equal width; what would be the last is not padded.
    private static func aligned(_ rows: [[String]]) -> String {
        let widths = (0..<2).map { column in
            rows.filter { $0.count > column + 1 }.map { $0[column].count }.max() ?? 0
        }
        return rows.map { row in
            row.enumerated().map { column, cell in
                column < row.count - 1 ? NodeText.padded(cell, widths[column]) : cell
            }.joined(separator: "  ") + "\n"
        }.joined()
    }

    /// A number of bytes for people.
    static func size(_ bytes: Int) -> String {
        let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
        var value = Double(bytes)
        var unit = 0
        while value >= 1024, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        if unit == 0 { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        let tenths = (value * 10).rounded() / 10
        return value < 10 ? "\(tenths) \(units[unit])" : "\(Int(value.rounded())) \(units[unit])"
    }
}

/// How much an edge may hold.
struct EdgeRoom {
    let packets: Int
    let bytes: Int
    /// Whether packets are of a known size, so that `bytes` follows from that.
    let isKnown: Bool

    init(
        _ edge: GraphPlan.PlannedEdge,
        _ info: StreamInfo?,
        capacity: Int,
        edgeBytes: Int
    ) {
        let limit = edge.capacity ?? capacity
        guard let size = info?.bytesPerPacket, size > 0 else {
            (packets, bytes, isKnown) = (limit, edgeBytes, false)
            return
        }
        packets = max(1, min(limit, edgeBytes / size))
        bytes = packets * size
        isKnown = true
    }

    var text: String {
        let count = "\(packets) packet\(packets == 1 ? "" : "s")"
        return "up to \(count)\(isKnown ? ", \(GraphCheck.size(bytes))" : "")"
    }
}
