// A libFuzzer target: any bytes as a still (HEIC, JPEG, PNG) must be read, or refused with a place, and so must its
// EXIF block and its MakerNote; the same bytes as a movie's index, a Motion Photo and a colour profile.
//
// Built by `make fuzz` alone: an ordinary build has no main for it.

import Codecs
import Media

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
    if let movie = try? MovieFile(bytes, name: "fuzz") {
        _ = try? movie.tracks()
        _ = try? movie.clock()
        _ = try? movie.identifiers()
        _ = try? PairedMovie.plan(movie, identifier: "fuzz", still: .zero)
    }
    if let photo = try? MotionPhotoCheck(bytes, name: "fuzz.MP.jpg") { _ = photo.faults.count }
    _ = ICCProfile.primaries(of: bytes)
    _ = try? HEIFReferences.withoutToneMaps(bytes)
    _ = try? EXIFBlock.read(bytes)
    _ = try? MakerNote.identifier(bytes)
    return 0
}
