import Foundation
import Testing

@testable import FoxfireCLI

/// What other programs say of the texts that are made for them.
@Suite struct ShellTests {
    @Test(arguments: Completions.allCases)
    func `completions are valid scripts`(shell: Completions) throws {
        guard let program = Tool.path(of: shell.rawValue) else { return }
        try inTemporaryFolder { folder in
            let path = folder + "/completions"
            try shell.script.write(toFile: path, atomically: true, encoding: .utf8)
            let result = try Tool.run(program, ["-n", path])
            #expect(result.code == 0)
            #expect(result.error == "")
        }
    }

    /// What bash offers after the words of a command line; the last is the one being typed.
    private func offers(_ words: String...) throws -> [String] {
        let quoted = words.map(\.shellQuoted).joined(separator: " ")
        let script = """
            \(Completions.bash.script)
            compopt() { :; }
            COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1)
            _foxfire
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let result = try Tool.run("/bin/bash", ["-c", script])
        #expect(result.error == "")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test func `bash completes commands, options and words`() throws {
        let program = Tool.foxfire
        try #expect(offers(program, "ru") == ["run"])
        try #expect(offers(program, "run", "film", "--thr") == ["--threads"])
        try #expect(offers(program, "run", "film", "--progress", "j") == ["json"])
        try #expect(offers(program, "run", "film", "--progress", "=", "pl") == ["plain"])
        try #expect(offers(program, "completions", "z") == ["zsh"])
    }

    @Test func `bash completes actions, and their options and slots`() throws {
        let program = Tool.foxfire
        try #expect(offers(program, "presets", "re") == ["reset"])
        try #expect(offers(program, "presets", "save", "--sl") == ["--slot"])
        try #expect(offers(program, "presets", "pin", "slot-2").count == 4)
        try #expect(offers(program, "presets", "pin", "slot-01", "slot-07") == ["slot-07"])
    }

    @Test func `bash completes presets by names that nobody runs`() throws {
        try inTemporaryFolder { folder in
            let name = "Two words; $(touch \(folder)/run) 'x"
            let save = "$foxfire presets save Foxfire --slot 5 --name \(name.shellQuoted)"
            _ = try Tool.shell("export XDG_DATA_HOME=\(folder)\n\(save)")
            let script = """
                export XDG_DATA_HOME=\(folder)
                \(Completions.bash.script)
                compopt() { :; }
                COMP_WORDS=(\(Tool.foxfire) presets show Tw); COMP_CWORD=3
                _foxfire
                eval "set -- ${COMPREPLY[0]}"
                printf '%s' "$1"
                """
            let result = try Tool.run("/bin/bash", ["-c", script])
            #expect(result.output == name)
            #expect(result.error == "")
            #expect(!FileManager.default.fileExists(atPath: folder + "/run"))
        }
    }

    @Test func `bash completes graphs and their variables`() throws {
        let program = Tool.foxfire
        try #expect(offers(program, "run", "fil").contains("film"))
        try #expect(offers(program, "run", "film", "inp") == ["input="])
    }

    @Test func `the manual page has no fault that groff knows`() throws {
        guard let program = Tool.path(of: "groff") else { return }
        try inTemporaryFolder { folder in
            let path = folder + "/foxfire.1"
            try ManualPage.text().write(toFile: path, atomically: true, encoding: .utf8)
            let result = try Tool.run(program, ["-man", "-Tutf8", "-ww", "-z", path])
            #expect(result.code == 0)
            #expect(result.error == "")
        }
    }
}
