import Glibc

/// What a device works with after it has read a `settings.txt`.
public struct FirmwareSettings: Sendable, Equatable {
    /// Whose.
    public let firmware: Firmware
    /// The callsign's characters; empty keeps the transmitter off.
    public internal(set) var callsign: [UInt8] = []
    /// Numbers as they are stored.
    public internal(set) var numbers: [SettingsKey: Int] = [:]
    /// Words of `kg`.
    public internal(set) var words: [SettingsKey: String] = [:]
    /// The centre frequency in Hz.
    public internal(set) var frequency = 0

    /// The settings of a device without a file.
    public init(factory firmware: Firmware) {
        self.firmware = firmware
        for key in firmware.settingsKeys {
            store(key, Array(firmware.factoryValue(key).utf8))
        }
        settle()
    }

    /// A number; 0 of a key that the firmware has not.
    public func number(_ key: SettingsKey) -> Int { numbers[key] ?? 0 }

    /// The callsign as text.
    public var callsignText: String { String(decoding: callsign, as: UTF8.self) }

    /// Whether the frequency lies in the band of the zone.
    public var isInBand: Bool { firmware.band(zone: number(.ituZone)).contains(frequency) }

    /// Whether anything is sent.
    public var transmits: Bool { !callsign.isEmpty && isInBand && number(.dutyCycle) > 0 }

    /// The speed of the gaps between characters: never slower than the characters.
    public var effectiveFarnsworthSpeed: Int {
        max(number(.morseSpeed), number(.farnsworthSpeed))
    }

    /// Nominal power in milliwatts, uncalibrated.
    ///
    /// 18 dBm less a quarter dB a step; of `r2` and `kc`
    /// 15 mW. nil where it wanders.
    public var nominalPower: Double? {
        guard firmware.settingsKeys.contains(.attenuation) else { return 15 }
        if firmware == .kg, words[.attenuationMode] != "FIXED" { return nil }
        return Self.nominalPower(attenuation: number(.attenuation))
    }

    /// Nominal power in milliwatts of an attenuation, 0…127.
    public static func nominalPower(attenuation: Int) -> Double {
        pow(10, (18 - 0.25 * Double(attenuation)) / 10)
    }

    /// The file that the firmware writes of these; `kg` does so at every start.
    public var canonicalText: String {
        firmware.settingsKeys.map { "\($0.rawValue)=\(text(of: $0))\n" }.joined()
    }

    private func text(of key: SettingsKey) -> String {
        switch firmware.rule(key) {
        case .text: return callsignText
        case .words: return words[key] ?? ""
        case .integer: return "\(number(key))"
        case .megahertz: return Self.megahertz(frequency)
        }
    }

    /// Hertz as the device writes them: megahertz with six decimals.
    static func megahertz(_ hertz: Int) -> String {
        let digits = String(hertz % 1_000_000)
        return "\(hertz / 1_000_000)." + String(repeating: "0", count: 6 - digits.count) + digits
    }

    // MARK: As the firmware stores values

    /// Stores what stands behind a key, as the firmware reads it.
    mutating func store(_ key: SettingsKey, _ value: [UInt8]) {
        switch firmware.rule(key) {
        case .text(let limit): callsign = Array(value.prefix(limit))
        case .megahertz: frequency = Self.hertz(value)
        case .words: words[key] = String(decoding: value, as: UTF8.self)
        case .integer(let bits, let range, let outside):
            let stored = Self.prefixInteger(value) & (1 << bits - 1)
            if range.contains(stored) {
                numbers[key] = stored
            } else {
                switch outside {
                case .kept: numbers[key] = stored
                case .greatest: numbers[key] = range.upperBound
                case .fallback(let number): numbers[key] = number
                }
            }
        }
    }

    /// What is done when all lines are read.
    mutating func settle() {
        guard firmware == .kg else { return }
        let (least, most) = (number(.attenuationMinimum), number(.attenuationMaximum))
        numbers[.attenuationMinimum] = min(least, most)
        numbers[.attenuationMaximum] = max(least, most)
    }

    /// The whole number that a text begins with, as `atol` reads it on a 32-bit device; 0 of none.
    static func prefixInteger(_ text: [UInt8]) -> Int {
        var rest = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        var number = 0
        for digit in rest {
            guard (0x30...0x39).contains(digit) else { break }
            number = min(number * 10 + Int(digit) - 0x30, 1 << 40)
        }
        return min(max(isNegative ? -number : number, Int(Int32.min)), Int(Int32.max))
    }

    /// Hertz of the decimal number that a text begins with, cut off; 0 of none.
    static func hertz(_ text: [UInt8]) -> Int {
        var end = 0
        while end < text.count, end < 64,
            (0x30...0x39).contains(text[end]) || text[end] == UInt8(ascii: ".")
                || end == 0 && (text[end] == UInt8(ascii: "-") || text[end] == UInt8(ascii: "+"))
        {
            // A second point ends the number.
            if text[end] == UInt8(ascii: "."), text[..<end].contains(UInt8(ascii: ".")) { break }
            end += 1
        }
        let number = Double(String(decoding: text[..<end], as: UTF8.self)) ?? 0
        let hertz = (number * 1e6).rounded(.towardZero)
        return hertz > 0 && hertz < 4_294_967_296 ? Int(hertz) : 0
    }
}
