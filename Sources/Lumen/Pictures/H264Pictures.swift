import Codecs
import Media

/// Cuts H.264 into pictures, judges them by their frame numbers, and numbers them in the order of showing.
///
/// Decoders make up frames in a gap of frame numbers without a word. So a number that is not the next one is a
/// loss, and all is lost up to the next instantaneous refresh. What came before, or twice, is dropped.
///
/// Source: ITU-T H.264 (08/2021) clauses 7.4.3 and 8.2.1.
struct H264Pictures: PictureStream {
    private var reader = H264AccessUnitReader()
    private var numbers = PictureNumbers()
    private var sets = ParameterSetBytes()
    private var form: PictureForm?
    private var waiting: [CapturedPicture] = []
    /// The frame number of the last reference picture, and whether the last picture was one.
    private var last: (frameNumber: Int, isReference: Bool)?
    private var lastBytes: [UInt8] = []
    private var isLost = true
    private var hasStart = false
    /// The order count of the last reference picture, for type 0; and what wraps of frame numbers add.
    private var orderCount = 0
    private var frameOffset = 0

    var junk: Int64 { reader.junk }

    mutating func append(_ bytes: ArraySlice<UInt8>) { reader.append(bytes) }

    mutating func append(unit: [UInt8], _ stamp: CaptureStamp) throws {
        if let flags = stamp.flags, flags & CaptureStamp.Flag.probe != 0 {
            return waiting.append(
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
        }
        for var part in try reader.units(of: unit) {
            var stamp = stamp
            stamp.offset += part.offset
            if !stamp.isComplete { part.fault = "not all of it came" }
            judge(part, stamp)
        }
    }

    mutating func finish() { reader.finish() }

    mutating func next() throws -> CapturedPicture? {
        while waiting.isEmpty, let unit = try reader.next() {
            judge(unit, CaptureStamp(offset: unit.offset))
        }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }

    private mutating func judge(_ unit: H264AccessUnit, _ stamp: CaptureStamp) {
        let verdict = verdict(unit)
        if verdict == .admitted, let sequence = unit.sequence {
            let hasChanged = sets.take(unit.parameterSets)
            if hasChanged || form == nil {
                form = PictureForm(sequence, configuration: sets.configuration)
            }
        }
        var number = numbers.last
        if verdict == .admitted || verdict.isLoss {
            number = numbers.take(
                unit.slice.flatMap { slice in unit.sequence.map { place(slice, $0) } },
                reorderLimit: unit.sequence?.reorderLimit ?? 0
            )
            if let slice = unit.slice { last = (slice.frameNumber, slice.isReference) }
            lastBytes = unit.bytes
        }
        waiting.append(
            CapturedPicture(
                bytes: unit.bytes,
                stamp: stamp,
                verdict: verdict,
                fault: unit.fault,
                number: number,
                isRandomAccess: unit.slice?.isRefresh ?? false,
                form: form ?? unit.sequence.flatMap { PictureForm($0, configuration: []) }
            )
        )
    }

    private mutating func verdict(_ unit: H264AccessUnit) -> PictureVerdict {
        guard let slice = unit.slice, let sequence = unit.sequence else {
            if unit.fault == nil { return .noPicture }
            isLost = true
            return hasStart ? .damaged : .noStart
        }
        if unit.bytes == lastBytes { return .duplicate }
        if unit.fault != nil {
            isLost = true
            return hasStart || slice.isRefresh ? .damaged : .noStart
        }
        if slice.isRefresh {
            (isLost, hasStart) = (false, true)
            return .admitted
        }
        guard hasStart, let last else { return .noStart }
        let modulus = 1 << sequence.frameNumberBits
        let step = (slice.frameNumber - last.frameNumber + modulus) % modulus
        // The same number again is right only beside a picture that nobody refers to.
        let isNext = step == 1 || step == 0 && !(last.isReference && slice.isReference)
        if !isNext {
            if step >= modulus / 2 { return .straggler }
            isLost = true
        }
        return isLost ? .refersToLoss : .admitted
    }

    /// Clause 8.2.1, of frames: types 0 and 2, and for type 1 the order of decoding.
    private mutating func place(_ slice: H264Slice, _ sequence: H264Sequence) -> HEVCAdmission.Place
    {
        if slice.isRefresh { (orderCount, frameOffset) = (0, 0) }
        let modulus = 1 << sequence.frameNumberBits
        if !slice.isRefresh, let last, last.frameNumber > slice.frameNumber {
            frameOffset += modulus
        }
        guard sequence.orderCountType == 0 else {
            return HEVCAdmission.Place(
                orderCount: frameOffset + slice.frameNumber,
                startsAnew: slice.isRefresh
            )
        }
        let round = 1 << sequence.orderCountBits
        let low = orderCount & (round - 1)
        var count = orderCount - low + slice.orderCount
        if slice.orderCount < low, low - slice.orderCount >= round / 2 { count += round }
        if slice.orderCount > low, slice.orderCount - low > round / 2 { count -= round }
        if slice.isReference { orderCount = count }
        // Two counts are a frame, one for each field.
        return HEVCAdmission.Place(orderCount: count >> 1, startsAnew: slice.isRefresh)
    }
}

extension PictureForm {
    /// What a sequence of H.264 is; nil for one that no picture of ours can hold.
    init?(_ sequence: H264Sequence, configuration: [UInt8]) {
        self.init(
            codec: "h264",
            size: (sequence.width, sequence.height),
            chromaFormat: sequence.chromaFormat,
            bitDepth: sequence.bitDepth,
            color: sequence.color,
            rate: sequence.frameRate,
            reorderLimit: sequence.reorderLimit,
            configuration: configuration
        )
    }
}
