// A libFuzzer target: any bytes as a modulation track must end in readings or in an error.
//
// Built by `make fuzz` alone: an ordinary build has no main for it.

import Glibc
import Media
import Physarum

/// A file without a name that the bytes are written to; made once.
private let descriptor = unsafe fileno(tmpfile())

/// Reads the bytes as a modulation track.
///
/// - Parameters:
///   - bytes: what the fuzzer made up.
///   - count: how many bytes.
/// - Returns: 0, as libFuzzer wants it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModulationTrack(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    precondition(ftruncate(descriptor, 0) == 0, "A file can be emptied.")
    precondition(unsafe pwrite(descriptor, bytes, count, 0) == count, "The disk has room.")
    do {
        let reader = try ModulationTrackReader(path: "/proc/self/fd/\(descriptor)")
        var last = MediaTime.zero
        while let reading = try reader.read() {
            precondition(reading.time >= last, "Times do not fall.")
            last = reading.time
            _ = reading.time.adding(reading.duration)
        }
    } catch {
        precondition(!error.reason.isEmpty, "An error says why.")
    }
    return 0
}
