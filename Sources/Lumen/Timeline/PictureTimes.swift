import Media

/// A picture before the start of the timeline is known.
struct UntimedPicture {
    /// When something is.
    enum Point {
        /// In ns on the risen clock.
        case stamp(Int64)
        /// On the timeline.
        case exact(MediaTime)
    }

    var picture: CapturedPicture
    var decoding: Point
    var showing: Point
    var duration: MediaTime
}

/// Gives pictures their times: by their stamps, or by their numbers and a frame rate.
struct PictureTimes {
    private let given: Rate?
    /// The rate that the capture's description tells.
    var described: Rate?
    /// The rate that times were made with; nil where pictures bring stamps.
    private(set) var usedRate: Rate?
    private(set) var rateIsAssumed = false
    private var held: [Held] = []
    /// The values of those held that no decoding time was made of yet.
    private var free: [Int64] = []
    private var lastDecoding: Int64?

    private struct Held {
        var picture: CapturedPicture
        var value: Int64
        var isStamp: Bool
    }

    /// The rate that is taken where nothing tells one: what hosts send unless asked otherwise.
    static let assumed = Rate(60)

    init(rate: Rate?) { given = rate }

    /// Takes the next picture in the order of decoding.
    ///
    /// - Parameters:
    ///   - picture: the picture.
    ///   - stamp: when it was captured, on the risen clock; nil where that is not known.
    /// - Returns: pictures whose times are known now.
    mutating func take(_ picture: CapturedPicture, _ stamp: Int64?) -> [UntimedPicture] {
        var result: [UntimedPicture] = []
        if let first = held.first, first.isStamp != (stamp != nil) { result = finish() }
        if stamp == nil, usedRate == nil {
            let told = given ?? picture.form?.rate ?? described
            usedRate = told ?? Self.assumed
            rateIsAssumed = told == nil
        }
        let value = stamp ?? picture.number
        held.append(Held(picture: picture, value: value, isStamp: stamp != nil))
        free.append(value)
        // Stamps tell a picture's length only once the next one has come.
        let ahead = max(picture.form?.reorderLimit ?? 0, stamp == nil ? 0 : 1)
        while held.count > ahead { result.append(release(next: held.dropFirst().first)) }
        return result
    }

    /// Gives what is still held.
    mutating func finish() -> [UntimedPicture] {
        var result: [UntimedPicture] = []
        while !held.isEmpty { result.append(release(next: held.dropFirst().first)) }
        return result
    }

    private mutating func release(next: Held?) -> UntimedPicture {
        let first = held.removeFirst()
        let reorder = Int64(first.picture.form?.reorderLimit ?? 0)
        let place = free.indices.min { free[$0] < free[$1] }
        let earliest = place.map { free.remove(at: $0) } ?? first.value
        let rate = usedRate ?? given ?? described ?? first.picture.form?.rate ?? Self.assumed
        let interval = rate.interval.converted(to: 1_000_000_000).value
        var decoding = earliest - reorder * (first.isStamp ? interval : 1)
        if reorder == 0 { decoding = first.value }
        // Damage may leave no room for a decoding time of its own.
        if let lastDecoding, decoding <= lastDecoding { decoding = lastDecoding + 1 }
        lastDecoding = decoding
        if first.isStamp {
            let length = reorder == 0 ? next.map { $0.value - first.value } : nil
            return UntimedPicture(
                picture: first.picture,
                decoding: .stamp(decoding),
                showing: .stamp(first.value),
                duration: MediaTime(max(1, length ?? interval), 1_000_000_000)
            )
        }
        return UntimedPicture(
            picture: first.picture,
            decoding: .exact(rate.time(of: decoding)),
            showing: .exact(rate.time(of: first.value)),
            duration: rate.interval
        )
    }

    /// Begins anew for a capture that was joined on.
    mutating func join() {
        described = nil
        lastDecoding = nil
    }
}

extension PictureForm {
    /// Whether size, layout and colours are those of another.
    func looks(like other: PictureForm) -> Bool {
        format == other.format && codec == other.codec
    }
}
