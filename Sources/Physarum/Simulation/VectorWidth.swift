internal import CKernels

/// How many agents or cells the inner loops work on at a time; all give the same bits.
public enum VectorWidth: Int, Sendable, CaseIterable, Comparable {
    /// Four: what every machine has.
    case baseline
    /// Eight, on x86-64 with AVX2.
    case avx2
    /// Sixteen, on x86-64 with AVX-512 (F, BW, DQ and VL).
    case avx512

    /// The widest one that this machine has.
    public static let widest: VectorWidth =
        switch foxfire_widest() {
        case FOXFIRE_WIDTH_AVX512: .avx512
        case FOXFIRE_WIDTH_AVX2: .avx2
        default: .baseline
        }

    /// The ones that this machine has.
    public static var available: [VectorWidth] { allCases.filter { $0 <= widest } }

    /// Whether one is narrower than the other.
    public static func < (first: VectorWidth, second: VectorWidth) -> Bool {
        first.rawValue < second.rawValue
    }

    var code: foxfire_width { foxfire_width(UInt32(rawValue)) }
}
