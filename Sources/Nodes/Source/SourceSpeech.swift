import Graph
import Media
import Speech

/// Speaks a text, by eSpeak NG.
///
/// `voice` is a voice's name or a language, as "espeak-ng --voices" lists them. Spell what is to be spelt:
/// "N zero C A L L". One channel at the voice's sample rate, mostly 22,050 Hz. A long text is spoken sentence
/// by sentence, so that it can be stopped and takes little memory.
///
/// Latency: a sentence. Deterministic with one version of eSpeak NG and one such node in a graph; of several
/// the last bits depend on which one speaks first.
struct SourceSpeech: Node {
    static let kind = "source.speech"
    static let execution = Execution.blocking
    /// Samples in a packet, and letters that are spoken at once.
    private static let blockLength = 4096
    private static let pieceLength = 1000

    let out: Output<AudioBlock>
    let voice: String
    let speed: Int
    let pitch: Int
    private let pieces: [String]
    private var synthesizer: SpeechSynthesizer?
    private var nextPiece = 0
    private var pending: [Float] = []
    private var position: Int64 = 0

    init(_ c: inout Contract) {
        out = c.output("audio", "The speech, from time 0 on.")
        let text = c.string("text", default: "This is a test.", "What is said.")
        voice = c.string("voice", default: "en", "A voice's name, or a language.")
        speed = c.integer("speed", default: 150, in: 80...450, .none, "Words a minute.")
        pitch = c.integer(
            "pitch",
            default: 50,
            in: 0...100,
            .none,
            "How high; 50 is the voice's own."
        )
        pieces = Self.pieces(of: text)
        c.require(!pieces.isEmpty, "text", "has nothing to say")
        c.require(!text.utf8.contains(0), "text", "must not hold a NUL")
    }

    /// Cuts a text behind sentences, else between words, else anywhere.
    static func pieces(of text: String) -> [String] {
        var pieces: [String] = []
        var piece = ""
        var lastSpace: String.Index?
        for character in text {
            piece.append(character)
            if character.isWhitespace { lastSpace = piece.endIndex }
            let isEnd = character.isNewline || ".!?".contains(character)
            if piece.count >= pieceLength, let space = lastSpace, !isEnd {
                pieces.append(String(piece[..<space]))
                piece = String(piece[space...])
                lastSpace = nil
            } else if isEnd && piece.count >= 200 || piece.count >= 2 * pieceLength {
                pieces.append(piece)
                piece = ""
                lastSpace = nil
            }
        }
        pieces.append(piece)
        return pieces.filter { !$0.allSatisfy(\.isWhitespace) }
    }

    func resolve(_ f: inout Formats) throws {
        f.set(out, AudioFormat(sampleRate: try speaker().sampleRate, channels: 1))
    }

    private func speaker() throws -> SpeechSynthesizer {
        do throws(SpeechError) {
            return try SpeechSynthesizer(voice: voice, speed: speed, pitch: pitch)
        } catch {
            throw Problem(.range, error.description, pointer: "/voice")
        }
    }

    mutating func start(_ f: borrowing Formats) throws { synthesizer = try speaker() }

    mutating func run(_ io: inout IO) throws {
        guard let synthesizer else { return }
        while pending.isEmpty {
            guard nextPiece < pieces.count else {
                io.end()
                return
            }
            pending = try synthesizer.speak(pieces[nextPiece])
            nextPiece += 1
        }
        let count = min(pending.count, Self.blockLength)
        let block = AudioBlock(
            sampleRate: synthesizer.sampleRate,
            channels: [Array(pending[..<count])]
        )
        pending.removeFirst(count)
        io.emit(block, at: block.format.time(of: position), duration: block.duration, on: out)
        position += Int64(count)
        io.more()
    }
}
