// A libFuzzer target: any bytes as the index of a capture must be read, or refused with a line's number, and what is
// read must lie in the video.
//
// Built by `make fuzz` alone: an ordinary build has no main for it.

import Codecs
import Lumen
import Media

/// Reads a small video with the bytes as its index.
///
/// - Parameters:
///   - bytes: what the fuzzer made up.
///   - count: how many bytes.
/// - Returns: 0, as libFuzzer wants it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCaptureIndex(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let index = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    // Slices without parameter sets: what matters is how they are cut.
    let video = (0..<16).flatMap { number -> [UInt8] in
        [0, 0, 0, 1, 2, 1, 0xD0, UInt8(number), 0x55, 0xAA, 0x80]
    }
    do {
        let reader = try CaptureReader(
            MemorySource(video, name: "fuzz.h265"),
            index: MemorySource(index, name: "fuzz.h265.idx")
        )
        while let item = try reader.next() {
            guard case .picture(let picture) = item else { continue }
            let start = picture.picture.stamp.offset
            precondition(
                start >= 0 && start + Int64(picture.picture.bytes.count) <= Int64(video.count),
                "Units lie in the video."
            )
        }
    } catch let error as CodecError {
        precondition(
            error.description.contains("line") || error.description.contains("unit"),
            "Say where."
        )
    } catch {
        preconditionFailure("Memory does not fail: \(error)")
    }
    return 0
}
