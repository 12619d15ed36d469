/// A family of PicoFox firmware: what the device plays, at which rate and deviation, and its file rules.
///
/// A device says the same of itself whatever runs on it, so the user names the family. Nothing here was
/// measured on hardware; all of it follows from the public sources of the firmware.
public enum Firmware: String, Sendable, CaseIterable {
    /// AI6YM's original for boards of revision 2.
    case r2
    /// AI6YM's for boards of revision 3, with a power setting; also the build that steps its carrier.
    case r3
    /// KC9MNE's fork that plays eleven files.
    case kc
    /// KG6MDW's Pacificon firmware: 8 kHz, half the deviation, a settings file that it rewrites.
    case kg
    /// JF9SOM's fork for radio orienteering, which never plays a file.
    case jf

    /// Reads the name of a family as users write it, in either case.
    ///
    /// - Parameter name: `r2`, `r3`, `r3s` (which counts as `r3`), `kc`, `kg` or `jf`.
    public init?(name: String) {
        let name = name.lowercased()
        self.init(rawValue: name == "r3s" ? "r3" : name)
    }

    /// Samples a second of what is played.
    public var sampleRate: Int { self == .kg ? 8000 : 5000 }

    /// How far the carrier moves at a full-scale sample, in Hz.
    public var fullScaleDeviation: Double { self == .kg ? 5000 : 10_000 }

    /// The largest sample that keeps a peak deviation.
    ///
    /// - Parameter deviation: the peak deviation.
    /// - Returns: 16,383 for ±5 kHz and 8,191 for ±2.5 kHz; with `kg` 32,767 and 16,383.
    public func ceiling(_ deviation: Deviation) -> Int {
        switch (self, deviation) {
        case (.kg, .wide): 32_767
        case (.kg, .narrow), (_, .wide): 16_383
        case (_, .narrow): 8191
        }
    }

    /// Whether a file on the volume is ever sent.
    public var playsFiles: Bool { self != .jf }

    /// The audio files that are played, in their order; none with `jf`.
    ///
    /// `kg` stops at the first that is missing.
    public var audioFileNames: [String] {
        switch self {
        case .r2, .r3: ["audio.wav"]
        case .kc: (1...11).map { "audio\($0).wav" }
        case .kg: ["audio.wav"] + (1...999).map { "audio\($0).wav" }
        case .jf: []
        }
    }

    /// The file that holds the Morse identification; nil where it is keyed live.
    public var identificationFileName: String? {
        switch self {
        case .r2, .r3, .jf: ".callsign.wav"
        case .kc: "callsign.wav"
        case .kg: nil
        }
    }

    /// The file that holds the sum of the settings' bytes; nil where there is none.
    public var checksumFileName: String? { self == .kg ? nil : ".settings_crc.bin" }

    /// Whether files with other names are removed when the device starts.
    public var removesForeignFiles: Bool { self == .r2 || self == .kc }

    /// A file this long or longer makes the counter of milliseconds wrap: 2³² / 1000 samples and a header.
    public static let counterLimit = 8_589_980
}

/// The largest distance of the carrier from its centre.
public enum Deviation: String, Sendable, CaseIterable {
    /// ±5 kHz, for channels 20 or 25 kHz apart.
    case wide = "5k"
    /// ±2.5 kHz, for narrow channels.
    case narrow = "2.5k"

    /// In Hz.
    public var hertz: Double { self == .wide ? 5000 : 2500 }
}
