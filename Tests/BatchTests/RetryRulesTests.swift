import Testing

@testable import Batch

@Suite struct RetryRulesTests {
    private static let limits: BatchFile.Limits = {
        var limits = BatchFile.Limits()
        (limits.retries, limits.backoff, limits.timeout) = (2, 5, 60)
        return limits
    }()

    private static func verdict(
        _ kind: JobEnd.Kind,
        tries: Int = 1,
        crashes: Int = 1,
        wasAlone: Bool = false
    ) -> JobEnd.Verdict {
        JobEnd(kind).verdict(tries: tries, crashes: crashes, wasAlone: wasAlone, limits: limits)
    }

    @Test func `0 and 4 are done`() {
        #expect(Self.verdict(.exited(0)) == .done)
        #expect(Self.verdict(.exited(4)) == .damaged)
    }

    @Test(arguments: [1, 2, 3, 64, 127])
    func `a job that would fail again fails at once`(code: Int) {
        #expect(Self.verdict(.exited(code)) == .failed("exit code \(code)"))
    }

    @Test(arguments: [
        JobEnd.Kind.exited(75), .exited(130), .exited(143), .killed(2), .killed(15), .timedOut,
    ])
    func `what may pass is tried again, each time later`(kind: JobEnd.Kind) {
        for (tries, wait) in [(1, 5.0), (2, 10.0)] {
            guard case .again(wait, isAlone: false, _) = Self.verdict(kind, tries: tries) else {
                Issue.record("\(kind) after \(tries): \(Self.verdict(kind, tries: tries))")
                continue
            }
        }
        guard case .failed = Self.verdict(kind, tries: 3) else {
            Issue.record("\(kind) is tried a fourth time")
            return
        }
    }

    @Test(arguments: [JobEnd.Kind.exited(137), .killed(9)])
    func `who was short of memory is tried once alone`(kind: JobEnd.Kind) {
        guard case .again(0, isAlone: true, _) = Self.verdict(kind, tries: 7) else {
            Issue.record("it is not tried alone")
            return
        }
        guard case .failed = Self.verdict(kind, wasAlone: true) else {
            Issue.record("it is tried alone twice")
            return
        }
    }

    @Test(arguments: [4, 6, 7, 8, 11])
    func `a crash fails after one more try`(signal: Int) {
        let reason = "it crashed with signal \(signal)"
        let again = JobEnd.Verdict.again(after: 5, isAlone: false, reason)
        #expect(Self.verdict(.killed(signal)) == again)
        #expect(Self.verdict(.killed(signal), tries: 2, crashes: 2) == .failed(reason))
    }

    @Test func `waits grow to an hour and no further`() {
        var limits = Self.limits
        (limits.retries, limits.backoff) = (100, 3600)
        let verdict = JobEnd(.exited(75)).verdict(
            tries: 99,
            crashes: 0,
            wasAlone: false,
            limits: limits
        )
        #expect(verdict == .again(after: 3600, isAlone: false, "it could not be done for now"))
    }
}
