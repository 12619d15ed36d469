import Glibc
import Media

/// What of this process's program and libraries decides which bytes a job makes.
struct LoadedObjects: Sendable, Hashable {
    /// The executable's build ID (ELF note NT_GNU_BUILD_ID) as hex digits; empty where it has none.
    let build: String
    /// The file names of the libraries that make bytes, with their versions in them, sorted, with spaces between.
    let libraries: String

    /// Names begin so; the C library and what only serves it are left out, so that a security update of it does
    /// not make everything anew.
    private static let makers = [
        "libavcodec", "libavformat", "libavutil", "libswscale", "libswresample", "libx264",
        "libx265", "libheif", "libde265", "libaom", "libdav1d", "libSvtAv1", "libpng",
        "libturbojpeg", "libjpeg", "libdeflate", "libz.", "libopus", "libebur128", "libespeak-ng",
        "libmp3lame", "libvorbis", "libFLAC", "libvpx", "libwebp",
    ]

    /// As they are in this process.
    static let current = LoadedObjects()

    private init() {
        let program = (try? FileContents.read("/proc/self/exe", limit: 1 << 16)) ?? []
        build = Self.buildID(program).map(hexDigits) ?? ""
        let maps = (try? FileContents.read("/proc/self/maps", limit: 16 << 20)) ?? []
        // Address, rights, offset, device, inode, path: the kernel tells the real file, with its whole version.
        let names = maps.split(separator: UInt8(ascii: "\n")).compactMap { line -> String? in
            guard let slash = line.lastIndex(of: UInt8(ascii: "/")) else { return nil }
            return String(decoding: line[line.index(after: slash)...], as: UTF8.self)
        }
        libraries = Set(names).filter { name in Self.makers.contains { name.hasPrefix($0) } }
            .sorted().joined(separator: " ")
    }

    /// The note that the linker leaves, from the beginning of a 64-bit little-endian ELF file (elf(5)): its program
    /// headers name segments of notes, each name size, content size and type, then name and content, padded to 4.
    static func buildID(_ bytes: [UInt8]) -> [UInt8]? {
        func number(_ place: Int, _ count: Int) -> Int? {
            guard place >= 0, place <= bytes.count - count else { return nil }
            return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]), let table = number(32, 4),
            let size = number(54, 2), let count = number(56, 2)
        else { return nil }
        for index in 0..<count {
            let header = table + index * size
            guard number(header, 4) == 4, let start = number(header + 8, 4),
                let length = number(header + 32, 4)
            else { continue }
            var place = start
            while place < start + length, let nameSize = number(place, 4),
                let contentSize = number(place + 4, 4), let type = number(place + 8, 4)
            {
                let content = place + 12 + (nameSize + 3) / 4 * 4
                let end = content + contentSize
                guard end <= bytes.count else { break }
                if type == 3, nameSize == 4 { return Array(bytes[content..<end]) }
                place = content + (contentSize + 3) / 4 * 4
            }
        }
        return nil
    }
}

/// Bytes as hexadecimal digits.
func hexDigits(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}

/// The processor's name, as the system tells it; empty where it does not.
func processorName() -> String {
    let bytes = (try? FileContents.read("/proc/cpuinfo", limit: 4096)) ?? []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    where line.hasPrefix("model name") {
        guard let colon = line.firstIndex(of: ":") else { continue }
        return String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    return ""
}
