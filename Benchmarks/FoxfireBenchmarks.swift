// Usage: FoxfireBenchmarks [--runs N] [--json FILE] [ROW…]
// Prints how Foxfire compares with its peers, and how the simulation scales; without ROW, all of it.
// Rows: hops, trace, step1m, step4m, follow, fox, foxfilters, decode, frames, filmframes, remux, heic, stills,
// png, plan, status, noops, startup, script;
// scaling.

import Glibc
import Media

@main struct FoxfireBenchmarks {
    private static let rows: [(name: String, measure: @Sendable (String, Int) throws -> Row)] = [
        ("hops", HopGraph.againstGStreamer), ("trace", HopGraph.traced),
        ("step1m", PhysarumStep.million), ("step4m", PhysarumStep.fourMillion),
        ("follow", PhysarumStep.following),
        ("fox", FoxAudio.againstDecoding), ("foxfilters", FoxAudio.againstFilters),
        ("decode", LumenCaptures.decoding), ("frames", LumenCaptures.screenFrames),
        ("filmframes", LumenCaptures.filmFrames), ("remux", LumenCaptures.remuxing),
        ("heic", Stills.photograph), ("stills", Stills.burst), ("png", Stills.fastPNG),
        ("plan", BatchFolders.planning), ("status", BatchFolders.status),
        ("noops", BatchFolders.noOps), ("startup", StartUp.ofBinary), ("script", StartUp.ofScript),
    ]

    static func main() {
        do {
            try measureAll()
        } catch {
            let text = "FoxfireBenchmarks: \(error)\n"
            _ = unsafe write(2, text, text.utf8.count)
            exit(1)
        }
    }

    private static func measureAll() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "--child", arguments.count == 6, arguments[1] == "png" {
            let numbers = arguments[3...].map { Int($0) ?? 1 }
            return try Stills.encode(
                arguments[2],
                width: numbers[0],
                height: numbers[1],
                times: numbers[2]
            )
        }
        if arguments.first == "--child" {
            guard arguments.count == 5, let packets = Int(arguments[2]),
                let passes = Int(arguments[3])
            else {
                throw ProcessError(description: "a child needs: hops PACKETS PASSES plain|traced")
            }
            try HopGraph.run(packets: packets, passes: passes, isTracing: arguments[4] == "traced")
            return
        }
        func option(_ name: String) -> String? {
            guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
                return nil
            }
            defer { arguments.removeSubrange(index...index + 1) }
            return arguments[index + 1]
        }
        let runs = option("--runs").flatMap { Int($0) } ?? 7
        let path = option("--json")
        let names = rows.map(\.name) + ["scaling"]
        for name in arguments where !names.contains(name) {
            throw ProcessError(
                description: "there is no row \(name); rows: \(names.joined(separator: ", "))"
            )
        }
        var results: [Row] = []
        for row in rows where arguments.isEmpty || arguments.contains(row.name) {
            let result = try row.measure(CommandLine.arguments[0], max(1, runs))
            print(result.line)
            fflush(nil)
            results.append(result)
        }
        let scaling =
            arguments.isEmpty || arguments.contains("scaling") ? try Scaling.print() : []
        if let path {
            let file = try OutputFile(path: path)
            let text =
                "{\"foxfire\": 1, \"rows\": [\n  "
                + results.map(\.json).joined(separator: ",\n  ") + "\n], \"scaling\": [\n  "
                + scaling.map(\.json).joined(separator: ",\n  ") + "\n]}\n"
            try file.write(Array(text.utf8).span)
            try file.commit()
        }
    }
}
