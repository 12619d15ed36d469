import Foundation
import Media
import TestSupport
import Testing

@testable import Presets

@Suite struct WatchTests {
    /// Collects what a watch tells.
    private final class Witness: Sendable {
        private let seen = Locked<[String]>([])
        private let arrival = DispatchSemaphore(value: 0)

        func note(_ reading: StoreReading) {
            let damaged = reading.findings.contains { $0.kind == .damaged }
            seen.withLock { $0.append(reading.slots.summary + (damaged ? " damaged" : "")) }
            arrival.signal()
        }

        /// Waits until what was told last is `summary`; the time only bounds a failure.
        func waits(for summary: String) -> Bool {
            let deadline = DispatchTime.now() + 20
            while seen.withLock({ $0.last }) != summary {
                if arrival.wait(timeout: deadline) == .timedOut { return false }
            }
            return true
        }

        var count: Int { seen.withLock { $0.count } }
    }

    private func store(_ path: String) -> any PresetStore { StoreLocation.open(path) }

    @Test(arguments: ["shared", "own.json"])
    func `changes from outside are noticed and read`(name: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("deep/" + name)
        let (here, outside) = (store(path), store(path))
        let witness = Witness()
        let watch = try here.watch { witness.note($0) }
        _ = try outside.update { $0.overwrite(slot(3), with: preset("A")) }
        #expect(witness.waits(for: "3:A"))
        _ = try outside.update { slots in
            slots.clear(slot(3))
            slots.overwrite(slot(4), with: preset("B"))
        }
        #expect(witness.waits(for: "4:B"))
        let file = name.hasSuffix(".json") ? path : path + "/slot-04.json"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try "broken".write(toFile: file, atomically: false, encoding: .utf8)
        #expect(witness.waits(for: " damaged"))
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(witness.waits(for: "4:B"))
        watch?.cancel()
    }

    @Test func `what this object changes itself is not told, nor what changes nothing`() throws {
        let folder = try TemporaryFolder()
        let (here, outside) = (FolderStore(path: folder.path), FolderStore(path: folder.path))
        let witness = Witness()
        let watch = try here.watch { witness.note($0) }
        _ = try here.update { $0.overwrite(slot(1), with: preset("Own")) }
        try folder.write("x", to: "readme.txt")
        // Told in order: what came before would have been told by now.
        usleep(400_000)
        #expect(witness.count == 0)
        _ = try outside.update { $0.overwrite(slot(2), with: preset("B")) }
        #expect(witness.waits(for: "1:Own 2:B"))
        watch?.cancel()
    }

    @Test func `a folder that is removed and made again is watched on`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("shared")
        let (here, outside) = (FolderStore(path: path), FolderStore(path: path))
        let witness = Witness()
        _ = try outside.update { $0.overwrite(slot(1), with: preset("A")) }
        let watch = try here.watch { witness.note($0) }
        try FileManager.default.removeItem(atPath: path)
        #expect(witness.waits(for: ""))
        _ = try outside.update { $0.overwrite(slot(2), with: preset("B")) }
        #expect(witness.waits(for: "2:B"))
        watch?.cancel()
    }

    @Test func `nothing is told after a watch was cancelled or is gone`() throws {
        let folder = try TemporaryFolder()
        let store = FolderStore(path: folder.path)
        let witness = Witness()
        let cancelled = try store.watch { witness.note($0) }
        cancelled?.cancel()
        _ = try store.watch { witness.note($0) }
        _ = try FolderStore(path: folder.path).update { $0.overwrite(slot(2), with: preset("B")) }
        usleep(400_000)
        #expect(witness.count == 0)
    }
}
