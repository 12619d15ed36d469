import Foundation
import Media
import TestSupport
import Testing

@testable import Physarum

@Suite struct CheckpointFileTests {
    /// A small checkpoint's bytes.
    private func bytes(_ folder: TemporaryFolder, agents: Int = 50) throws -> Data {
        let executor = SerialExecutor()
        var simulation = try Simulation(
            width: 20,
            height: 17,
            agentCount: agents,
            shares: [1, 1, 2],
            seed: 9,
            edges: .walls,
            on: executor
        )
        for _ in 0..<9 { simulation.step(Parameters(), on: executor) }
        let path = folder.file("whole")
        let file = try OutputFile(path: path)
        try simulation.save(
            clock: FilmClock(frameRate: Rate(24)),
            step: 4,
            frame: 2,
            to: file
        )
        try file.commit()
        return try folder.bytes("whole")
    }

    private func resume(_ data: Data, _ folder: TemporaryFolder) throws -> CheckpointError? {
        let path = folder.file("damaged")
        try data.write(to: URL(fileURLWithPath: path))
        do {
            _ = try Simulation.resuming(path)
            return nil
        } catch {
            return try #require(error as? CheckpointError)
        }
    }

    @Test("says what it is of, and is as long as it says")
    func header() throws {
        let folder = try TemporaryFolder()
        let data = try bytes(folder)
        let checkpoint = try Checkpoint(path: folder.file("whole"))
        #expect(checkpoint.width == 20 && checkpoint.height == 17)
        #expect(checkpoint.edges == .walls && checkpoint.seed == 9)
        #expect(checkpoint.agentCounts == [13, 12, 25])
        #expect(checkpoint.stepCount == 9 && checkpoint.step == 4 && checkpoint.frame == 2)
        #expect(checkpoint.clock == FilmClock(frameRate: Rate(24)))
        #expect(checkpoint.fileSize == data.count)
        #expect(Array(data.prefix(4)) == [0x89, 0x46, 0x58, 0x43])
    }

    @Test("any byte that is changed is noticed, and any cut")
    func damage() throws {
        let folder = try TemporaryFolder()
        let data = try bytes(folder, agents: 6)
        var generator = SeededGenerator(seed: 4)
        let places =
            Array(0..<Checkpoint.headerSize)
            + (0..<300).map { _ in Int.random(in: 0..<data.count, using: &generator) }
        for place in places where !(28..<32).contains(place) {
            var damaged = data
            damaged[place] ^= UInt8.random(in: 1...255, using: &generator)
            let error = try resume(damaged, folder)
            #expect(error != nil, "byte \(place)")
        }
        for length in [0, 7, 8, 100, Checkpoint.headerSize, data.count - 8, data.count - 1] {
            #expect(try resume(data.prefix(length), folder) != nil)
        }
        #expect(try resume(data + [0], folder)?.reason.contains("should have") == true)
        #expect(try resume(data, folder) == nil)
    }

    @Test("a place off the map is refused, whatever the hash says")
    func places() throws {
        let folder = try TemporaryFolder()
        let data = try bytes(folder)
        for value in [Float.nan, -0.6, 19.5, 1e30, .infinity] {
            var damaged = data
            unsafe withUnsafeBytes(of: value) {
                damaged.replaceSubrange(
                    Checkpoint.headerSize..<Checkpoint.headerSize + 4,
                    with: Data(unsafe Array($0))
                )
            }
            #expect(try resume(damaged, folder)?.reason.contains("beyond the map") == true)
        }
    }

    @Test("a file that is none is told")
    func noFile() throws {
        let folder = try TemporaryFolder()
        #expect(throws: CheckpointError.self) { _ = try Checkpoint(path: folder.file("none")) }
        #expect(
            try resume(Data("not at all".utf8), folder)?.reason.contains("ends at byte") == true
        )
        let other = Data(repeating: 1, count: 1000)
        #expect(try resume(other, folder)?.reason.contains("no checkpoint") == true)
    }
}
