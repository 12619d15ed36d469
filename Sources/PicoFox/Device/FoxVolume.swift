import Glibc
import Media

/// The folder of a fox: a mounted device, or any folder with its files.
public struct FoxVolume: Sendable {
    /// Where it is.
    public let folder: String
    /// What runs on it.
    public let firmware: Firmware

    /// Bytes for files on a device as the firmware formats it: 15,168 clusters of 1024 bytes.
    public static let capacity = 15_532_032

    /// Names a folder; nothing is read.
    public init(folder: String, firmware: Firmware) {
        self.folder = folder
        self.firmware = firmware
    }

    /// The path of a file in it.
    public func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// The audio files that are there and are played, in their order: `kg` stops at the first gap.
    public var playedFiles: [String] {
        var names: [String] = []
        for name in firmware.audioFileNames {
            if Folder.kind(of: path(name)) == .file {
                names.append(path(name))
            } else if firmware == .kg {
                break
            }
        }
        return names
    }

    /// Whether it looks like a fox: it has settings that are a file of a few bytes.
    public var isFox: Bool {
        Folder.kind(of: path("settings.txt")) == .file
            && (FileStatus(path("settings.txt"))?.size ?? 0) <= Int64(SettingsReading.byteLimit)
    }

    /// The files that the firmware removes at its next start; nothing with most.
    ///
    /// Names are compared as they are written: `AUDIO.WAV` is foreign. A folder shields what comes after
    /// it, which is not known beforehand.
    public var foreignFiles: [String] {
        guard firmware.removesForeignFiles else { return [] }
        let own = Set(
            ["settings.txt"] + firmware.audioFileNames
                + [firmware.identificationFileName, firmware.checksumFileName].compactMap { $0 }
        )
        return Folder.entries(of: folder)
            .filter { !own.contains($0) && Folder.kind(of: path($0)) == .file }.sorted()
    }

    /// Bytes that can still be written; nil where the system does not say.
    public var freeBytes: Int64? {
        var status = statvfs()
        guard unsafe statvfs(folder, &status) == 0 else { return nil }
        return Int64(status.f_bavail) * Int64(status.f_frsize)
    }

    /// What names the device for ever: its USB serial, else the folder's real path.
    public var identity: String {
        var status = stat()
        guard unsafe stat(folder, &status) == 0 else { return "path:\(folder)" }
        let (major, minor) = (status.st_dev >> 8 & 0xFFF, status.st_dev & 0xFF)
        var place = Self.realPath("/sys/dev/block/\(major):\(minor)") ?? ""
        while place.hasPrefix("/sys/devices/"), place.utf8.count > 14 {
            if Folder.kind(of: "\(place)/idVendor") == .file,
                let serial = try? FileStatus.contents("\(place)/serial", limit: 256)
            {
                return "usb:"
                    + String(decoding: trimmed(serial.filter { $0 != 0x0A }), as: UTF8.self)
            }
            place = Folder.parent(of: place)
        }
        return "path:" + (Self.realPath(folder) ?? folder)
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}

/// What the system says of a file.
struct FileStatus {
    let size: Int64
    let mode: mode_t

    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        size = Int64(status.st_size)
        mode = status.st_mode
    }

    /// A file's bytes, read from the medium where the system lets go of what it holds.
    static func contents(_ path: String, limit: Int, isFresh: Bool = false) throws(FileError)
        -> [UInt8]
    {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw FileError(path: path, call: "open", code: errno) }
        defer { close(descriptor) }
        if isFresh { _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = unsafe read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw FileError(path: path, call: "read", code: errno) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
        throw FileError(path: path, call: "read", code: EFBIG)
    }
}
