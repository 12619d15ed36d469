// A libFuzzer target: any bytes as a capture log, as datagrams, or as whatever they begin like, must end in items
// whose times rise, without a trap, and with memory for one payload.
//
// The first byte says whether the rest stands behind a log's header, so that most inputs get past it.
//
// Built by `make fuzz` alone: an ordinary build has no main for it.

import Codecs
import Lumen
import Media

/// Reads the bytes as a capture, to the end.
///
/// - Parameters:
///   - bytes: what the fuzzer made up.
///   - count: how many bytes.
/// - Returns: 0, as libFuzzer wants it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCaptureLog(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    var input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    if let first = input.first {
        input.removeFirst()
        switch first & 3 {
        case 0: break
        case 1: input = CaptureLog.fileHeader(session: 1) + input
        default: input = records(input)
        }
    }
    guard let reader = try? CaptureReader(MemorySource(input, name: "fuzz")) else { return 0 }
    var (pictures, audio): (MediaTime?, Int64?)
    while let item = try? reader.next() {
        switch item {
        case .picture(let picture):
            precondition(pictures.map { $0 < picture.decodingTime } ?? true, "Times rise.")
            pictures = picture.decodingTime
        case .audio(let packet):
            precondition(audio.map { $0 <= packet.position } ?? true, "Audio goes on.")
            audio = packet.position
            precondition((120...5760).contains(packet.sampleCount), "A packet has a length.")
        }
    }
    _ = reader.report.notes
    _ = reader.report.json(of: "fuzz")
    return 0
}

/// Records with right checks, made of the bytes: a kind, a length, stamps, a payload, and so on.
private func records(_ bytes: [UInt8]) -> [UInt8] {
    var log = CaptureLog.fileHeader(session: 2)
    var rest = bytes[...]
    while rest.count >= 12 {
        let head = Array(rest.prefix(12))
        rest = rest.dropFirst(12)
        let payload = rest.prefix(Int(head[1]))
        rest = rest.dropFirst(payload.count)
        let number = head[2..<10].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let stamp = CaptureStamp(
            flags: UInt32(head[10]),
            // Small, since each number that is left out is a packet.
            index: UInt32(truncatingIfNeeded: number) & 0x3FF,
            time: head[11] & 1 == 0 ? number : UInt64(head[11]) * 1_000_000,
            received: head[11] & 2 == 0 ? nil : number >> 8,
            isComplete: head[11] & 4 == 0
        )
        switch head[0] & 7 {
        case 0, 1: log += CaptureLog.record(unit: payload, stamp)
        case 2, 3:
            log += CaptureLog.record(packet: payload, stamp, hasRedundancy: head[11] & 8 != 0)
        case 4: log += CaptureLog.record(clockStep: Int64(bitPattern: number))
        case 5:
            log += CaptureLog.record(
                CaptureDescription(
                    video: .init(codec: head[11] & 1 == 0 ? "hevc" : "h264"),
                    audio: .init(channels: [1, 2, 6, 8][Int(head[11] & 3)])
                )
            )
        case 6: log += CaptureLog.fileHeader(session: number)
        default: log += payload
        }
    }
    return log
}
