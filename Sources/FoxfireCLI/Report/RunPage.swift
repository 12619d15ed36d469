import Graph
import Media

/// The page of `foxfire run --report x.html`: what a run did, to be looked at.
enum RunPage {
    /// The page.
    ///
    /// - Parameters:
    ///   - report: of the run; its outputs are read.
    ///   - graph: the graph's file as the user named it.
    /// - Returns: HTML.
    static func text(_ report: RunReport, graph: String) -> String {
        var body = "<h1>\(HTMLPage.escaped(graph))</h1>\n"
        body += "<div class=\"faint\">Foxfire \(HTMLPage.escaped(foxfireVersion))</div>\n"
        body += "<div class=\"figures\">"
        body += HTMLPage.figure(durationText(Double(report.elapsed) / 1e9), "elapsed")
        body += HTMLPage.figure(byteText(Int64(report.peakMemory)), "peak memory")
        body += HTMLPage.figure(byteText(Int64(report.peakEdgeBytes)), "most on edges")
        let damages = report.nodes.reduce(0) { $0 + $1.notices.damageCount }
        if damages > 0 { body += HTMLPage.figure("\(damages)", "damages", class: "damaged") }
        body += "</div>\n"
        body +=
            "<h2>Graph</h2>\n<div class=\"card\">\(GraphDrawing(report).svg)"
            + "<div class=\"faint\">A bar is how much of the time a node worked; a figure at an edge is the most "
            + "packets that it held, of how many it may hold. Orange: it was full at some time, and its writer waited.</div></div>\n"
        let told = report.nodes.flatMap { node in
            (node.notices.damages + node.notices.warnings).map { "\(node.name): \($0)" }
        }
        if !told.isEmpty {
            body += "<h2>Told</h2>\n<pre>\(HTMLPage.escaped(told.joined(separator: "\n")))</pre>\n"
        }
        body += "<h2>Time of nodes</h2>\n<div class=\"card\">\(bars(report))</div>\n"
        body += "<h2>Outputs</h2>\n" + outputs(report.outputs)
        return HTMLPage.text(title: "Run of \(graph)", body: body)
    }

    private static func bars(_ report: RunReport) -> String {
        TimeBars.html(
            report.nodes.map { ($0.name, $0.kind, Double($0.busy) / 1e9) },
            of: Double(report.elapsed) / 1e9
        )
    }

    /// Of long sequences the first few are shown.
    private static let most = 12

    private static func outputs(_ outputs: [RunReport.Output]) -> String {
        var text = ""
        for output in outputs.prefix(most) {
            text += "<div class=\"card\"><h3>\(HTMLPage.escaped(output.path))</h3>"
            text += "<div class=\"faint\">\(byteText(output.bytes))"
            if let sha256 = output.sha256 {
                text += " · <span class=\"hash\">SHA-256 <code>\(sha256)</code></span>"
            }
            text += "</div>"
            if let picture = Preview.thumbnail(output.path, height: 360) {
                text += HTMLPage.picture(picture, type: "image/jpeg", alt: "Preview", class: "wide")
            }
            switch Preview.Kind(output.path) {
            case .film, .sound:
                for plot in Preview.plots(output.path) {
                    text += HTMLPage.picture(
                        plot.png,
                        type: "image/png",
                        alt: plot.title,
                        class: "wide"
                    )
                }
            case .still, .picture, .other: break
            }
            text += "</div>\n"
        }
        if outputs.count > most {
            text += "<p class=\"faint\">and \(outputs.count - most) more files</p>\n"
        }
        return text
    }
}

/// Bars of how long nodes worked.
enum TimeBars {
    /// A grid of names, bars and seconds, the longest first.
    ///
    /// - Parameters:
    ///   - nodes: names, kinds and seconds.
    ///   - whole: the seconds of a full bar.
    /// - Returns: HTML.
    static func html(_ nodes: [(name: String, kind: String, busy: Double)], of whole: Double)
        -> String
    {
        let longest = max(whole, nodes.map(\.busy).max() ?? 0, 1e-9)
        let rows = nodes.sorted { ($1.busy, $0.name) < ($0.busy, $1.name) }.map { node in
            let part = fixed(100 * node.busy / longest, digits: 1)
            return
                "<span title=\"\(HTMLPage.escaped(node.kind))\">\(HTMLPage.escaped(node.name))</span>"
                + "<span class=\"bar\"><i style=\"width:\(part)%\"></i></span>"
                + "<span class=\"number\">\(durationText(node.busy))</span>"
        }
        return "<div class=\"bars\">\(rows.joined())</div>"
    }
}
