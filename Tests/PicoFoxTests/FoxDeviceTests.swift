import Foundation
import TestSupport
import Testing

@testable import PicoFox

/// Behaviours 16–18 and 42–46 of the facts, on folders.
@Suite struct FoxDeviceTests {
    /// A fox in a folder of its own, with a state folder beside it.
    private final class Fox {
        let folder = FileManager.default.temporaryDirectory.path + "/fox-\(UUID().uuidString)"
        let volume: FoxVolume

        init(_ firmware: Firmware = .r3, settings: String = "CALLSIGN=N0CALL\n") throws {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true
            )
            volume = FoxVolume(folder: folder, firmware: firmware)
            try put("settings.txt", Array(settings.utf8))
        }

        func device() throws -> FoxDevice { try FoxDevice(volume, stateIn: folder + "-state") }

        deinit {
            try? FileManager.default.removeItem(atPath: folder + "-state")
            try? FileManager.default.removeItem(atPath: folder)
        }

        func put(_ name: String, _ bytes: [UInt8]) throws {
            try Data(bytes).write(to: URL(fileURLWithPath: volume.path(name)))
        }

        func bytes(_ name: String) -> [UInt8]? {
            FileManager.default.contents(atPath: volume.path(name)).map { Array($0) }
        }

        var names: [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? []
        }
    }

    private func wave(_ count: Int, rate: Int = 5000) -> [UInt8] {
        func long(_ value: Int) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        return Array("RIFF".utf8) + long(36 + 2 * count) + Array("WAVEfmt ".utf8) + long(16)
            + [1, 0, 1, 0] + long(rate) + long(2 * rate) + [2, 0, 16, 0] + Array("data".utf8)
            + long(2 * count) + (0..<2 * count).map { UInt8(truncatingIfNeeded: $0 / 7) }
    }

    private func text(_ work: () throws -> Void) -> String {
        do { try work() } catch { return (error as? FoxError)?.text ?? "\(error)" }
        return ""
    }

    @Test func `without open there is no save, and no fox is not opened`() throws {
        let fox = try Fox()
        let device = try fox.device()
        #expect(
            text { try device.save(settings: nil, audio: [wave(9)]) } == "this fox was not opened"
        )
        try FileManager.default.removeItem(atPath: fox.volume.path("settings.txt"))
        #expect(text { _ = try device.open() }.hasSuffix("is no fox: it has no settings.txt"))
    }

    @Test func `files are replaced, backed up, read back, and restored`() throws {
        let fox = try Fox()
        try fox.put("audio.wav", wave(100))
        try fox.put("keep.txt", [1])
        let device = try fox.device()
        _ = try device.open()
        let settings = Array("CALLSIGN=W1AW\n".utf8)
        try device.save(settings: settings, audio: [wave(50)])
        #expect(fox.bytes("settings.txt") == settings && fox.bytes("audio.wav") == wave(50))
        #expect(fox.names == ["audio.wav", "keep.txt", "settings.txt"])
        // The snapshot is the new one: saving again is no conflict.
        try device.save(settings: nil, audio: [wave(70)])
        #expect(try device.restore() == ["audio.wav"])
        #expect(fox.bytes("audio.wav") == wave(50))
    }

    @Test func `a change that the fox has by itself or from others is a conflict`() throws {
        let fox = try Fox()
        try fox.put("audio.wav", wave(100))
        let device = try fox.device()
        _ = try device.open()
        // It already equals what would be written.
        try fox.put("audio.wav", wave(50))
        let refused = text { try device.save(settings: nil, audio: [wave(50)]) }
        #expect(refused == "the fox was changed since it was opened: audio.wav was changed")
        try FileManager.default.removeItem(atPath: fox.volume.path("audio.wav"))
        #expect(
            text { try device.save(settings: nil, audio: [wave(50)]) }.hasSuffix(
                "audio.wav is gone"
            )
        )
        try device.save(settings: nil, audio: [wave(50)], isForced: true)
        #expect(fox.bytes("audio.wav") == wave(50))
    }

    @Test func `16 what kg writes at its start is no conflict, another callsign is`() throws {
        let fox = try Fox(.kg, settings: "# mine\ncallsign = n0call\nITU_ZONE=2\n")
        let device = try fox.device()
        let snapshot = try device.open()
        let rewritten = SettingsReading(snapshot.settings, .kg).settings.canonicalText
        try fox.put("settings.txt", Array(rewritten.utf8))
        #expect(snapshot.differences(from: fox.volume).isEmpty)
        let other = rewritten.replacingOccurrences(of: "N0CALL", with: "W1AW")
        try fox.put("settings.txt", Array(other.utf8))
        #expect(snapshot.differences(from: fox.volume) == ["settings.txt was changed"])
    }

    @Test(arguments: [
        ("CALLSIGN=N0CLAL\nMORSE_WPM=15\n", true), ("CALLSIGN=N0CALL\nMORSE_WPM=24\n", true),
        ("CALLSIGN=N0\nMORSE_WPM=15\n", true),
        ("CALLSIGN=N0CALL\nMORSE_WPM=15\nDUTY_CYCLE=50\n", false),
    ])
    func `17 and 18 the old ID goes when callsign or Morse settings change`(
        settings: String,
        isRemoved: Bool
    ) throws {
        for firmware in [Firmware.r2, .r3, .kc] {
            let fox = try Fox(firmware, settings: "CALLSIGN=N0CALL\nMORSE_WPM=15\n")
            let name = try #require(firmware.identificationFileName)
            try fox.put(name, [7])
            let device = try fox.device()
            _ = try device.open()
            try device.save(settings: Array(settings.utf8), audio: [])
            #expect(fox.names.contains(name) != isRemoved)
            _ = try device.restore()
            #expect(fox.bytes(name) == [7])
        }
    }

    @Test func `35 and 40 file rules come before anything is touched`() throws {
        let fox = try Fox()
        let device = try fox.device()
        _ = try device.open()
        #expect(
            text { try device.save(settings: nil, audio: [wave(9, rate: 8000)]) }.contains(
                "not be played"
            )
        )
        #expect(
            text { try device.save(settings: nil, audio: [wave(9), wave(9)]) }.contains(
                "plays 1 file, not"
            )
        )
        #expect(
            text { try device.save(settings: nil, audio: [wave(4_294_968)]) }.contains(
                "counter wraps"
            )
        )
        #expect(fox.names == ["settings.txt"])
        let jf = try Fox(.jf)
        let other = try jf.device()
        _ = try other.open()
        #expect(text { try other.save(settings: nil, audio: [wave(9)]) }.contains("never plays"))
    }

    @Test func `40 kg stops at the first gap`() throws {
        let fox = try Fox(.kg)
        for name in ["audio1.wav", "audio3.wav"] { try fox.put(name, wave(9, rate: 8000)) }
        #expect(fox.volume.playedFiles.isEmpty)
        try fox.put("audio.wav", wave(9, rate: 8000))
        #expect(
            fox.volume.playedFiles.map { ($0 as NSString).lastPathComponent } == [
                "audio.wav", "audio1.wav",
            ]
        )
    }

    @Test func `43 and 45 foreign names are listed, and a file that is read-only is made writable`()
        throws
    {
        let fox = try Fox(.r2)
        for name in ["AUDIO.WAV", "note.txt", ".callsign.wav"] { try fox.put(name, [1]) }
        #expect(fox.volume.foreignFiles == ["AUDIO.WAV", "note.txt"])
        #expect(FoxVolume(folder: fox.folder, firmware: .r3).foreignFiles.isEmpty)
        #expect(FoxVolume(folder: fox.folder, firmware: .kc).foreignFiles.contains("note.txt"))
        unsafe chmod(fox.volume.path("settings.txt"), 0o444)
        let device = try fox.device()
        _ = try device.open()
        try device.save(settings: Array("CALLSIGN=W1AW\n".utf8), audio: [])
        #expect(FileStatus(fox.volume.path("settings.txt")).map { $0.mode & 0o200 != 0 } == true)
    }

    @Test func `46 looking writes nothing on the fox`() throws {
        let fox = try Fox()
        try fox.put("audio.wav", wave(10))
        func times() throws -> [NSDate?] {
            try fox.names.map {
                try FileManager.default.attributesOfItem(atPath: fox.volume.path($0))[
                    .modificationDate
                ] as? NSDate
            }
        }
        let before = (fox.names, try times())
        let device = try fox.device()
        _ = try device.open()
        _ = device.snapshot?.differences(from: fox.volume)
        _ = fox.volume.foreignFiles
        #expect(fox.names == before.0)
        #expect(try times() == before.1)
    }

    @Test func `a save that was broken off is told, refuses all but restore, and is mended`() throws
    {
        let fox = try Fox()
        try fox.put("audio.wav", wave(100))
        let device = try fox.device()
        _ = try device.open()
        let state = device.state
        try state.begin(state.backUp(["audio.wav", "settings.txt"], of: fox.volume))
        // Killed in the middle of a write in place, with a temporary beside.
        try fox.put("audio.wav", Array(wave(50).prefix(60)))
        try fox.put(".audio.wav.part-abc123", [1, 2])
        #expect(device.brokenSave != nil)
        #expect(text { _ = try device.open() }.contains("was broken off"))
        #expect(
            text { try device.save(settings: nil, audio: [wave(9)]) }.contains("was broken off")
        )
        _ = try device.restore()
        #expect(fox.bytes("audio.wav") == wave(100) && fox.names == ["audio.wav", "settings.txt"])
        #expect(device.brokenSave == nil)
    }

    @Test func `44 foxes are told apart by where they are, never by a volume's name`() throws {
        let (one, two) = (try Fox(), try Fox())
        #expect(one.volume.identity != two.volume.identity)
        let link = one.folder + "-link"
        unsafe symlink(one.folder, link)
        defer { unsafe unlink(link) }
        #expect(FoxVolume(folder: link, firmware: .r3).identity == one.volume.identity)
    }

    @Test func `a snapshot survives being written, and nothing else is read as one`() throws {
        let fox = try Fox()
        try fox.put("audio.wav", wave(3))
        var snapshot = try FoxSnapshot(of: fox.volume)
        snapshot.entries["audio.wav"] = .unreadable
        #expect(FoxSnapshot(snapshot.bytes) == snapshot)
        for count in 0..<60 { #expect(FoxSnapshot(Array(snapshot.bytes.prefix(count))) == nil) }
        #expect(FoxSnapshot(Array("{}".utf8)) == nil)
    }
}
