import Batch
import Codecs
import Glibc
import Graph
import Media

/// The command `foxfire`.
@main enum Foxfire {
    static func main() {
        StandardStreams.repair()
        if CommandLine.arguments.dropFirst() == [HEIFProcess.word] { _exit(HEIFProcess.serve()) }
        let code = run(Array(CommandLine.arguments.dropFirst()))
        // A run that was stopped may have left a call behind that libraries' exit handlers would meet.
        if code.isStop { _exit(code.value) }
        exit(code.value)
    }

    /// Runs one command line, tells what went wrong, and says how to end.
    static func run(_ words: [String]) -> ExitCode {
        do {
            return try perform(words)
        } catch {
            let failure = Failure(anything: error)
            let asJSON = words.prefix { $0 != "--" }.contains(Option.json.name)
            StandardStreams.tell(failure.messages, asJSON: asJSON)
            return failure.code
        }
    }

    private static func perform(_ words: [String]) throws -> ExitCode {
        guard let first = words.first else {
            StandardStreams.write(log: HelpText.overview())
            return .usage
        }
        switch first {
        case Option.version.name:
            try StandardStreams.write(result: "foxfire \(foxfireVersion)\n")
            return .done
        case let word where Option.help.names.contains(word):
            try StandardStreams.write(result: HelpText.overview())
            return .done
        case let word where word.hasPrefix("-"):
            throw UsageError(
                text: "unknown option \"\(word)\"",
                hint: suggestion(for: word, among: Command.globalOptions)
                    ?? "options of a command stand after its name"
            )
        default:
            let (command, rest) = try Command.find(words)
            let arguments = try command.read(rest)
            if arguments.has(.help), !command.explainsItself(arguments) {
                try StandardStreams.write(result: HelpText.command(command))
                return .done
            }
            return try command.perform(arguments)
        }
    }
}

extension Command {
    /// The subcommand that a command line begins with, and what follows its name.
    ///
    /// - Throws: `UsageError`, with the name that was probably meant.
    static func find(_ words: [String]) throws(UsageError) -> (Command, rest: ArraySlice<String>) {
        let command = try named(words.first ?? "")
        guard !command.actions.isEmpty, words.count > 1, !words[1].hasPrefix("-") else {
            return (command, words.dropFirst())
        }
        return (try named("\(command.name) \(words[1])"), words.dropFirst(2))
    }

    /// The subcommand, or the action of one, that is called `name`.
    ///
    /// - Throws: `UsageError`, with the name that was probably meant.
    static func named(_ name: String) throws(UsageError) -> Command {
        if let command = allWithActions.first(where: { $0.name == name }) { return command }
        let words = name.split(separator: " ", maxSplits: 1).map(String.init)
        if words.count == 2, let group = all.first(where: { $0.name == words[0] }) {
            let actions = group.actions.map(\.word)
            throw UsageError(
                text: "unknown action \"\(words[1])\"",
                hint: closestMatch(to: words[1], in: actions).map { "did you mean \"\($0)\"?" }
                    ?? "\"foxfire \(group.name) --help\" lists them",
                command: group.name
            )
        }
        throw UsageError(
            text: "unknown command \"\(name)\"",
            hint: closestMatch(to: name, in: all.map(\.name)).map { "did you mean \"\($0)\"?" }
                ?? "\"foxfire help\" lists them"
        )
    }

    /// Whether `--help` is about what the operands name, and the command prints it.
    func explainsItself(_ arguments: Arguments) -> Bool {
        name == Command.run.name && !arguments.operands.isEmpty
    }
}

extension Failure {
    /// What any error of a command means for its end.
    init(anything error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as UsageError: self.init(.usage, Message(error))
        case let error as FileError: self.init(error)
        case let error as Slurm.Failure:
            self.init(.failed, Message(.error, "slurm", "\(error.command): \(error.text)"))
        // Who reads the results has seen enough: no fault of anybody.
        case is StandardStreams.Closed: self.init(.done, [])
        case let error as CodecError:
            self.init(
                error.isTemporary ? .temporary : .failed,
                Message(.error, "codec", error.reason, hint: error.hint)
            )
        default: self.init(.failed, Message(.error, "failed", "\(error)"))
        }
    }
}
