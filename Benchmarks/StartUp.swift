/// What it costs to start the command: single launches are short, so that many are taken.
enum StartUp {
    private static let launchesPerRun = 10

    /// `foxfire --version` against an empty program that is linked to the same libraries.
    @Sendable static func ofBinary(_ program: String, runs: Int) throws -> Row {
        let folder = folder(of: program)
        return try compare(
            "foxfire --version, against an empty program with its libraries and 5 ms more",
            [folder + "/foxfire", "--version"],
            [folder + "/empty"],
            allowance: 0.005,
            runs: runs
        )
    }

    /// `./foxfire --version` against the binary that it runs.
    @Sendable static func ofScript(_ program: String, runs: Int) throws -> Row {
        try compare(
            "./foxfire --version, against the bare binary and 15 ms more",
            ["./foxfire", "--version"],
            [folder(of: program) + "/foxfire", "--version"],
            allowance: 0.015,
            runs: runs
        )
    }

    private static func compare(
        _ name: String,
        _ ours: [String],
        _ peer: [String],
        allowance: Double,
        runs: Int
    ) throws -> Row {
        let (a, b) = try alternate(ours, peer, runs: runs * launchesPerRun) { $0.wall }
        return Row(
            name: name,
            unit: "ms",
            ours: a * 1000,
            peer: b * 1000,
            ratio: (b + allowance) / a,
            target: 1
        )
    }

    /// The folder that holds what was built.
    static func folder(of program: String) -> String {
        program.lastIndex(of: "/").map { String(program[..<$0]) } ?? "."
    }
}
