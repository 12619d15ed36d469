import Glibc
public import Media

/// Decodes HEIC and AVIF files in a process of its own, which a crafted file may take down instead of this one.
///
/// The process is `foxfire` again, called by a word that no user types; its memory, its processor time and its
/// files are limited. What goes between the two: the file as standard input; back, 24 bytes (magic, width,
/// height, layout, primaries, transfer, as little-endian words) and the picture's bytes.
public enum HEIFProcess {
    /// The word that makes `foxfire` decode its standard input.
    public static let word = "--decode-heif"

    private static let magic: UInt32 = 0x4648_4649
    private static let layouts: [PixelLayout] = [.rgb24, .rgba32, .rgb48, .rgba64]
    /// This program, if it is called so, or the one in PATH.
    private static var foxfire: String {
        let own = Folder.link(at: "/proc/self/exe") ?? ""
        return own.hasSuffix("/foxfire") ? own : "foxfire"
    }

    /// Decodes the primary picture of a file.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - name: what errors call it.
    ///   - program: which `foxfire` decodes; without it this program, if it is called that, or the one in PATH.
    /// - Returns: as `HEIFDecoder.decode`.
    /// - Throws: `CodecError` for a file that cannot be decoded, or that ends the process that tries to.
    public static func decode(_ bytes: [UInt8], name: String, by program: String? = nil) throws
        -> VideoFrame
    {
        let path = program ?? foxfire
        let child = try ChildProcess(path, [word])
        let (output, errors) = child.exchange(bytes, limit: 24 + 16_384 * 16_384 * 8)
        let end = child.wait()
        func fault(_ text: String) -> CodecError {
            CodecError(call: "decode", code: 0, text: text, subject: name)
        }
        switch end {
        case .exited(0): break
        case .exited(127) where errors.isEmpty:
            throw fault("the program \"\(path)\", which decodes HEIF, could not be started")
        case .exited:
            throw fault(errors.isEmpty ? "it cannot be decoded" : errors)
        case .killed(SIGXCPU): throw fault("decoding it took more than two minutes of a processor")
        case .killed(let signal):
            throw fault(
                "decoding it crashed (signal \(signal)): the file is damaged, or made to do harm"
            )
        }
        guard let picture = picture(output) else { throw fault("its decoder gave half a picture") }
        return picture
    }

    private static func picture(_ bytes: [UInt8]) -> VideoFrame? {
        guard bytes.count >= 24 else { return nil }
        let words = (0..<6).map { index in
            (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[4 * index + $1]) << (8 * $1) }
        }
        guard words[0] == magic, (1...16_384).contains(words[1]), (1...16_384).contains(words[2]),
            layouts.indices.contains(Int(words[3])),
            let primaries = ColorInfo.Primaries(rawValue: UInt8(truncatingIfNeeded: words[4])),
            let transfer = ColorInfo.Transfer(rawValue: UInt8(truncatingIfNeeded: words[5]))
        else { return nil }
        let format = VideoFormat(
            width: Int(words[1]),
            height: Int(words[2]),
            layout: layouts[Int(words[3])],
            color: ColorInfo(matrix: .rgb, range: .full, primaries: primaries, transfer: transfer)
        )
        guard bytes.count == 24 + format.byteCount else { return nil }
        return VideoFrame(format: format, bytes: Writable(copying: Array(bytes[24...])))
    }

    /// What the process does: decodes standard input, writes the picture, and ends.
    ///
    /// - Returns: the exit code.
    public static func serve() -> Int32 {
        limit(RLIMIT_AS, 6 << 30)
        limit(RLIMIT_CPU, 120)
        limit(RLIMIT_CORE, 0)
        limit(RLIMIT_FSIZE, 0)
        do {
            let bytes = try FileContents.read(
                STDIN_FILENO,
                name: "standard input",
                limit: StillFile.byteLimit
            )
            let picture = try HEIFDecoder.decode(bytes)
            let format = picture.format
            let numbers = [
                Int(magic), format.width, format.height, layouts.firstIndex(of: format.layout) ?? 0,
                Int(format.color.primaries.rawValue), Int(format.color.transfer.rawValue),
            ]
            let head = numbers.flatMap { number in
                [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
            }
            guard FileContents.write(head.span, to: STDOUT_FILENO) == 0 else { return 1 }
            return picture.bytes.withSpan { FileContents.write($0, to: STDOUT_FILENO) } == 0 ? 0 : 1
        } catch let error as CodecError {
            _ = FileContents.write(
                Array("\(error.text) (\(error.call))".utf8).span,
                to: STDERR_FILENO
            )
        } catch {
            _ = FileContents.write(Array("\(error)".utf8).span, to: STDERR_FILENO)
        }
        return 1
    }

    private static func limit(_ resource: __rlimit_resource, _ value: UInt) {
        var limit = rlimit(rlim_cur: value, rlim_max: value)
        unsafe setrlimit(Int32(resource.rawValue), &limit)
    }
}
