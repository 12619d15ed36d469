// A libFuzzer target: any bytes as a still (HEIC, JPEG, PNG) must be read, or refused with a place, and so must its
// EXIF block and its MakerNote.
//
// Built by `make fuzz` alone: an ordinary build has no main for it.

import Codecs

/// Reads the bytes as a still, and as an EXIF block by itself.
///
/// - Parameters:
///   - bytes: what the fuzzer made up.
///   - count: how many bytes.
/// - Returns: 0, as libFuzzer wants it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStill(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    if let still = try? StillFile(bytes, name: "fuzz"), let tiff = still.tiff {
        _ = try? EXIFBlock.read(tiff)
    }
    _ = try? EXIFBlock.read(bytes)
    _ = try? MakerNote.identifier(bytes)
    return 0
}
