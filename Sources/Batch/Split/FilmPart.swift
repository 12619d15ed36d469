public import Media

/// One of the jobs that together make a film: what it makes of the film's graph, and where.
public struct FilmPart: Sendable, Hashable {
    /// What a job makes.
    public enum Kind: String, Sendable, Hashable {
        /// The modulation track, which all others read.
        case track
        /// The simulation's state at the end of a part, from that at its beginning.
        case state
        /// A part's pictures, encoded.
        case pictures
        /// The film itself, of its parts and of all that does not hang on the simulation.
        case film
    }

    /// What it makes.
    public let kind: Kind
    /// Which part, counted from 1; 1 where it is about none.
    public let number: Int
    /// How many parts the film has.
    public let count: Int
    /// How long each is, the last one excepted.
    public let length: MediaTime
    /// Where what is between the parts and the film is kept.
    public let folder: String

    init(_ kind: Kind, _ number: Int, of count: Int, length: MediaTime, folder: String) {
        (self.kind, self.number, self.count) = (kind, number, count)
        (self.length, self.folder) = (length, folder)
    }

    /// All jobs of a film, those that others need first; the film is the last.
    ///
    /// - Parameters:
    ///   - count: how many parts there are, at least 2.
    ///   - length: of each part.
    ///   - folder: where what is in between is kept.
    /// - Returns: a track, a state less than there are parts, all parts' pictures, and the film.
    static func all(_ count: Int, length: MediaTime, folder: String) -> [FilmPart] {
        func part(_ kind: Kind, _ number: Int) -> FilmPart {
            FilmPart(kind, number, of: count, length: length, folder: folder)
        }
        let rest = (1...count).flatMap { number in
            (number < count ? [part(.state, number)] : []) + [part(.pictures, number)]
        }
        return [part(.track, 1)] + rest + [part(.film, 1)]
    }

    /// What it is called, behind the film's name; nil for the film itself.
    public var title: String? {
        switch kind {
        case .track: "modulation track"
        case .state: "checkpoint \(number) of \(count - 1)"
        case .pictures: "part \(number) of \(count)"
        case .film: nil
        }
    }

    /// Tells the jobs of a film apart.
    var mark: String { "\(kind.rawValue) \(number)" }

    // MARK: Files

    /// The modulation track.
    var track: String { "\(folder)/film.foxtrack" }

    /// The simulation's state at the end of a part.
    func state(_ number: Int) -> String { "\(folder)/\(number).checkpoint" }

    /// A part's pictures, as the film's `encoder`-th encoder makes them.
    func pictures(_ number: Int, _ encoder: Int) -> String {
        encoder == 0 ? "\(folder)/\(number).mp4" : "\(folder)/\(number)-\(encoder + 1).mp4"
    }

    /// When a part ends.
    func end(_ number: Int) -> MediaTime {
        MediaTime(length.value * Int64(number), length.scale)
    }
}

extension FilmPart: CustomStringConvertible {
    /// `pictures 3/10 60s FOLDER`, as `foxfire run --part` takes it.
    public var description: String { "\(mark)/\(count) \(secondsText(length))s \(folder)" }

    /// Reads what `description` writes; nil for anything else.
    ///
    /// - Parameter text: any text.
    public init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 3).map(String.init)
        guard words.count == 4, let kind = Kind(rawValue: words[0]),
            let length = splitLength(words[2])
        else { return nil }
        let numbers = words[1].split(separator: "/").map { Int($0) }
        guard numbers.count == 2, let number = numbers[0], let count = numbers[1],
            (2...BatchPlan.jobLimit).contains(count), (1...count).contains(number),
            kind != .state || number < count, kind == .state || kind == .pictures || number == 1
        else { return nil }
        self.init(kind, number, of: count, length: length, folder: words[3])
    }
}

/// Seconds as a graph file has them, exact to nanoseconds.
func secondsText(_ time: MediaTime) -> String {
    let all = Int64(Int128(time.value) * 1_000_000_000 / Int128(time.scale))
    let (whole, rest) = (all / 1_000_000_000, all % 1_000_000_000)
    if rest == 0 { return "\(whole)" }
    var digits = String(rest)
    digits = String(repeating: "0", count: 9 - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(whole).\(digits)"
}
