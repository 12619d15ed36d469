import Dispatch
import Glibc
import Graph
import Media

/// Shows on standard error how far a run is: live lines, plain lines, or JSON.
final class ProgressDisplay: Sendable {
    enum Style { case live, plain, json, none }

    private struct State {
        /// How many live lines stand above the cursor.
        var linesShown = 0
        var timer: (any DispatchSourceTimer)?
        var isOver = false
    }

    private let style: Style
    private let pictureNodes: Set<String>
    private let begin = monotonicSeconds()
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "progress")

    /// Nothing is shown before `start`.
    ///
    /// - Parameters:
    ///   - style: how it is shown.
    ///   - pictureNodes: the nodes whose packets are pictures.
    init(_ style: Style, pictureNodes: Set<String>) {
        self.style = style
        self.pictureNodes = pictureNodes
    }

    /// The style that `--progress` names.
    static func style(_ arguments: Arguments) -> Style {
        switch arguments.text(.progress) ?? arguments.text(.batchProgress) {
        case "plain": .plain
        case "json": .json
        case "none": .none
        default:
            arguments.has(.errorsAsJSON)
                ? .json : StandardStreams.isTerminal(STDERR_FILENO) ? .live : .plain
        }
    }

    /// Begins to show how far every sink is.
    func start(_ source: @escaping @Sendable () -> [Progress]) {
        let interval: DispatchTimeInterval
        switch style {
        case .none: return
        case .live: interval = .milliseconds(200)
        case .json: interval = .seconds(1)
        case .plain: interval = .seconds(5)
        }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + interval, repeating: interval)
        timer.setEventHandler { [weak self] in self?.show(source()) }
        state.withLock { $0.timer = timer }
        timer.activate()
    }

    /// Ends; live lines are wiped, so that what is told next stands in their place.
    func stop() {
        state.withLock { state in
            state.timer?.cancel()
            state.timer = nil
            state.isOver = true
            wipe(&state)
        }
    }

    /// Tells something in the middle: above the live lines, which are drawn anew below it.
    func tell(_ messages: [Message], asJSON: Bool) {
        state.withLock { state in
            wipe(&state)
            StandardStreams.tell(messages, asJSON: asJSON)
        }
    }

    private func wipe(_ state: inout State) {
        if state.linesShown == 0 { return }
        StandardStreams.write(log: "\u{1B}[\(state.linesShown)A\r\u{1B}[J")
        state.linesShown = 0
    }

    private func show(_ all: [Progress]) {
        let elapsed = monotonicSeconds() - begin
        let lines = all.map { progress in
            let arePictures = pictureNodes.contains(progress.node)
            let line = ProgressLine(progress, arePictures: arePictures, elapsed: elapsed)
            return (progress: progress, line: line)
        }
        if lines.isEmpty { return }
        state.withLock { state in
            if state.isOver { return }
            switch style {
            case .none: break
            case .live:
                let columns = StandardStreams.columns
                var text = state.linesShown > 0 ? "\u{1B}[\(state.linesShown)A\r" : ""
                for line in lines { text += "\u{1B}[K\(line.line.text(columns: columns))\n" }
                state.linesShown = lines.count
                StandardStreams.write(log: text)
            case .plain:
                StandardStreams.write(
                    log: lines.map { "foxfire: \($0.line.text())\n" }.joined()
                )
            case .json:
                StandardStreams.write(
                    log: lines.map { line in
                        JSON.compact(
                            line.line.json(
                                node: line.progress.node,
                                path: line.progress.path?.path
                            )
                        ) + "\n"
                    }.joined()
                )
            }
        }
    }
}

private let clockOrigin = ContinuousClock.now

/// Seconds since this was first asked for, by the machine's monotonic clock.
func monotonicSeconds() -> Double { (ContinuousClock.now - clockOrigin) / .seconds(1) }
