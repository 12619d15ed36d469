/// A key of `settings.txt`, as the device spells it.
public enum SettingsKey: String, Sendable, CaseIterable {
    case callsign = "CALLSIGN"
    case ituZone = "ITU_ZONE"
    case frequency = "FREQ_MHZ"
    case dutyCycle = "DUTY_CYCLE"
    case attenuationMode = "ATTENUATION_MODE"
    case attenuation = "ATTENUATION"
    case attenuationMinimum = "ATTENUATION_MIN"
    case attenuationMaximum = "ATTENUATION_MAX"
    case morseSpeed = "MORSE_WPM"
    case farnsworthSpeed = "MORSE_FARNSWORTH_WPM"
    case morseTone = "MORSE_TONE"
    case morseVolume = "MORSE_TONE_VOL"
    case morseMessages = "MORSE_MESSAGE_ENABLE"
    case voice = "VOICE_ENABLE"
    case audioMode = "AUDIO_MODE"
    case frequencyShifting = "FREQUENCY_SHIFTING"
    case sstv = "SSTV_ENABLE"
    case sstvMode = "SSTV_MODE"
    case aprs = "APRS_ENABLE"
    case foxNumber = "FOX_NUMBER"

    /// What a number outside of its range becomes.
    enum Outside: Equatable {
        case fallback(Int)
        case greatest
        /// Any number means something.
        case kept
    }

    /// What values are.
    enum Rule: Equatable {
        /// A callsign: `limit` characters are kept.
        case text(limit: Int)
        case megahertz
        /// A whole number, stored in so many bits.
        case integer(bits: Int, ClosedRange<Int>, Outside)
        case words([String])
    }
}

extension Firmware {
    /// The most characters of a callsign that are kept; the READMEs say 12.
    public static let callsignLimit = 11

    /// Its keys in the order it writes them.
    public var settingsKeys: [SettingsKey] {
        let first: [SettingsKey] = [.callsign, .ituZone, .frequency, .dutyCycle]
        let morse: [SettingsKey] = [.morseSpeed, .farnsworthSpeed, .morseTone, .morseVolume]
        switch self {
        case .r2, .kc: return first + morse
        case .r3: return first + [.attenuation] + morse
        case .jf: return first + [.attenuation] + morse + [.foxNumber]
        case .kg:
            return first + [
                .attenuationMode, .attenuation, .attenuationMinimum, .attenuationMaximum,
                .morseSpeed, .morseTone, .morseVolume, .morseMessages, .voice, .audioMode,
                .frequencyShifting, .sstv, .sstvMode, .aprs,
            ]
        }
    }

    /// What it takes as a key's value.
    func rule(_ key: SettingsKey) -> SettingsKey.Rule {
        switch key {
        case .callsign: .text(limit: Self.callsignLimit)
        case .frequency: .megahertz
        case .ituZone: .integer(bits: 8, 1...3, .kept)
        case .dutyCycle: .integer(bits: 8, 0...100, .greatest)
        case .attenuation, .attenuationMinimum, .attenuationMaximum:
            .integer(bits: 8, 0...127, .greatest)
        case .morseSpeed: .integer(bits: 8, 1...(self == .kg ? 60 : 30), .fallback(15))
        case .farnsworthSpeed: .integer(bits: 8, 0...255, .kept)
        case .morseTone: .integer(bits: 16, 100...2499, .fallback(600))
        case .morseVolume: .integer(bits: 8, 1...100, .fallback(self == .kg ? 60 : 70))
        case .foxNumber: .integer(bits: 8, 1...5, .fallback(1))
        case .morseMessages, .voice, .frequencyShifting, .sstv, .aprs:
            .integer(bits: 8, 0...1, .kept)
        case .attenuationMode: .words(["FIXED", "RANDOM", "AUTO"])
        case .audioMode: .words(["WAV", "RTTTL"])
        case .sstvMode: .words(["ROBOT36"])
        }
    }

    /// What a setting is when its key is missing, as it is written.
    public func factoryValue(_ key: SettingsKey) -> String {
        switch key {
        case .callsign: ""
        case .ituZone: self == .jf ? "1" : "2"
        case .frequency: self == .jf ? "145.660000" : "146.565000"
        case .dutyCycle: "100"
        case .attenuationMode: "FIXED"
        case .attenuation, .attenuationMinimum, .morseMessages, .sstv, .aprs: "0"
        case .attenuationMaximum: "127"
        case .morseSpeed: "15"
        case .farnsworthSpeed: "10"
        case .morseTone: "600"
        case .morseVolume: self == .kg ? "60" : "70"
        case .voice, .frequencyShifting, .foxNumber: "1"
        case .audioMode: "WAV"
        case .sstvMode: "ROBOT36"
        }
    }

    /// The settings file that the firmware makes when there is none; of `kg` without its comments.
    public var factorySettings: String {
        settingsKeys.map { "\($0.rawValue)=\(factoryValue($0))\n" }.joined()
    }

    /// The centre frequencies that it sends on, in Hz, both ends included.
    ///
    /// - Parameter zone: the ITU zone as the device holds it; only 1 is narrower.
    /// - Returns: the band less a margin of twice the deviation at full scale.
    public func band(zone: Int) -> ClosedRange<Int> {
        let margin = self == .kg ? 10_000 : 20_000
        return 144_000_000 + margin...(zone == 1 ? 146_000_000 : 148_000_000) - margin
    }
}
