import Batch
import Graph
import Media

/// The page of `foxfire batch report`: all jobs of a batch in a table that can be sorted and filtered.
struct BatchPage {
    let loaded: LoadedBatch
    let survey: BatchSurvey

    /// Of so many jobs pictures are shown; each takes some 4 kB of the page.
    private static let pictures = 2000
    /// Bytes of a failed job's log.
    private static let logEnd = 2000

    /// The page; outputs that can be seen are read.
    var text: String {
        let jobs = loaded.plan.jobs
        let standings = jobs.map { loaded.standing($0, survey) }
        let states = jobs.map { survey.state($0.id) }
        var body = "<h1>\(HTMLPage.escaped(loaded.name))</h1>\n<div class=\"figures\">"
        for standing in BatchSurvey.Standing.allCases {
            let count = standings.count { $0 == standing }
            if count > 0 || standing == .done {
                body += HTMLPage.figure("\(count)", standing.rawValue, class: standing.rawValue)
            }
        }
        let seconds = states.compactMap { Self.seconds($0) }.reduce(0, +)
        body += HTMLPage.figure(durationText(seconds), "time of all jobs")
        let bytes = states.compactMap { $0 }.flatMap(\.outputs).reduce(Int64(0)) { $0 + $1.bytes }
        body += HTMLPage.figure(byteText(bytes), "written") + "</div>\n" + Self.filters
        body += """
            <table id="jobs"><thead><tr>\
            <th></th><th class="number" data-key="number"><button>#</button></th>\
            <th data-key="name"><button>Job</button></th><th data-key="state"><button>State</button></th>\
            <th class="number" data-key="time"><button>Time</button></th>\
            <th class="number" data-key="size"><button>Size</button></th>\
            <th class="number" data-key="memory"><button>Memory</button></th><th></th></tr></thead><tbody>

            """
        for index in jobs.indices {
            body += row(jobs[index], standings[index], states[index])
        }
        body += "</tbody></table>\n<p id=\"none\" class=\"faint\" hidden>No job is so.</p>\n"
        return HTMLPage.text(title: "Batch \(loaded.name)", body: body, script: Self.script)
    }

    private static let filters = """
        <div class="filters"><input type="search" id="filter" placeholder="Filter by name or value" \
        aria-label="Filter by name or value"><select id="state" aria-label="State">\
        <option value="">all states</option><option>done</option><option>damaged</option><option>failed</option>\
        <option>running</option><option>waiting</option></select>\
        <select id="sort" class="sorter" aria-label="Sort"><option value="number">by number</option>\
        <option value="name">by name</option><option value="state">by state</option>\
        <option value="time">by time</option><option value="size">by size</option>\
        <option value="memory">by memory</option></select><span id="count" class="faint"></span></div>

        """

    private static func seconds(_ state: JobState?) -> Double? {
        guard let begin = state?.begin, let end = state?.end else { return nil }
        return max(0, end - begin)
    }

    private func row(_ job: BatchPlan.Job, _ standing: BatchSurvey.Standing, _ state: JobState?)
        -> String
    {
        let seconds = Self.seconds(state)
        let bytes = state?.outputs.reduce(Int64(0)) { $0 + $1.bytes } ?? 0
        let memory = Int64(state?.peakMemory ?? 0)
        let values = job.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let starts = survey.starts(job.id)
        var picture = ""
        if job.number <= Self.pictures, standing == .done || standing == .damaged,
            let thumbnail = state?.outputs.lazy.compactMap({
                Preview.thumbnail($0.path, height: 54)
            }).first
        {
            picture = HTMLPage.picture(thumbnail, type: "image/jpeg", alt: "", class: "thumb")
        }
        func number(_ label: String, _ text: String?) -> String {
            "<td class=\"number\" data-label=\"\(label)\">\(text ?? "–")</td>"
        }
        return """
            <tr data-number="\(job.number)" data-name="\(HTMLPage.escaped(job.title))" data-state="\(standing.rawValue)" \
            data-time="\(fixed(seconds ?? -1, digits: 3))" data-size="\(bytes)" data-memory="\(memory)" \
            data-text="\(HTMLPage.escaped(([job.title] + values).joined(separator: " ").lowercased()))">\
            <td class="picture">\(picture)</td>\(number("#", "\(job.number)"))\
            <td class="name">\(HTMLPage.escaped(job.title))</td>\
            <td class="state \(standing.rawValue)">\(standing.rawValue)\(starts > 1 ? " <span class=\"faint\">(start \(starts))</span>" : "")</td>\
            \(number("time", seconds.map { durationText($0) }))\(number("size", bytes > 0 ? byteText(bytes) : nil))\
            \(number("memory", memory > 0 ? byteText(memory) : nil))\
            <td class="more">\(details(job, standing, state, values))</td></tr>

            """
    }

    private func details(
        _ job: BatchPlan.Job,
        _ standing: BatchSurvey.Standing,
        _ state: JobState?,
        _ values: [String]
    ) -> String {
        var text =
            "<details\(standing == .failed ? " open" : "")><summary>\(standing == .failed ? "why" : "more")</summary>"
        if standing == .failed {
            let log = (try? FileContents.read(loaded.state.log(of: job.id), limit: 64 << 20)) ?? []
            let end = String(decoding: log.suffix(Self.logEnd), as: UTF8.self)
            let told = end.isEmpty ? (state?.messages ?? []).joined(separator: "\n") : end
            text += "<pre>\(HTMLPage.escaped(told))</pre>"
        }
        text +=
            "<div class=\"faint\"><code>\(HTMLPage.escaped("\(job.graph) \(values.joined(separator: " "))"))</code></div>"
        if let state, !state.nodes.isEmpty {
            text += TimeBars.html(
                state.nodes.map { ($0.name, $0.kind, $0.busy) },
                of: Self.seconds(state) ?? 0
            )
        }
        if let host = state?.host, !host.isEmpty {
            text += "<div class=\"faint\">on \(HTMLPage.escaped(host))"
            if let task = state?.slurmTask { text += ", Slurm task \(HTMLPage.escaped(task))" }
            text += "</div>"
        }
        for start in survey.overtaken(job.id) {
            text += "<div class=\"damaged\">start \(start) came too late and was dropped</div>"
        }
        return text + "</details>"
    }

    private static let script = """
        (() => {
          const body = document.querySelector("#jobs tbody");
          const rows = [...body.rows];
          const heads = [...document.querySelectorAll("th[data-key]")];
          const filter = document.querySelector("#filter"), state = document.querySelector("#state");
          const sorter = document.querySelector("#sort"), count = document.querySelector("#count");
          const words = new Set(["name", "state"]);
          const sort = (key, isDown) => {
            const value = row => words.has(key) ? row.dataset[key] : Number(row.dataset[key]);
            const compare = (a, b) => words.has(key)
              ? value(a).localeCompare(value(b), undefined, { numeric: true }) : value(a) - value(b);
            rows.sort((a, b) => (isDown ? -1 : 1) * compare(a, b) || a.dataset.number - b.dataset.number);
            body.append(...rows);
            for (const head of heads) {
              if (head.dataset.key === key) head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
              else head.removeAttribute("aria-sort");
            }
            sorter.value = key;
          };
          const show = () => {
            const wanted = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
            let shown = 0;
            for (const row of rows) {
              const fits = wanted.every(word => row.dataset.text.includes(word))
                && (!state.value || row.dataset.state === state.value);
              row.hidden = !fits;
              if (fits) shown += 1;
            }
            count.textContent = `${shown} of ${rows.length}`;
            document.querySelector("#none").hidden = shown > 0;
          };
          for (const head of heads) head.querySelector("button").addEventListener("click", () =>
            sort(head.dataset.key, head.getAttribute("aria-sort") === "ascending"));
          sorter.addEventListener("change", () => sort(sorter.value, false));
          filter.addEventListener("input", show);
          state.addEventListener("change", show);
          show();
        })();
        """
}
