// A libFuzzer target: any bytes as a modulation track must end in a table that can be walked through, or
// in problems.
//
// Built by `make fuzz` alone: an ordinary build has no main for it.

import Presets

/// Reads the bytes as a table and asks it for values.
///
/// - Parameters:
///   - bytes: what the fuzzer made up.
///   - count: how many bytes.
/// - Returns: 0, as libFuzzer wants it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModulationTable(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    let reading = ModulationTable.read(text, file: "fuzz.csv")
    precondition(
        (reading.table == nil) == !reading.problems.isEmpty,
        "A reading ends in a table or in problems."
    )
    guard let table = reading.table else { return 0 }
    for column in table.columns.keys {
        guard var curve = table.curve(column) else { continue }
        for time in [0, table.end / 2, table.end, table.end + 1] {
            precondition(column.range.contains(curve.value(at: time)), "Values stay in range.")
        }
    }
    precondition(table.beats.count <= table.times.count, "A beat has a row.")
    return 0
}
