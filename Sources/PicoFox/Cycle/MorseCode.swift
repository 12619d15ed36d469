import Sound

/// Morse characters as a firmware sends them.
enum MorseCode {
    /// The dots and dashes of a character in upper case; nil of what is not sent.
    ///
    /// All families know A–Z and 0–9; `kg` the slash too.
    static func elements(of character: UInt8, _ firmware: Firmware) -> String? {
        let isPlain = (0x30...0x39).contains(character) || (0x41...0x5A).contains(character)
        guard isPlain || firmware == .kg && character == UInt8(ascii: "/") else { return nil }
        return MorseAlphabet.elements(of: Character(UnicodeScalar(character)))
    }
}
