/// International Morse code: Recommendation ITU-R M.1677-1.
public enum MorseAlphabet {
    /// The dots and dashes of a character in upper case; nil of what has none.
    public static func elements(of character: Character) -> String? { table[character] }

    private static let table: [Character: String] = [
        "A": ".-", "B": "-...", "C": "-.-.", "D": "-..", "E": ".", "F": "..-.", "G": "--.",
        "H": "....", "I": "..", "J": ".---", "K": "-.-", "L": ".-..", "M": "--", "N": "-.",
        "O": "---", "P": ".--.", "Q": "--.-", "R": ".-.", "S": "...", "T": "-", "U": "..-",
        "V": "...-", "W": ".--", "X": "-..-", "Y": "-.--", "Z": "--..", "É": "..-..",
        "0": "-----", "1": ".----", "2": "..---", "3": "...--", "4": "....-", "5": ".....",
        "6": "-....", "7": "--...", "8": "---..", "9": "----.", ".": ".-.-.-", ",": "--..--",
        ":": "---...", "?": "..--..", "'": ".----.", "-": "-....-", "/": "-..-.", "(": "-.--.",
        ")": "-.--.-", "\"": ".-..-.", "=": "-...-", "+": ".-.-.", "×": "-..-", "@": ".--.-.",
    ]
}

/// A text in Morse code: when the key is down.
///
/// A dot lasts 1.2 s divided by the words a minute (PARIS), a dash three dots; there is a dot between
/// elements, three between characters and seven between words. With a slower overall speed only the gaps
/// between characters and words grow: Bloom, "A Standard for Morse Timing Using the Farnsworth Technique",
/// QEX, April 1990.
public struct MorseKeying: Sendable, Equatable {
    /// When the key goes down and up, in seconds.
    public private(set) var marks: [ClosedRange<Double>] = []
    /// When the last mark ends, in seconds.
    public var duration: Double { marks.last?.upperBound ?? 0 }

    /// Characters of a text that have no Morse code, each once, in their order.
    public static func unknown(in text: String) -> [Character] {
        var unknown: [Character] = []
        for word in words(text) {
            for symbol in word {
                for character in symbol
                where MorseAlphabet.elements(of: character) == nil && !unknown.contains(character) {
                    unknown.append(character)
                }
            }
        }
        return unknown
    }

    /// Keys a text.
    ///
    /// - Parameters:
    ///   - text: letters in either case, digits and punctuation; `<SK>` runs the letters together. What has
    ///     no code is left out.
    ///   - speed: words a minute of the characters, above 0.
    ///   - overall: words a minute with the gaps, at most `speed`.
    public init(_ text: String, speed: Double, overall: Double) {
        precondition(speed > 0 && overall > 0 && overall <= speed, "Morse code has a speed.")
        let dot = 1.2 / speed
        // 31 of a standard word's 50 dots are in its characters; 19 are gaps between and behind them.
        let delay = (60 * speed - 37.2 * overall) / (speed * overall)
        let (between, behind) =
            overall < speed ? (3 * delay / 19, 7 * delay / 19) : (3 * dot, 7 * dot)
        var time = 0.0
        for word in Self.words(text) {
            if !marks.isEmpty { time = duration + behind }
            var isFirst = true
            for symbol in word {
                let elements = symbol.compactMap { MorseAlphabet.elements(of: $0) }.joined()
                if elements.isEmpty { continue }
                if !isFirst { time = duration + between }
                isFirst = false
                for element in elements {
                    let length = element == "." ? dot : 3 * dot
                    marks.append(time...time + length)
                    time += length + dot
                }
            }
        }
    }

    /// Words of symbols: a character each, or several that are run together.
    private static func words(_ text: String) -> [[String]] {
        text.uppercased().split(whereSeparator: \.isWhitespace).map { word in
            var symbols: [String] = []
            var run: String?
            for character in word {
                if character == "<", run == nil {
                    run = ""
                } else if character == ">", let joined = run {
                    symbols.append(joined)
                    run = nil
                } else if run != nil {
                    run?.append(character)
                } else {
                    symbols.append(String(character))
                }
            }
            if let run { symbols += ["<"] + run.map(String.init) }
            return symbols
        }
    }
}
