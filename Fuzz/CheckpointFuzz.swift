// A libFuzzer target: any bytes as a checkpoint must end in a simulation that can go on, or in an error.
//
// Built by `make fuzz` alone: an ordinary build has no main for it.

import Glibc
import Media
import Physarum

/// A file without a name that the bytes are written to; made once.
private let descriptor = unsafe fileno(tmpfile())

/// Reads the bytes as a checkpoint and makes a step from it.
///
/// - Parameters:
///   - bytes: what the fuzzer made up.
///   - count: how many bytes.
/// - Returns: 0, as libFuzzer wants it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCheckpoint(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    precondition(ftruncate(descriptor, 0) == 0, "A file can be emptied.")
    precondition(unsafe pwrite(descriptor, bytes, count, 0) == count, "The disk has room.")
    let path = "/proc/self/fd/\(descriptor)"
    do {
        var simulation = try Simulation.resuming(path)
        simulation.step(Parameters(), on: SerialExecutor())
    } catch let error as CheckpointError {
        precondition(!error.reason.isEmpty, "An error says why.")
    } catch {
        precondition(error is SimulationError, "An error is of a known kind.")
    }
    return 0
}
