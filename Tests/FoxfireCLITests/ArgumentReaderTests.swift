import Testing

@testable import FoxfireCLI

@Suite struct ArgumentReaderTests {
    private func read(_ words: String...) throws -> Arguments { try Command.run.read(words) }

    /// The text and the hint with which a command line is refused.
    private func refusal(_ words: [String], of command: Command = .run) -> String? {
        do {
            _ = try command.read(words)
            return nil
        } catch {
            return error.text + (error.hint.map { " (\($0))" } ?? "")
        }
    }

    @Test(arguments: [
        ["film", "--threads", "2"], ["film", "--threads=2"], ["--threads", "2", "film"],
        ["--threads=2", "--", "film"], ["film", "--threads", "7", "--threads", "2"],
    ])
    func `an option's value follows it or its equals sign`(words: [String]) throws {
        let arguments = try Command.run.read(words)
        #expect(arguments.integer(.threads) == 2)
        #expect(arguments.operands == ["film"])
    }

    @Test func `variables come from operands and from --set, in order`() throws {
        let arguments = try read(
            "film",
            "a=1",
            "--set",
            "b=x=y",
            "--set=c=",
            "--",
            "d=--threads"
        )
        #expect(
            arguments.settings.map { "\($0.name):\($0.value)" }
                == ["a:1", "b:x=y", "c:", "d:--threads"]
        )
    }

    @Test func `two dashes end the options`() throws {
        let arguments = try read("--", "--threads")
        #expect(arguments.operands == ["--threads"])
        #expect(arguments.values.isEmpty)
    }

    @Test func `a dash alone is standard input`() throws {
        try #expect(read("-").operands == ["-"])
    }

    @Test func `switches are given or not`() throws {
        let arguments = try read("film", "-y", "--strict")
        #expect(arguments.has(.replace) && arguments.has(.strict))
        #expect(!arguments.has(.keep) && !arguments.has(.dryRun))
    }

    @Test func `help asks for nothing else`() throws {
        try #expect(read("--help").has(.help))
        try #expect(read("-h").has(.help))
    }

    @Test(arguments: [
        (["film", "--thread", "2"], "unknown option \"--thread\" (did you mean \"--threads\"?)"),
        (["film", "--se", "a=1"], "unknown option \"--se\" (did you mean \"--set\"?)"),
        (["film", "--strcit"], "unknown option \"--strcit\" (did you mean \"--strict\"?)"),
        (["film", "-threads", "2"], "unknown option \"-threads\" (did you mean \"--threads\"?)"),
        (["film", "--quite-another"], "unknown option \"--quite-another\""),
        (["film", "-x"], "unknown option \"-x\""),
        (["film", "-yn"], "unknown option \"-yn\""),
        (["film", "--strict=yes"], "\"--strict\" takes no value"),
        (["film", "--threads"], "\"--threads\" needs N (--threads N)"),
        (["film", "--report", "--strict"], "\"--report\" needs FILE (--report FILE)"),
        (["film", "--report="], "\"--report\" needs a path, not \"\""),
        (
            ["film", "--threads", "0"],
            "\"--threads\" must be a whole number from 1 to 256, not \"0\""
        ),
        (
            ["film", "--threads", "257"],
            "\"--threads\" must be a whole number from 1 to 256, not \"257\""
        ),
        (
            ["film", "--threads", "99999999999999999999"],
            "\"--threads\" must be a whole number from 1 to 256, not \"99999999999999999999\""
        ),
        (
            ["film", "--progress", "plian"],
            "\"--progress\" must be one of \"auto\", \"plain\", \"json\", \"none\", not \"plian\" "
                + "(did you mean \"plain\"?)"
        ),
        (["film", "--set", "seed"], "\"--set\" needs NAME=VALUE, not \"seed\""),
        (["film", "seed"], "\"seed\" is no NAME=VALUE (as in input=track.ogg)"),
        (["film", "=1"], "\"=1\" is no NAME=VALUE (as in input=track.ogg)"),
        ([], "GRAPH is missing (foxfire run GRAPH [NAME=VALUE]... [OPTION]...)"),
    ])
    func `a word that does not fit is refused with what to do`(
        words: [String],
        expected: String
    ) {
        #expect(refusal(words) == expected)
    }

    @Test func `an argument too many is refused`() {
        #expect(
            refusal(["bash", "zsh"], of: .completions)
                == "\"zsh\" is one argument too many (foxfire completions SHELL [OPTION]...)"
        )
    }

    @Test(arguments: [
        ("1", 1), ("1000000", 1_000_000), ("512K", 512 << 10), ("512M", 512 << 20), ("4G", 4 << 30),
        ("1T", 1 << 40), ("0", nil), ("", nil), ("M", nil), ("-1", nil), ("1.5G", nil), ("4g", nil),
        ("4GB", nil), ("99999999999T", nil), ("٣", nil),
    ])
    func `bytes are whole numbers with powers of 1024`(text: String, expected: Int?) {
        #expect(byteCount(parsing: text) == expected)
    }

    @Test(arguments: [("rnu", "run"), ("chekc", "check"), ("node", "nodes"), ("porbe", "probe")])
    func `a misspelt command is guessed`(word: String, meant: String) {
        let error = #expect(throws: UsageError.self) { try Command.named(word) }
        #expect(error?.hint == "did you mean \"\(meant)\"?")
    }
}
