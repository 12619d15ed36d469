import Foundation
import Glibc
import Media
import TestSupport
import Testing

@testable import Batch

@Suite struct StateTests {
    private static let job = JobID(graph: "film", values: ["seed": "1"])

    private static func files(_ names: String...) -> JobFiles {
        var files = JobFiles()
        for name in names { StateName("\(job).\(name)").map { files.note($0) } }
        return files
    }

    @Test func `a job's ID depends on graph and values, not on their order`() {
        let one = JobID(graph: "g", values: ["a": "1", "b": "2"])
        #expect(one == JobID(graph: "g", values: ["b": "2", "a": "1"]))
        #expect(one != JobID(graph: "g", values: ["a": "1b", "": "2"]))
        #expect(one != JobID(graph: "h", values: ["a": "1", "b": "2"]))
        #expect(JobID(one.description) == one)
        #expect(JobID("0123456789ABCDEF") == nil)
        #expect(JobID("+123456789abcdef") == nil)
        #expect(JobID(UInt64.max.description) == nil)
    }

    @Test(arguments: [
        "", "x", "0123456789abcdef.done", "0123456789abcdef.done.0", "0123456789abcdef.done.-1",
        "0123456789abcdef.gone.1", "0123456789abcdef.done.1.x", "0123456789abcdef.log",
        "123456789abcdef.done.1", ".0123456789abcdef.done.1",
    ])
    func `other names are of other files`(name: String) { #expect(StateName(name) == nil) }

    @Test func `the highest generation says what became of a job`() {
        #expect(Self.files().state == nil)
        #expect(Self.files("done.1").state?.word == .done)
        #expect(Self.files("done.1", "failed.2").state?.word == .failed)
        #expect(Self.files("failed.2", "done.1").state?.word == .failed)
        #expect(Self.files("running.3", "done.3").state?.word == .done)
        #expect(Self.files("done.3", "running.3").state?.word == .done)
        #expect(Self.files("done.1", "running.2", "claim.2").isClaimed)
        #expect(!Self.files("done.2", "claim.1").isClaimed)
        #expect(Self.files("running.2", "claim.2").isClaimed)
        #expect(Self.files("overtaken.4", "done.5").overtaken == [4])
        #expect(Self.files("overtaken.4").generation == 4)
        #expect(Self.files("claim.7", "done.5").generation == 7)
    }

    // MARK: Claims

    /// Who holds a claim that cannot be had; nil where it could.
    private static func holder(_ folder: StateFolder, abandoned: Int? = nil, isLocal: Bool)
        -> String?
    {
        do throws(JobClaim.Refusal) {
            _ = try JobClaim(job, in: folder, abandoned: abandoned, isLocal: isLocal)
            return nil
        } catch {
            guard case .held(let holder) = error else { return "\(error)" }
            return holder
        }
    }

    @Test(arguments: [true, false])
    func `a claim that is held cannot be had, and names its holder`(isLocal: Bool) throws {
        let temporary = try TemporaryFolder()
        let folder = StateFolder(temporary.path + "/b.state")
        let claim = try JobClaim(Self.job, in: folder, isLocal: isLocal)
        #expect(claim.generation == 1 && claim.overtook == nil && claim.isOwner)
        let holder = Self.holder(folder, isLocal: isLocal)
        #expect(holder == "process \(getpid()) on \(hostName())")
        // Another generation's standing still says nothing of this one.
        #expect(Self.holder(folder, abandoned: 7, isLocal: false) == holder)
        claim.release()
        #expect(Self.holder(folder, isLocal: isLocal) == nil)
    }

    @Test func `a lock that is gone decides at once on a disk of this machine`() throws {
        let temporary = try TemporaryFolder()
        let folder = StateFolder(temporary.path + "/b.state")
        do { _ = try JobClaim(Self.job, in: folder, isLocal: true) }
        // The claim's file is there, and nobody has its lock.
        #expect(folder.files(of: Self.job).isClaimed)
        #expect(Self.holder(folder, isLocal: false) != nil)
        let next = try JobClaim(Self.job, in: folder, isLocal: true)
        #expect(next.generation == 2 && next.overtook == 1)
    }

    @Test func `a count that stood still is taken over, and its owner sees it`() throws {
        let temporary = try TemporaryFolder()
        let folder = StateFolder(temporary.path + "/b.state")
        let late = try JobClaim(Self.job, in: folder, isLocal: false)
        let next = try JobClaim(Self.job, in: folder, abandoned: 1, isLocal: false)
        #expect(next.generation == 2 && next.overtook == 1)
        #expect(!late.isOwner && next.isOwner)
        // Nothing was deleted by the takeover, and the later end clears away behind it.
        #expect(folder.names(of: Self.job).count { $0.word == .claim } == 2)
        try next.put(.done, JobState())
        try late.put(.overtaken, JobState())
        let names = Set(folder.names(of: Self.job).map(\.text))
        #expect(names == ["\(Self.job).done.2", "\(Self.job).overtaken.1"])
        // The order of the two ends does not matter.
        try late.put(.running, JobState())
        #expect(folder.files(of: Self.job).state?.word == .done)
    }

    @Test func `an end clears away what killed writers left`() throws {
        let temporary = try TemporaryFolder()
        let folder = StateFolder(temporary.path + "/b.state")
        let claim = try JobClaim(Self.job, in: folder, isLocal: true)
        let place = folder.folder(of: Self.job)
        let other = JobID(graph: "x", values: [:])
        let kept = ["\(Self.job).log", ".\(Self.job).running.2.77-5", ".\(other).done.1.77-5"]
        for name in kept + [".\(Self.job).running.1.77-5", ".\(Self.job).claim.1.77-5"] {
            try Data().write(to: URL(filePath: "\(place)/\(name)"))
        }
        try claim.put(.done, JobState())
        #expect(Set(Folder.entries(of: place)) == Set(kept + ["\(Self.job).done.1"]))
    }

    @Test func `a survey clears away what was left by who was killed after the end was written`()
        throws
    {
        let temporary = try TemporaryFolder()
        let folder = StateFolder(temporary.path + "/b.state")
        let names = ["claim.3", "running.3", "done.3", "overtaken.2", "log"]
        let hidden = ".\(Self.job).running.2.7"
        let place = folder.folder(of: Self.job)
        try JobClaim(Self.job, in: folder).put(.done, JobState())
        let all = names.map { "\(Self.job).\($0)" } + [hidden]
        for name in all { try Data().write(to: URL(filePath: "\(place)/\(name)")) }
        try BatchSurvey(folder).tidy()
        let left = ["done.3", "overtaken.2", "log"].map { "\(Self.job).\($0)" }
        #expect(Folder.entries(of: place).sorted() == left.sorted())
        // Whoever has taken it since keeps all.
        for name in all + ["\(Self.job).claim.4"] {
            try Data().write(to: URL(filePath: "\(place)/\(name)"))
        }
        try BatchSurvey(folder).tidy()
        #expect(Folder.entries(of: place).count == all.count + 1)
    }

    // MARK: Keys

    @Test func `the build ID is the note of that type and name`() {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        /// Name size, content size, type, name, content padded to 4.
        func note(_ type: Int, _ name: String, _ content: [UInt8]) -> [UInt8] {
            let padding = [UInt8](repeating: 0, count: -content.count & 3)
            let head = number(name.utf8.count, 4) + number(content.count, 4) + number(type, 4)
            return head + Array(name.utf8) + content + padding
        }
        let id: [UInt8] = [0xDE, 0xAD, 0xBE, 0xEF, 1]
        let notes = note(1, "GNU\0", [9, 9, 9]) + note(3, "GNU\0", id)
        func program(_ kind: Int) -> [UInt8] {
            var bytes = [0x7F, 0x45, 0x4C, 0x46, 2, 1] + [UInt8](repeating: 0, count: 58)
            bytes.replaceSubrange(32..<40, with: number(64, 8))
            bytes.replaceSubrange(54..<58, with: number(56, 2) + number(1, 2))
            let sizes = number(notes.count, 8) + number(notes.count, 8) + number(4, 8)
            return bytes + number(kind, 4) + number(4, 4) + number(120, 8) + number(0, 16) + sizes
                + notes
        }
        #expect(LoadedObjects.buildID(program(4)).map(hexDigits) == "deadbeef01")
        #expect(LoadedObjects.buildID(program(1)) == nil)
        #expect(LoadedObjects.buildID(Array(program(4).dropLast(8))) == nil)
    }

    @Test func `bytes that are no program have no build ID`() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            var bytes: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1]
            bytes += (0..<300).map { _ in UInt8.random(in: 0...7, using: &random) }
            _ = LoadedObjects.buildID(bytes)
            _ = LoadedObjects.buildID(Array(bytes.prefix(Int.random(in: 0...64, using: &random))))
        }
    }

    @Test func `hashes of files are kept, and half a hash is not believed`() throws {
        let temporary = try TemporaryFolder()
        let hashes = ContentHash(temporary.path + "/hashes")
        func kept() throws -> [String] {
            let all =
                (try? FileManager.default.subpathsOfDirectory(atPath: temporary.path + "/hashes"))
                ?? []
            return all.filter { $0.contains("/") }.map { temporary.path + "/hashes/" + $0 }
        }
        let path = temporary.path + "/a"
        try Data("abc".utf8).write(to: URL(filePath: path))
        // FIPS 180-4's example.
        #expect(
            try hashes.known(path)?.sha256.hasPrefix("ba7816bf8f01cfea414140de5dae2223") == true
        )
        // What was written just now may be written again within the same tick of the clock.
        #expect(try kept() == [])
        let sha256 = try #require(try hashes.known("/bin/sh")).sha256
        let place = try #require(try kept().first)
        #expect(try String(contentsOfFile: place, encoding: .utf8) == sha256)
        for broken in ["", String(sha256.prefix(40)), String(repeating: "\0", count: 64)] {
            try Data(broken.utf8).write(to: URL(filePath: place))
            #expect(try hashes.known("/bin/sh")?.sha256 == sha256)
            #expect(try String(contentsOfFile: place, encoding: .utf8) == sha256)
        }
        #expect(try hashes.known("/dev/null") == nil)
        #expect(throws: FileError.self) { try hashes.known(path + "x") }
    }
}
