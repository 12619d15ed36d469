public import Physarum

/// What a column of a stored modulation track holds.
public enum ModulationColumn: Sendable, Hashable, CaseIterable {
    /// How loud a band is, 0…1.
    case level(AudioReactive.Source)
    /// How much of a hit a band has, 0…1.
    case transient(AudioReactive.Source)
    /// Any number marks a beat at the row's time.
    case beat
    /// Beats per minute, in a beat's row.
    case tempo
    /// How plainly a beat is heard, 0…1, in its row.
    case beatStrength
    /// A parameter's value, in its unit.
    case parameter(Parameter)

    /// All columns, in the order they are written.
    public static let allCases: [ModulationColumn] =
        AudioReactive.Source.allCases.map { .level($0) }
        + AudioReactive.Source.allCases.map { .transient($0) } + [.beat, .tempo, .beatStrength]
        + Parameter.allCases.map { .parameter($0) }

    /// The six of the bands.
    public static let bands = Array(allCases.prefix(6))
    /// The three of the beats.
    public static let beats: [ModulationColumn] = [.beat, .tempo, .beatStrength]

    /// The column's name in files.
    public var name: String {
        switch self {
        case .level(let band): "\(band.rawValue)Level"
        case .transient(let band): "\(band.rawValue)Transient"
        case .beat: "beat"
        case .tempo: "tempo"
        case .beatStrength: "beatStrength"
        case .parameter(let parameter): parameter.name
        }
    }

    /// What its values may be.
    public var range: ClosedRange<Double> {
        switch self {
        case .level, .transient, .beatStrength: 0...1
        case .beat: 0...1e9
        case .tempo: 1...1000
        case .parameter(let parameter): parameter.info.range
        }
    }

    private static let byName = Dictionary(
        allCases.map { ($0.name, $0) },
        uniquingKeysWith: { one, _ in one }
    )

    /// Finds a column by its name; nil when there is none of that name.
    public init?(named name: String) {
        guard let column = Self.byName[name] else { return nil }
        self = column
    }
}
