import Glibc
public import Media

/// Reads a modulation track in order; memory: a reading and 64 KiB.
public final class ModulationTrackReader {
    /// What the readings have.
    public let format: ParameterFormat
    /// Where the last one ends.
    public let end: MediaTime
    /// How many there are.
    public let count: UInt64

    private let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// Where in the buffer, and of it in the file, what comes next lies.
    private var (next, base) = (0, Int64(0))
    private var hash: CheckpointHash
    private let expectedHash: UInt64
    private var look: TrackLook?
    private var (bases, factors): ([Double], [Double])
    private var (taken, last) = (UInt64(0), MediaTime.zero)
    private var isDone = false

    /// Opens a track and reads its head and its end.
    ///
    /// - Parameter path: a file that can be sought in.
    /// - Throws: `ModulationTrackError` when it cannot be read or is no modulation track.
    public init(path: String) throws(ModulationTrackError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 {
            throw ModulationTrackError(FileError(path: path, call: "open", code: errno))
        }
        let (headerSize, endSize) = (ModulationTrack.headerSize, ModulationTrack.endSize)
        do throws(ModulationTrackError) {
            let length = Int64(lseek(descriptor, 0, SEEK_END))
            let header = try Self.read(descriptor, path, at: 0, headerSize)
            do throws(TrackFault) {
                format = try Self.format(header)
                if length < headerSize + endSize { throw TrackFault("it is cut short") }
            } catch {
                throw ModulationTrackError(path: path, reason: error.text)
            }
            let tail = try Self.read(descriptor, path, at: length - Int64(endSize), endSize)
            var fields = TrackFields(tail)
            do throws(TrackFault) {
                guard try fields.integer() as UInt8 == ModulationTrack.Tag.end else {
                    throw TrackFault("it has no end: it is cut short or damaged")
                }
                end = try fields.time()
                count = try fields.integer()
                expectedHash = try fields.integer()
            } catch {
                throw ModulationTrackError(path: path, reason: error.text)
            }
            var hash = CheckpointHash()
            unsafe header.withUnsafeBytes { unsafe hash.add($0) }
            self.hash = hash
        } catch {
            close(descriptor)
            throw error
        }
        (bases, factors) = ([], [])
        bases = [Double](repeating: 0, count: Parameter.allCases.count)
        factors = bases
        base = Int64(headerSize)
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    private static func format(_ header: [UInt8]) throws(TrackFault) -> ParameterFormat {
        var fields = TrackFields(header)
        guard try fields.bytes(8).elementsEqual(ModulationTrack.magic) else {
            throw TrackFault("it is no modulation track: it does not begin like one")
        }
        let version: UInt32 = try fields.integer()
        guard version == ModulationTrack.version else {
            throw TrackFault(
                "it is of version \(version); this Foxfire reads version \(ModulationTrack.version)"
            )
        }
        let species = Int(try fields.integer() as UInt32)
        let rate: (Int32, Int32) = (try fields.integer(), try fields.integer())
        guard Species.countRange.contains(species), rate.0 > 0, rate.1 > 0 else {
            throw TrackFault("its header is damaged")
        }
        return ParameterFormat(rate: Rate(rate.0, rate.1), speciesCount: species)
    }

    /// Reads the next reading; nil behind the last one.
    ///
    /// - Returns: the reading.
    /// - Throws: `ModulationTrackError` when the file cannot be read or is damaged.
    public func read() throws(ModulationTrackError) -> ModulationTrack.Reading? {
        if isDone { return nil }
        while true {
            let tag = try take(1)
            switch tag[0] {
            case ModulationTrack.Tag.look: try readLook(tag)
            case ModulationTrack.Tag.reading: return try readReading(tag)
            case ModulationTrack.Tag.end:
                add(try tag + take(ModulationTrack.endSize - 1 - 8))
                guard taken == count, hash.value == expectedHash else {
                    throw damaged("its hash, or the number of its readings, is another")
                }
                isDone = true
                return nil
            default: throw damaged("there is no record \(tag[0])")
            }
        }
    }

    private func readLook(_ tag: [UInt8]) throws(ModulationTrackError) {
        let head = try take(4)
        let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= ModulationTrack.lookLimit else { throw damaged("a look is too long") }
        let bytes = try take(length)
        do throws(TrackFault) {
            look = try TrackLook(bytes, speciesCount: format.speciesCount)
        } catch {
            throw damaged(error.text)
        }
        add(tag + head + bytes)
    }

    private func readReading(_ tag: [UInt8]) throws(ModulationTrackError) -> ModulationTrack.Reading
    {
        let head = try take(2 * 12 + 2 * 4)
        var fields = TrackFields(head)
        do throws(TrackFault) {
            let (time, duration) = (try fields.time(), try fields.time())
            let masks: (UInt32, UInt32) = (try fields.integer(), try fields.integer())
            guard (masks.0 | masks.1) >> UInt32(bases.count) == 0 else {
                throw TrackFault("there are no such parameters")
            }
            guard time >= last else { throw TrackFault("its times fall") }
            guard let look else { throw TrackFault("a reading comes before the first look") }
            let values = try takeNumbers(masks.0.nonzeroBitCount + masks.1.nonzeroBitCount)
            var numbers = TrackFields(values)
            for index in bases.indices where masks.0 >> UInt32(index) & 1 == 1 {
                bases[index] = try numbers.value()
            }
            for index in factors.indices where masks.1 >> UInt32(index) & 1 == 1 {
                factors[index] = try numbers.value()
            }
            add(tag + head + values)
            (last, taken) = (time, taken + 1)
            return ModulationTrack.Reading(
                time: time,
                duration: duration,
                parameters: look.set(format, Parameters(bases: bases, factors: factors))
            )
        } catch {
            throw damaged(error.text)
        }
    }

    /// The bytes of `count` numbers.
    private func takeNumbers(_ count: Int) throws(TrackFault) -> [UInt8] {
        do throws(ModulationTrackError) {
            return try take(8 * count)
        } catch {
            throw TrackFault(error.reason)
        }
    }

    private func add(_ record: [UInt8]) { unsafe record.withUnsafeBytes { unsafe hash.add($0) } }

    private func damaged(_ text: String) -> ModulationTrackError {
        ModulationTrackError(
            path: path,
            reason: "before byte \(base + Int64(next)): \(text): it is damaged"
        )
    }

    /// The next bytes.
    private func take(_ count: Int) throws(ModulationTrackError) -> [UInt8] {
        while buffer.count - next < count {
            base += Int64(next)
            buffer.removeFirst(next)
            next = 0
            let size = max(count - buffer.count, 1 << 16)
            let more = try Self.read(
                descriptor,
                path,
                at: base + Int64(buffer.count),
                size,
                isExact: false
            )
            if more.isEmpty { throw damaged("it ends within a record") }
            buffer += more
        }
        defer { next += count }
        return Array(buffer[next..<next + count])
    }

    private static func read(
        _ descriptor: Int32,
        _ path: String,
        at offset: Int64,
        _ count: Int,
        isExact: Bool = true
    ) throws(ModulationTrackError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    descriptor,
                    buffer.baseAddress?.advanced(by: done),
                    count - done,
                    off_t(offset) + done
                )
            }
            if got < 0, errno == EINTR { continue }
            if got < 0 {
                throw ModulationTrackError(FileError(path: path, call: "read", code: errno))
            }
            if got == 0 { break }
            done += got
        }
        if isExact, done < count {
            throw ModulationTrackError(
                path: path,
                reason: "it ends at byte \(offset + Int64(done))"
            )
        }
        bytes.removeLast(count - done)
        return bytes
    }
}

/// Why a modulation track cannot be read.
public struct ModulationTrackError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file.
    public let path: String
    /// What is wrong with it, in a sentence.
    public let reason: String

    /// The path and what is wrong.
    public var description: String { "\(path): \(reason)" }
}

extension ModulationTrackError {
    fileprivate init(_ error: FileError) {
        self.init(path: error.path, reason: "\(error.reason) (\(error.call))")
    }
}
