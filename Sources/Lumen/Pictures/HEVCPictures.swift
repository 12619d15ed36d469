import Codecs
import Media

/// Cuts HEVC into pictures, lets them be judged, and numbers them in the order of showing.
struct HEVCPictures: PictureStream {
    private var reader = HEVCAccessUnitReader()
    private var admission = HEVCAdmission()
    private var numbers = PictureNumbers()
    private var sets = ParameterSetBytes()
    private var form: PictureForm?
    private var waiting: [CapturedPicture] = []
    private var hasEnded = false

    var junk: Int64 { reader.junk }

    mutating func append(_ bytes: ArraySlice<UInt8>) { reader.append(bytes) }

    mutating func append(unit: [UInt8], _ stamp: CaptureStamp) throws {
        if let flags = stamp.flags, flags & CaptureStamp.Flag.probe != 0 {
            waiting.append(
                CapturedPicture(
                    bytes: unit,
                    stamp: stamp,
                    verdict: .filler,
                    fault: nil,
                    number: numbers.last,
                    isRandomAccess: false,
                    form: form
                )
            )
            return
        }
        // What came without borders before belongs to no unit that follows.
        for part in try reader.units(of: unit) {
            var judged = JudgedUnit(unit: part, stamp: stamp)
            judged.stamp.offset = stamp.offset + part.offset
            if !stamp.isComplete { judged.unit.fault = "not all of it came" }
            judge(judged)
        }
    }

    mutating func finish() {
        reader.finish()
        hasEnded = true
    }

    mutating func next() throws -> CapturedPicture? {
        while waiting.isEmpty, let unit = try reader.next() {
            judge(JudgedUnit(unit: unit, stamp: CaptureStamp(offset: unit.offset)))
        }
        if waiting.isEmpty, hasEnded {
            hasEnded = false
            judge(nil)
        }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }

    private mutating func judge(_ unit: JudgedUnit?) {
        var decisions: [HEVCAdmission.Decision] = []
        admission.take(unit) { decisions.append($0) }
        for decision in decisions { note(decision) }
    }

    private mutating func note(_ decision: HEVCAdmission.Decision) {
        let unit = decision.unit.unit
        if decision.verdict == .admitted, let sequence = unit.sequence {
            let hasChanged = sets.take(unit.parameterSets)
            if hasChanged || form == nil {
                form = PictureForm(sequence, configuration: sets.configuration)
            }
        }
        var number = numbers.last
        if decision.verdict.hasPlace {
            number = numbers.take(
                decision.place,
                reorderLimit: unit.sequence?.reorderLimit ?? 0
            )
        }
        waiting.append(
            CapturedPicture(
                bytes: unit.bytes,
                stamp: decision.unit.stamp,
                verdict: decision.verdict,
                fault: unit.fault,
                number: number,
                isRandomAccess: unit.isRandomAccess,
                form: form ?? unit.sequence.flatMap { PictureForm($0, configuration: []) }
            )
        )
    }
}

extension PictureVerdict {
    /// Whether its picture has a place of its own in the order of showing.
    fileprivate var hasPlace: Bool {
        switch self {
        case .admitted, .refersToLoss, .damaged, .noStart: true
        default: false
        }
    }
}

/// Counts pictures in the order of showing over all that begins anew.
struct PictureNumbers {
    /// The highest so far.
    private(set) var last: Int64 = -1
    private var base: Int64 = 0

    /// The number of a picture.
    ///
    /// - Parameters:
    ///   - place: where its sequence has it; nil where that cannot be read: then behind all so far.
    ///   - reorderLimit: how many pictures may come before one that is shown before them.
    /// - Returns: its number over all sequences.
    mutating func take(_ place: HEVCAdmission.Place?, reorderLimit: Int) -> Int64 {
        guard let place else {
            last += 1
            return last
        }
        var number = base + Int64(place.orderCount)
        // A count that falls back without a beginning has lost one.
        let floor = last - (reorderLimit == 0 ? 0 : 64)
        if place.startsAnew || last < 0 || number <= floor {
            base = last + 1 - Int64(place.orderCount)
            number = last + 1
        }
        last = max(last, number)
        return number
    }
}

extension PictureForm {
    /// What a sequence of HEVC is; nil for one that no picture of ours can hold.
    init?(_ sequence: HEVCSequence, configuration: [UInt8]) {
        self.init(
            codec: "hevc",
            size: (sequence.width, sequence.height),
            chromaFormat: sequence.chromaFormat,
            bitDepth: sequence.bitDepth,
            color: sequence.color,
            rate: sequence.frameRate,
            reorderLimit: sequence.reorderLimit,
            configuration: configuration
        )
    }

    /// Makes a form of what parameter sets tell.
    init?(
        codec: String,
        size: (width: Int, height: Int),
        chromaFormat: Int,
        bitDepth: Int,
        color: CodedColor,
        rate: Rate?,
        reorderLimit: Int,
        configuration: [UInt8]
    ) {
        guard (1...16384).contains(size.width), (1...16384).contains(size.height) else {
            return nil
        }
        let told = StreamColor(
            primaries: color.primaries,
            transfer: color.transfer,
            matrix: color.matrix,
            isFullRange: color.isFullRange
        )
        let isDeep = bitDepth > 8
        let layout: PixelLayout =
            switch chromaFormat {
            case 2: isDeep ? .yuv422p10 : .yuv422p
            case 3: isDeep ? .yuv444p10 : .yuv444p
            case 0 where !isDeep: .gray8
            default: isDeep ? .yuv420p10 : .yuv420p
            }
        self.init(
            codec: codec,
            format: VideoFormat(
                width: size.width,
                height: size.height,
                layout: layout,
                color: told.color
            ),
            assumed: told.assumed,
            rate: rate,
            reorderLimit: reorderLimit,
            configuration: configuration
        )
    }
}

/// Colours as hosts mean them: what is not told is BT.709 with a limited range.
struct StreamColor {
    let color: ColorInfo
    let assumed: [String]

    /// Makes colours of the numbers of ITU-T H.273.
    init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
        var assumed: [String] = []
        func known<T>(_ value: T?, _ name: String, else other: T) -> T {
            if let value { return value }
            assumed.append(name)
            return other
        }
        color = ColorInfo(
            // 10 is BT.2020 too, but for constant luminance; 0 would be RGB, which hosts never send as such.
            matrix: known(
                matrix == 0
                    ? nil : ColorInfo.Matrix(rawValue: UInt8(clamping: matrix == 10 ? 9 : matrix)),
                "matrix",
                else: .bt709
            ),
            range: isFullRange ? .full : .limited,
            primaries: known(
                ColorInfo.Primaries(rawValue: UInt8(clamping: primaries == 7 ? 6 : primaries)),
                "primaries",
                else: .bt709
            ),
            transfer: known(
                ColorInfo.Transfer(rawValue: UInt8(clamping: transfer == 15 ? 14 : transfer)),
                "transfer",
                else: .bt709
            )
        )
        self.assumed = assumed
    }
}
