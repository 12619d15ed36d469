/// What a picture's numbers mean as light: the code points of ITU-T H.273, as every container has them.
public struct ColorInfo: Hashable, Sendable {
    /// How red, green and blue became luma and chroma (H.273 MatrixCoefficients).
    public enum Matrix: UInt8, Sendable {
        case rgb = 0, bt709 = 1, bt470bg = 5, bt601 = 6, bt2020 = 9
    }

    /// Which luma values stand for black and white.
    public enum Range: UInt8, Sendable {
        /// 16…235 of 255.
        case limited = 1
        /// 0…255 of 255.
        case full = 2
    }

    /// The colours of pure red, green and blue (H.273 ColourPrimaries).
    public enum Primaries: UInt8, Sendable {
        case bt709 = 1, bt470bg = 5, bt601 = 6, bt2020 = 9, displayP3 = 12
    }

    /// How numbers become light (H.273 TransferCharacteristics).
    public enum Transfer: UInt8, Sendable {
        case bt709 = 1, bt601 = 6, linear = 8, sRGB = 13, bt2020 = 14, pq = 16, hlg = 18
    }

    /// How red, green and blue became luma and chroma.
    public var matrix: Matrix
    /// Which values stand for black and white.
    public var range: Range
    /// The colours of pure red, green and blue.
    public var primaries: Primaries
    /// How numbers become light.
    public var transfer: Transfer

    /// Says all four.
    public init(matrix: Matrix, range: Range, primaries: Primaries, transfer: Transfer) {
        self.matrix = matrix
        self.range = range
        self.primaries = primaries
        self.transfer = transfer
    }

    /// Full-range RGB with BT.709 primaries and transfer: what our renderers give.
    public static let rgb709 = ColorInfo(
        matrix: .rgb,
        range: .full,
        primaries: .bt709,
        transfer: .bt709
    )
    /// Limited-range BT.709: what HD films have.
    public static let video709 = ColorInfo(
        matrix: .bt709,
        range: .limited,
        primaries: .bt709,
        transfer: .bt709
    )
    /// Full-range RGB as screens and PNG files have it.
    public static let sRGB = ColorInfo(
        matrix: .rgb,
        range: .full,
        primaries: .bt709,
        transfer: .sRGB
    )
}

extension ColorInfo: CustomStringConvertible {
    /// All four in words.
    public var description: String { "\(matrix)/\(range)/\(primaries)/\(transfer)" }
}
