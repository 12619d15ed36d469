import Foundation
import Testing

@testable import FoxfireCLI

/// The pages that tell of runs and batches, as text and in a browser.
@Suite struct ReportTests {
    private static let batch = """
        "jobs": [
          {"graph": "./tone.json", "output": "out/b.wav", "seconds": 9},
          {"graph": "./tone.json", "output": "out/<i>&.wav", "frequency": -4},
          {"graph": "./picture.json", "output": "out/a.png"},
          {"graph": "./tone.json", "output": "out/c.wav", "seconds": 1}]
        """
    private static let picture = """
        {"foxfire": 1, "variables": {"output": {"type": "output"}},
         "nodes": {
            "tone": {"kind": "source.tone", "duration": 1},
            "plot": {"kind": "plot.waveform", "from": "tone", "path": "$output"}}}
        """

    /// A batch with one failed job of four, and its page.
    private func page(_ body: (BatchFolder, String) throws -> Void) throws {
        try BatchFolder.with(Self.batch) { folder in
            try folder.write(Self.picture, "picture.json")
            #expect(try folder.run().code == 3)
            let made = try folder.shell("$foxfire batch report batch.json -o page.html")
            #expect(made.code == 0, "\(made.error)")
            try body(
                folder,
                String(decoding: try #require(folder.contents("page.html")), as: UTF8.self)
            )
        }
    }

    @Test func `a batch's page holds all jobs, and texts of others as texts`() throws {
        try page { _, text in
            #expect(text.components(separatedBy: "<tr data-number=").count == 5)
            #expect(text.contains("out/&lt;i&gt;&amp;.wav"))
            #expect(!text.contains("<i>&"))
            #expect(text.contains("must be a number from 1 to"))
            #expect(text.components(separatedBy: "data:image/jpeg;base64,").count == 2)
            // Nothing is fetched from anywhere.
            #expect(
                !text.contains("http:") && !text.contains("https:") && !text.contains("src=\"/")
            )
        }
    }

    @Test(.enabled(if: Tool.path(of: "chromium") != nil, "chromium is not installed"))
    func `in a browser it sorts, filters, and fits a phone`() throws {
        try page { folder, text in
            let steps = """
                <script>
                const seen = [], say = (name, value) => seen.push(name + "=" + value);
                const order = () => [...document.querySelectorAll("#jobs tbody tr")].filter(r => !r.hidden)
                  .map(r => r.dataset.number).join("");
                const press = key => document.querySelector(`th[data-key=${key}] button`).click();
                say("begin", order());
                press("name"); say("name", order());
                press("size"); press("size"); say("size", order());
                say("sorted", document.querySelector("th[data-key=size]").getAttribute("aria-sort"));
                press("number");
                const enter = (id, value, event) => { const e = document.querySelector(id); e.value = value;
                  e.dispatchEvent(new Event(event)); };
                enter("#filter", "wav seconds=1", "input"); say("filter", order());
                say("count", document.querySelector("#count").textContent);
                enter("#filter", "", "input"); enter("#state", "failed", "change"); say("state", order());
                enter("#filter", "nothing", "input");
                say("none", !document.querySelector("#none").hidden);
                enter("#filter", "", "input"); enter("#state", "", "change");
                say("fits", document.documentElement.scrollWidth <= window.innerWidth);
                say("head", getComputedStyle(document.querySelector("thead")).position);
                document.body.dataset.seen = seen.join(" ");
                </script></body>
                """
            try folder.write(text.replacingOccurrences(of: "</body>", with: steps), "tried.html")
            for (width, head) in [(1200, "static"), (500, "absolute")] {
                let result = try folder.shell(
                    "HOME=$PWD timeout 120 chromium --headless --no-sandbox --disable-gpu --window-size=\(width),900 "
                        + "--enable-logging=stderr --v=0 --dump-dom \"file://$PWD/tried.html\""
                )
                #expect(!result.error.contains("CONSOLE"), "\(result.error)")
                let seen =
                    result.output.components(separatedBy: "data-seen=\"").last?
                    .components(separatedBy: "\"").first ?? ""
                #expect(
                    seen
                        == "begin=1234 name=2314 size=1432 sorted=descending filter=4 count=1 of 4 "
                        + "state=2 none=true fits=true head=\(head)"
                )
            }
        }
    }

    @Test func `a run's page shows graph, outputs and sound`() throws {
        try BatchFolder.with("\"jobs\": []") { folder in
            let run = "$foxfire run tone.json --set output=a.wav --report"
            #expect(try folder.shell("\(run) run.html").code == 0)
            let text = String(decoding: try #require(folder.contents("run.html")), as: UTF8.self)
            for name in ["tone", "slow", "write"] {
                #expect(text.contains(">\(name)</text>"))
            }
            #expect(text.components(separatedBy: "<path class=\"edge").count == 3)
            #expect(text.components(separatedBy: "data:image/png;base64,").count == 3)
            #expect(text.contains("SHA-256"))
            #expect(try folder.shell("\(run) run.json -y").code == 0)
            #expect(
                String(decoding: folder.contents("run.json") ?? Data(), as: UTF8.self).hasPrefix(
                    "{"
                )
            )
        }
    }

    @Test func `HTML is escaped, and what no page may hold is replaced`() {
        #expect(
            HTMLPage.escaped("<a href=\"x\">'&\u{0}\t")
                == "&lt;a href=&quot;x&quot;&gt;&#39;&amp;\u{FFFD}\t"
        )
    }
}
