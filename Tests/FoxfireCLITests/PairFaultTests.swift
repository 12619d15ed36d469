import Foundation
import TestSupport
import Testing

/// A pair whose second file cannot get its name, and one whose run is killed between the two names.
@Suite struct PairFaultTests {
    private static let prologue = """
        gcc -shared -fPIC -o faults.so \(shim) -ldl || exit 90
        ffmpeg -v error -nostdin -f lavfi -i testsrc2=s=64x48:d=1 v.mp4 || exit 91
        make() { $foxfire pair make v.mp4 --at 0.5s --duration 0.6s -o P --progress none "$@"; }
        faulty() { export LD_PRELOAD=$PWD/faults.so FAULT_PATH=P.MOV; make "$@"; code=$?; unset LD_PRELOAD; return $code; }

        """

    private static let shim = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Faults/faults.c").path()

    private func shell(_ line: String) throws -> Tool.Result {
        try inTemporaryFolder { try Tool.shell(Self.prologue + line, in: $0) }
    }

    @Test func `where the movie cannot get its name, the still that was there is back`() throws {
        let result = try shell(
            """
            export FAULT=rename FAULT_ERROR=5
            faulty; echo $?
            ls -A | grep P
            printf old >P.HEIC; printf older >P.MOV
            faulty -y; echo $?
            cat P.HEIC P.MOV; echo
            ls -A | grep P
            """
        )
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines == ["1", "1", "oldolder", "P.HEIC", "P.MOV"], "\(lines) \(result.error)")
        #expect(result.error.contains("P.MOV") && result.error.contains("Input/output"))
    }

    @Test(arguments: [true, false])
    func `a run that is killed between the names is completed by the next`(hasOlder: Bool) throws {
        let result = try shell(
            """
            make -y >&2 && mv P.HEIC good.HEIC && mv P.MOV good.MOV
            \(hasOlder ? "printf old >P.HEIC; printf older >P.MOV" : "")
            export FAULT=kill
            (faulty -y) >&2; echo $?
            cmp P.HEIC good.HEIC && ls -A | grep -c 'P.*pending'
            make; echo $?
            cmp P.HEIC good.HEIC && cmp P.MOV good.MOV && $foxfire pair check P.HEIC P.MOV
            ls -A | grep P
            """
        )
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.prefix(3) == ["137", "1", "1"], "\(lines) \(result.error)")
        #expect(lines.contains { $0.hasPrefix("OK: P.HEIC") })
        #expect(lines.suffix(2) == ["P.HEIC", "P.MOV"])
        #expect(result.error.contains("P.HEIC exists"))
    }
}
