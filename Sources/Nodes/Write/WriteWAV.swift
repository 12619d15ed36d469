import Codecs
import Graph
import Media

/// Writes audio as a WAV file with nothing in it but format and samples.
///
/// 16 bits get the plain header of 44 bytes that every player reads. What goes beyond full
/// scale of integers is clipped and told. Audio that starts late, or has a gap, gets
/// silence there. A file holds up to 4 GiB. `-` writes to standard output, where the header cannot say
/// how long it will be.
///
/// Memory: one block. Deterministic.
struct WriteWAV: Node, ~Copyable {
    static let kind = "write.wav"
    static let execution = Execution.blocking

    let audio: Input<AudioBlock>
    let path: OutputPath
    let sampleFormat: WAVWriter.SampleFormat
    let rounding: WAVWriter.Rounding
    private var writer: WAVWriter?
    /// How many samples a channel has so far.
    private var position: Int64 = 0

    init(_ c: inout Contract) {
        audio = c.input("audio", .inOrder, changes: .fixed, "Audio without gaps.")
        path = c.outputPath("path", example: "sound.wav", "The file, or - for standard output.")
        sampleFormat = c.choice(
            "sampleFormat",
            default: WAVWriter.SampleFormat.pcm16,
            "How samples are stored."
        )
        rounding = c.choice(
            "rounding",
            default: WAVWriter.Rounding.nearest,
            "How samples become integers."
        )
    }

    func resolve(_ f: inout Formats) throws {
        guard !path.isStandardOutput, let format = f[audio], let length = f.duration(of: audio)
        else { return }
        let bytes =
            length.seconds * Double(format.sampleRate * format.channels * sampleFormat.byteCount)
        if bytes > Double(WAVWriter.dataLimit) {
            throw Problem(
                .format,
                "\(length) of \(format) do not fit into the 4 GiB of a WAV file",
                pointer: "/path",
                hint: "write a shorter part, or mkv with codec pcm"
            )
        }
    }

    mutating func start(_ f: borrowing Formats) throws {
        guard let format = f[audio] else { return }
        let target: OutputTarget =
            path.isStandardOutput
            ? .standardOutput : .file(try f.environment.outputs.open(path.path))
        writer = try WAVWriter(
            to: target,
            format: format,
            sampleFormat: sampleFormat,
            rounding: rounding
        )
    }

    mutating func run(_ io: inout IO) throws {
        while let packet = io.take(audio) {
            let block = packet.payload
            try fill(to: block.format.index(of: packet.time), block.format)
            try writer?.write(block)
            position += Int64(block.frameCount)
        }
    }

    /// Writes silence up to a sample, so that what follows is where it belongs.
    private mutating func fill(to index: Int64, _ format: AudioFormat) throws {
        while position < index {
            let count = Int(min(index - position, 16_384))
            let silence = Writable<Float>(repeating: 0, count: count * format.channels)
            try writer?.write(AudioBlock(format: format, samples: silence))
            position += Int64(count)
        }
    }

    mutating func finish(_ io: inout IO) throws {
        if let count = writer?.clippedCount, count > 0 {
            io.environment.warn(
                "\(count) samples were beyond full scale and were clipped: make the audio quieter"
            )
        }
        try writer.take()?.finish()
    }
}
