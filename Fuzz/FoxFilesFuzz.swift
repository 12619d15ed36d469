// A libFuzzer target: any bytes as a fox's settings and as its audio must be read as each firmware would,
// and settings that are written must have no traps.
//
// Built by `make fuzz` alone: an ordinary build has no main for it.

import PicoFox

/// Reads the bytes as settings and as audio, for each firmware.
///
/// - Parameters:
///   - bytes: what the fuzzer made up.
///   - count: how many bytes.
/// - Returns: 0, as libFuzzer wants it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFoxFiles(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let file = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    for firmware in Firmware.allCases {
        _ = SettingsReading(file, firmware).issues
        let written = SettingsFile(file).bytes(for: firmware)
        for line in SettingsReading(written, firmware).lines {
            precondition(
                line.outcome != .held && line.outcome != .unterminated,
                "What is written swallows no line."
            )
        }
        precondition(
            SettingsFile(written).bytes(for: firmware) == written,
            "What is written is read as it was meant."
        )
        let played = PlayedFile(file.span, firmware)
        let sum = played.stretches.reduce(0) { $0 + $1.sampleCount }
        precondition(sum == played.samples.count, "Every sample is in a stretch.")
    }
    return 0
}
