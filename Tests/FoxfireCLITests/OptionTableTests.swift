import Testing

@testable import FoxfireCLI

@Suite struct OptionTableTests {
    /// Every command with every option that it takes.
    private static let pairs = Command.allWithActions.flatMap { command in
        command.allOptions.map { (command.name, $0) }
    }

    @Test func `names are told apart`() {
        let commands = Command.allWithActions
        #expect(Set(commands.map(\.name)).count == commands.count)
        for command in commands {
            let names = command.allOptions.flatMap(\.names)
            #expect(Set(names).count == names.count, "\(command.name)")
        }
    }

    @Test(arguments: pairs)
    func `every option is well formed and in help, completions and manual`(
        name: String,
        option: Option
    ) throws {
        let command = try Command.named(name)
        let help = HelpText.command(command)
        for name in option.names {
            #expect(name.wholeMatch(of: /-[a-z]|--[a-z]+(-[a-z]+)*/) != nil)
            #expect(help.contains(name))
            for shell in Completions.allCases where shell != .fish {
                #expect(shell.script.contains(name))
            }
            let fish = name.hasPrefix("--") ? "-l \(name.dropFirst(2))" : "-s \(name.dropFirst())"
            #expect(Completions.fish.script.contains(fish))
            #expect(ManualPage.text().contains(name.replacing("-", with: "\\-")))
        }
        // The purpose stands there whole, though broken into lines.
        let words = option.purpose.split(separator: " ")
        #expect(help.split(whereSeparator: \.isWhitespace).contains(words))
        #expect(option.purpose.hasSuffix("."))
        if let placeholder = option.placeholder, !placeholder.contains("|") {
            #expect(help.contains("\(option.name) \(placeholder)"))
        }
    }

    @Test(arguments: Command.allWithActions.map(\.name))
    func `help fits into 80 columns`(name: String) throws {
        let help = HelpText.command(try Command.named(name))
        for line in (help + HelpText.overview()).split(separator: "\n") {
            #expect(line.count <= 80, "\(line)")
        }
        #expect(help.hasSuffix("\n") && !help.hasSuffix("\n\n"))
    }

    @Test(arguments: Command.allWithActions.map(\.name))
    func `examples in help are command lines that are understood`(name: String) throws {
        let command = try Command.named(name)
        for example in command.examples {
            let words = example.line.split(separator: " ").map(String.init)
            guard words[0] == "foxfire" else { continue }
            let line = words.prefix { !["|", ">"].contains($0) }.dropFirst()
            let (named, arguments) = try Command.find(Array(line))
            _ = try named.read(arguments)
        }
    }

    @Test func `the overview names every command and every exit code`() {
        let overview = HelpText.overview()
        for command in Command.all { #expect(overview.contains("  \(command.name) ")) }
        for group in Command.all where !group.actions.isEmpty {
            let help = HelpText.command(group)
            for action in group.actions {
                #expect(action.name == "\(group.name) \(action.word)")
                #expect(help.contains("  \(action.word) "))
            }
        }
        for (code, _) in ExitCode.meanings { #expect(overview.contains("  \(code) ")) }
    }
}
