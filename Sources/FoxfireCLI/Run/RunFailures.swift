import Codecs
import Glibc
import Graph
import Media

extension Failure {
    /// What a failed run means for the command's end.
    ///
    /// - Parameters:
    ///   - failure: what the engine threw.
    ///   - signal: the signal that stopped the run, if one did.
    init(_ failure: RunFailure, stoppedBy signal: Int32?) {
        switch failure {
        case .node(let failure): self.init(failure)
        case .deadlock(let text): self.init(.failed, Message(.error, "deadlock", text))
        case .output(let error): self.init(error)
        case .withheld(let reason): self.init(.temporary, Message(.error, "withheld", reason))
        case .damaged(let report):
            let end = Message(
                .error,
                "damage",
                "an input is damaged or cut short, and nothing was written",
                hint: "without --strict what is readable is used"
            )
            self.init(.failed, report.messages.filter { $0.severity == .damage } + [end])
        case .cancelled:
            let names = [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"]
            let name = signal.flatMap { names[$0] } ?? "a signal"
            self.init(
                .stopped(by: signal ?? SIGTERM),
                Message(.error, "stopped", "stopped by \(name); nothing was written")
            )
        }
    }

    private init(_ failure: NodeFailure) {
        if let error = failure.cause as? FileError, error.code == EPIPE {
            // Who read standard output has gone, as `head` does: there is nobody to tell.
            self.init(.stopped(by: SIGPIPE), [])
            return
        }
        let place = failure.time.map {
            "at \($0)\(failure.packet.map { ", packet \($0)" } ?? ""): "
        }
        var code = "failed"
        var text = "\(failure.cause)"
        var hint: String?
        var isTemporary = false
        switch failure.cause {
        case let error as FileError:
            code = Message.code(of: error)
            isTemporary = error.isTemporary
        case let error as CodecError:
            code = "codec"
            text = error.reason
            hint = error.hint
            isTemporary = error.isTemporary
        case let problem as Problem:
            code = problem.code.rawValue
            text = problem.text
            hint = problem.hint
        default: break
        }
        var message = Message(
            .error,
            isTemporary && code != Message.diskFull ? "temporary" : code,
            (place ?? "") + text,
            hint: hint
        )
        message.node = failure.node
        self.init(isTemporary ? .temporary : .failed, message)
    }
}

extension CodecError {
    /// What failed, without what to do about it.
    var reason: String { "\(subject): \(text) (\(call))" }
}

extension RunReport {
    /// What the nodes told of their inputs: warnings, and every damage, with the number of those that
    /// are too many to tell.
    var messages: [Message] {
        nodes.flatMap { node -> [Message] in
            let notices = node.notices
            var texts = notices.warnings.map { (Message.Severity.warning, $0) }
            texts += notices.damages.map { (.damage, $0) }
            let untold = notices.damageCount - notices.damages.count
            if untold > 0 { texts.append((.damage, "and \(untold) more")) }
            return texts.map { severity, text in
                var message = Message(severity, severity.rawValue, text)
                message.node = node.name
                return message
            }
        }
    }
}
