import Foundation

/// A page that needs nothing but itself: no network, no other file.
enum HTMLPage {
    /// The whole page.
    ///
    /// - Parameters:
    ///   - title: as text.
    ///   - body: as HTML.
    ///   - script: JavaScript that runs when all is there; empty for none.
    /// - Returns: the file's text.
    static func text(title: String, body: String, script: String = "") -> String {
        // The policy keeps a page made of strangers' texts from reaching anything, whatever is in it.
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
        style-src 'unsafe-inline'; script-src 'unsafe-inline'">
        <title>\(escaped(title))</title>
        <style>\(style)</style>
        </head>
        <body>
        \(body)
        \(script.isEmpty ? "" : "<script>\(script)</script>")
        </body>
        </html>

        """
    }

    /// A text as HTML, for content and for attributes in double quotes.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\0"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A picture that is part of the page.
    static func picture(_ bytes: [UInt8], type: String, alt: String, class name: String) -> String {
        let data = Data(bytes).base64EncodedString()
        return "<img class=\"\(name)\" alt=\"\(escaped(alt))\" src=\"data:\(type);base64,\(data)\">"
    }

    /// A figure with its name below.
    static func figure(_ value: String, _ name: String, class kind: String = "") -> String {
        "<div class=\"figure \(kind)\"><b>\(escaped(value))</b><span>\(escaped(name))</span></div>"
    }

    private static let style = """
        :root { color-scheme: light dark; --ground: #f6f5f2; --card: #fff; --ink: #1c1d20; --faint: #6a6d75;
          --line: #dddbd5; --glow: #2f8f5b; --bad: #b3382c; --warn: #a86a00; --run: #2b6cb0; --bar: #e6e4de; }
        @media (prefers-color-scheme: dark) { :root { --ground: #121416; --card: #1b1e21; --ink: #e8e8e4;
          --faint: #9a9ea6; --line: #2d3136; --glow: #56d39a; --bad: #ff7f70; --warn: #e8ae4a; --run: #7db5f0;
          --bar: #2a2e33; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1rem 4rem; background: var(--ground);
          color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
        h1 { font-size: 1.5rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.1rem; margin: 2rem 0 .75rem; }
        .faint { color: var(--faint); }
        code, .number, pre { font-family: ui-monospace, monospace; font-size: .86em; }
        .figures { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0; }
        .figure { background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
          padding: .5rem .9rem; min-width: 6.5rem; }
        .figure b { display: block; font-size: 1.25rem; } .figure span { color: var(--faint); font-size: .85rem; }
        .card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem;
          margin: 0 0 1rem; overflow-x: auto; }
        .card h3 { margin: 0 0 .5rem; font-size: 1rem; overflow-wrap: anywhere; }
        .card img, .wide { max-width: 100%; height: auto; display: block; border-radius: .3rem; margin: .5rem 0; }
        .hash { overflow-wrap: anywhere; }
        table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line);
          border-radius: .5rem; }
        th, td { text-align: left; padding: .45rem .6rem; border-bottom: 1px solid var(--line);
          vertical-align: middle; }
        tr:last-child td { border-bottom: 0; }
        td.number { text-align: right; white-space: nowrap; } th.number { text-align: right; font: inherit; }
        td.name { min-width: 14rem; } td.more { width: 45%; }
        th button { all: unset; cursor: pointer; font-weight: 600; }
        th button:focus-visible { outline: 2px solid var(--run); border-radius: 2px; }
        th[aria-sort=ascending] button::after { content: " \\2191"; }
        th[aria-sort=descending] button::after { content: " \\2193"; }
        .thumb { height: 54px; width: auto; max-width: 128px; border-radius: .25rem; display: block; }
        .name { overflow-wrap: anywhere; }
        .state { font-weight: 600; } .done { color: var(--glow); } .failed { color: var(--bad); }
        .damaged { color: var(--warn); } .running { color: var(--run); } .waiting { color: var(--faint); }
        .filters { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 .75rem; align-items: center; }
        input, select { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
          border-radius: .4rem; padding: .35rem .6rem; min-width: 0; }
        input[type=search] { flex: 1 1 14rem; }
        .bars { display: grid; grid-template-columns: minmax(6rem, auto) 1fr auto; gap: .15rem .6rem;
          align-items: center; margin: .5rem 0; }
        .bar { background: var(--bar); border-radius: 3px; height: .7rem; overflow: hidden; }
        .bar i { display: block; height: 100%; background: var(--glow); }
        pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--ground); border-radius: .4rem;
          padding: .6rem; margin: .5rem 0; }
        summary { cursor: pointer; color: var(--faint); }
        svg text { fill: var(--ink); font: 12px system-ui, sans-serif; } svg .small { fill: var(--faint); font-size: 10.5px; }
        svg .box { fill: var(--card); stroke: var(--line); } svg .track { fill: var(--bar); } svg .busy { fill: var(--glow); }
        svg .edge { fill: none; stroke: var(--faint); stroke-width: 1.5; } svg .full { stroke: var(--warn); }
        [hidden] { display: none !important; }
        @media (max-width: 640px) {
          thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
          table, tbody, tr { display: block; } tr { display: grid; grid-template-columns: auto 1fr; gap: .1rem .8rem;
            padding: .6rem; border-bottom: 1px solid var(--line); }
          td { border: 0; padding: .1rem 0; } td.number { text-align: left; }
          td[data-label]::before { content: attr(data-label) " "; color: var(--faint); font-family: system-ui, sans-serif; }
          td.picture:empty { display: none; } td.name { min-width: 0; } td.more { width: auto; } td.name, td.more { grid-column: 1 / -1; }
          .bars { grid-template-columns: minmax(4rem, auto) 1fr auto; }
        }
        @media (min-width: 641px) { .sorter { display: none; } }
        """
}
