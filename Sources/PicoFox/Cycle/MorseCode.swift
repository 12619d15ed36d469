/// Morse characters as a firmware sends them.
enum MorseCode {
    /// The dots and dashes of a character in upper case; nil of what is not sent.
    ///
    /// All families know A–Z and 0–9; `kg` the slash too.
    static func elements(of character: UInt8, _ firmware: Firmware) -> String? {
        if character == UInt8(ascii: "/") { return firmware == .kg ? "-..-." : nil }
        return table[character]
    }

    /// International Morse code: Recommendation ITU-R M.1677-1.
    private static let table: [UInt8: String] = {
        let letters = [
            ".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..", ".---", "-.-", ".-..",
            "--", "-.", "---", ".--.", "--.-", ".-.", "...", "-", "..-", "...-", ".--", "-..-",
            "-.--", "--..",
        ]
        var table: [UInt8: String] = [:]
        for (index, code) in letters.enumerated() { table[UInt8(ascii: "A") + UInt8(index)] = code }
        for digit in 0...9 {
            let count = digit <= 5 ? digit : digit - 5
            let (first, second) = digit <= 5 ? (".", "-") : ("-", ".")
            let code =
                String(repeating: first, count: count)
                + String(repeating: second, count: 5 - count)
            table[UInt8(ascii: "0") + UInt8(digit)] = code
        }
        return table
    }()
}
