import Graph

/// A graph as SVG, left to right: each node with the time it worked, each edge with how full it was.
struct GraphDrawing {
    private static let (width, height) = (176.0, 54.0)
    private static let (across, down) = (72.0, 22.0)

    private let report: RunReport
    /// Where each node's box begins.
    private var places: [String: (x: Double, y: Double)] = [:]
    private var size = (x: 0.0, y: 0.0)
    /// The ports that each node reads, from top to bottom.
    private var readers: [String: [String]] = [:]

    /// Lays a graph out: O(nodes · edges) at worst.
    ///
    /// - Parameter report: of a run.
    init(_ report: RunReport) {
        self.report = report
        let edges = report.edges.map { (from: Self.node($0.from), to: Self.node($0.to)) }
        let writers = Dictionary(grouping: edges, by: \.to).mapValues { $0.map(\.from) }
        // Nodes come writers before readers.
        var layer: [String: Int] = [:]
        for node in report.nodes {
            layer[node.name] =
                (writers[node.name] ?? []).compactMap { layer[$0] }.max().map { $0 + 1 } ?? 0
        }
        var columns = [[String]](repeating: [], count: (layer.values.max() ?? 0) + 1)
        for node in report.nodes { columns[layer[node.name] ?? 0].append(node.name) }
        var rank: [String: Double] = [:]
        for index in columns.indices {
            // Near those that feed it, so that fewer edges cross.
            let middle = columns[index].map { name in
                let above = (writers[name] ?? []).compactMap { rank[$0] }
                return above.isEmpty ? 0 : above.reduce(0, +) / Double(above.count)
            }
            let order = columns[index].indices.sorted { (middle[$0], $0) < (middle[$1], $1) }
            for (row, place) in order.enumerated() {
                rank[columns[index][place]] = Double(row)
                places[columns[index][place]] = (
                    Double(index) * (Self.width + Self.across) + 4,
                    Double(row) * (Self.height + Self.down) + 4
                )
            }
        }
        for edge in report.edges {
            let height = places[Self.node(edge.from)]?.y ?? 0
            let name = Self.node(edge.to)
            let before = (readers[name] ?? []).count { (places[Self.node($0)]?.y ?? 0) <= height }
            readers[name, default: []].insert(edge.from, at: before)
        }
        size.x = Double(columns.count) * (Self.width + Self.across) - Self.across + 8
        size.y = Double(columns.map(\.count).max() ?? 0) * (Self.height + Self.down) - Self.down + 8
    }

    private static func node(_ port: String) -> String {
        port.lastIndex(of: ".").map { String(port[..<$0]) } ?? port
    }

    /// The drawing.
    var svg: String {
        let (x, y) = (fixed(size.x, digits: 0), fixed(size.y, digits: 0))
        return "<svg width=\"\(x)\" height=\"\(y)\" viewBox=\"0 0 \(x) \(y)\" role=\"img\" "
            + "aria-label=\"The graph\">\n" + report.edges.map(draw).joined()
            + report.nodes.map(draw).joined() + "</svg>"
    }

    private func draw(_ edge: RunReport.EdgeStatistics) -> String {
        guard let from = places[Self.node(edge.from)], let to = places[Self.node(edge.to)] else {
            return ""
        }
        func text(_ number: Double) -> String { fixed(number, digits: 1) }
        let (x0, y0) = (from.x + Self.width, from.y + Self.height / 2)
        // Those that a node reads end below each other.
        let ports = readers[Self.node(edge.to)] ?? []
        let port = Double((ports.firstIndex(of: edge.from) ?? 0) + 1) / Double(ports.count + 1)
        let (x1, y1) = (to.x, to.y + Self.height * port)
        let bend = max(30, (x1 - x0) / 2)
        let isFull = edge.peakPackets >= edge.capacity
        // The label stands near the reader, where edges of one writer have parted.
        let (labelX, labelY) = (x1 - 8, y1 - 5)
        return """
            <g><title>\(HTMLPage.escaped("\(edge.from) → \(edge.to): \(edge.packets) packets, at most "
                + "\(edge.peakPackets) of \(edge.capacity) at once, \(byteText(Int64(edge.peakBytes)))"))</title>\
            <path class="edge\(isFull ? " full" : "")" d="M\(text(x0)) \(text(y0)) C\(text(x0 + bend)) \(text(y0)) \
            \(text(x1 - bend)) \(text(y1)) \(text(x1)) \(text(y1))"/>\
            <text class="small" text-anchor="end" x="\(text(labelX))" y="\(text(labelY))">\(edge.peakPackets)/\(edge.capacity)</text></g>

            """
    }

    private func draw(_ node: RunReport.NodeStatistics) -> String {
        guard let place = places[node.name] else { return "" }
        func text(_ number: Double) -> String { fixed(number, digits: 1) }
        let seconds = Double(node.busy) / 1e9
        let whole = max(1e-9, Double(report.elapsed) / 1e9)
        let room = Self.width - 20
        let busy = min(1, seconds / whole) * room
        let waits =
            "waited \(durationText(Double(node.waitingForInput) / 1e9)) for input, "
            + "\(durationText(Double(node.waitingForRoom) / 1e9)) for room"
        return """
            <g><title>\(HTMLPage.escaped("\(node.name) (\(node.kind)): worked \(durationText(seconds)), \(waits)"))</title>\
            <rect class="box" rx="6" x="\(text(place.x))" y="\(text(place.y))" width="\(text(Self.width))" height="\(text(Self.height))"/>\
            <text x="\(text(place.x + 10))" y="\(text(place.y + 18))">\(HTMLPage.escaped(Self.cut(node.name, 16)))</text>\
            <text class="small" text-anchor="end" x="\(text(place.x + Self.width - 10))" y="\(text(place.y + 18))">\(durationText(seconds))</text>\
            <text class="small" x="\(text(place.x + 10))" y="\(text(place.y + 33))">\(HTMLPage.escaped(Self.cut(node.kind, 26)))</text>\
            <rect class="track" rx="2" x="\(text(place.x + 10))" y="\(text(place.y + 41))" width="\(text(room))" height="5"/>\
            <rect class="busy" rx="2" x="\(text(place.x + 10))" y="\(text(place.y + 41))" width="\(text(busy))" height="5"/></g>

            """
    }

    private static func cut(_ text: String, _ count: Int) -> String {
        text.count <= count ? text : text.prefix(count - 1) + "…"
    }
}
