import Batch
import Glibc
import Graph
import Media
import Presets

/// A run as a job of a batch: it holds the job's claim, and writes down what it comes to.
struct HeldRun {
    private let arguments: Arguments
    private let folder: StateFolder
    private let job: JobID

    /// - Parameters:
    ///   - arguments: of `foxfire run`.
    ///   - place: the state folder and the job's ID.
    /// - Throws: `UsageError`.
    init(_ arguments: Arguments, _ place: String) throws {
        guard let job = JobID(Folder.name(of: place)), place.contains("/") else {
            throw UsageError(
                text: "\"--job\" must be a folder and 16 hexadecimal digits, not \"\(place)\"",
                hint: "as in films.state/0123456789abcdef"
            )
        }
        self.arguments = arguments
        self.job = job
        folder = StateFolder(Folder.parent(of: place))
        Self.endWithRunner()
    }

    func perform() throws -> ExitCode {
        let hold: JobHold
        do throws(JobHold.Refusal) {
            hold = try JobHold(
                job,
                in: folder,
                graph: arguments.operands.first ?? "-",
                values: Dictionary(
                    arguments.settings.map { ($0.name, $0.value) },
                    uniquingKeysWith: { $1 }
                ),
                abandoned: StandardStreams.environment(LocalEngine.abandonedVariable)
                    .flatMap { Int($0) }
            )
        } catch {
            throw Failure(error)
        }
        do {
            return try RunJob(arguments, hold).perform()
        } catch {
            let failure = Failure(anything: error)
            hold.fail(
                exitCode: Int(failure.code.value),
                isDiskFull: failure.messages.contains { $0.code == Message.diskFull },
                messages: failure.messages.map(\.line)
            )
            throw failure
        }
    }

    /// Stops as by SIGTERM when the runner that started this is no more.
    ///
    /// A pipe tells: its other end closes with the runner, however that ends. (A parent-death signal would come
    /// when the *thread* ends that started this.)
    private static func endWithRunner() {
        guard
            let pipe = StandardStreams.environment(LocalEngine.pipeVariable).flatMap({ Int32($0) }),
            fcntl(pipe, F_SETFD, FD_CLOEXEC) == 0
        else { return }
        // What this process starts has no such pipe.
        unsafe unsetenv(LocalEngine.pipeVariable)
        // The thread takes no signal: those are for who waits for them.
        var (all, before) = (sigset_t(), sigset_t())
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let context = unsafe UnsafeMutableRawPointer(bitPattern: Int(pipe))
        unsafe pthread_create(
            &thread,
            nil,
            { context in
                let pipe = Int32(truncatingIfNeeded: Int(bitPattern: context))
                var byte: UInt8 = 0
                while unsafe read(pipe, &byte, 1) < 0, errno == EINTR {}
                kill(getpid(), SIGTERM)
                return nil
            },
            context
        )
    }
}

extension RunJob {
    /// Lets a job's hold finish what earlier runs left.
    func settle(_ hold: JobHold) throws -> JobHold.Decision {
        let watched = loaded.plan.namesPresets ? [StoreLocation.usersOwn()].compactMap { $0 } : []
        do {
            return try hold.settle(loaded.plan, graphText: loaded.text, watched: watched)
        } catch let refusal as JobHold.Refusal {
            throw Failure(refusal)
        }
    }
}

extension Failure {
    /// A job that cannot be run now.
    init(_ refusal: JobHold.Refusal) {
        switch refusal {
        case .held(let holder):
            self.init(
                .temporary,
                Message(.error, "held", "the job is being run by \(holder)")
            )
        case .file(let error): self.init(error)
        }
    }
}
