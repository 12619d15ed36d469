// A libFuzzer target: any bytes as a byte stream of HEVC must end in access units that lie in it, whatever
// pieces it comes in, and each in a verdict.
//
// Built by `make fuzz` alone: an ordinary build has no main for it.

import Codecs
import Lumen
import Media

/// Cuts the bytes into access units, whole and in pieces, and lets them be judged.
///
/// - Parameters:
///   - bytes: what the fuzzer made up.
///   - count: how many bytes.
/// - Returns: 0, as libFuzzer wants it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHEVCStream(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let stream = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    let whole = units(stream, piece: max(1, count))
    precondition(
        whole.map(\.bytes) == units(stream, piece: 7).map(\.bytes),
        "Pieces change nothing."
    )
    var end: Int64 = 0
    for unit in whole {
        precondition(unit.offset >= end, "Units follow each other.")
        end = unit.offset + Int64(unit.bytes.count)
        precondition(
            end <= Int64(count) && unit.units.allSatisfy { $0.upperBound <= unit.bytes.count },
            "Units lie in the stream."
        )
    }
    // The same bytes as a capture: every unit gets a verdict, and times rise.
    guard let reader = try? CaptureReader(MemorySource(stream, name: "fuzz.h265")) else { return 0 }
    var last: MediaTime?
    while let item = try? reader.next() {
        guard case .picture(let picture) = item else { continue }
        precondition(last.map { $0 < picture.decodingTime } ?? true, "Decoding times rise.")
        last = picture.decodingTime
    }
    return 0
}

private func units(_ stream: [UInt8], piece: Int) -> [HEVCAccessUnit] {
    var reader = HEVCAccessUnitReader()
    var units: [HEVCAccessUnit] = []
    for start in stride(from: 0, to: stream.count, by: piece) {
        reader.append(stream[start..<min(start + piece, stream.count)])
        while let unit = try? reader.next() { units.append(unit) }
    }
    reader.finish()
    while let unit = try? reader.next() { units.append(unit) }
    return units
}
