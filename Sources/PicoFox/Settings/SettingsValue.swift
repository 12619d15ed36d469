/// A value that a firmware would not take as it stands.
public struct SettingsValueError: Error, Sendable, Equatable {
    /// What is wrong.
    public let text: String
    /// What to do.
    public let hint: String?
}

extension Firmware {
    /// A value as it is written, when the firmware takes it for what it says.
    ///
    /// - Parameters:
    ///   - value: as a user wrote it.
    ///   - key: one of the firmware's.
    /// - Returns: the value in its canonical form: upper case, megahertz with six decimals.
    /// - Throws: `SettingsValueError` with the allowed range.
    public func checked(_ value: String, for key: SettingsKey) throws(SettingsValueError) -> String
    {
        let text = String(decoding: trimmed(Array(value.utf8)), as: UTF8.self)
        func refusal(_ wanted: String) -> SettingsValueError {
            SettingsValueError(
                text: "\(key.rawValue) must be \(wanted), not \"\(text)\"",
                hint: nil
            )
        }
        switch rule(key) {
        case .text(let limit):
            let callsign = text.uppercased()
            let isSent = callsign.utf8.allSatisfy { MorseCode.elements(of: $0, self) != nil }
            guard callsign.utf8.count <= limit, isSent else {
                throw refusal("at most \(limit) of A-Z and 0-9\(self == .kg ? " and /" : "")")
            }
            return callsign
        case .words(let words):
            guard words.contains(text.uppercased()) else {
                throw refusal("one of \(words.joined(separator: ", "))")
            }
            return text.uppercased()
        case .integer(_, var range, _):
            // Above 2000 Hz a tone's image is as loud as the tone.
            if key == .morseTone { range = 100...2000 }
            guard let number = Int(text), range.contains(number) else {
                throw refusal("a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return "\(number)"
        case .megahertz:
            let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
            guard isPlain, let number = Double(text), (144...148).contains(number) else {
                throw refusal("megahertz from 144 to 148, as in 146.565")
            }
            return FirmwareSettings.megahertz(Int((number * 1e6).rounded()))
        }
    }
}
