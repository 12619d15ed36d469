import Codecs
import Graph
import Media

/// Records from a microphone, or from any other sound device.
///
/// It ends after `duration`, or when the program gets SIGINT (Ctrl-C), SIGTERM or SIGHUP: then what was
/// recorded is written as if it had been that long. A second SIGINT ends the program at once. A device that
/// vanishes or falls silent for good ends the recording, too, which is told as damage.
///
/// Latency: 20 ms with PulseAudio. Where the graph is slower than the sound, up to ten seconds wait; what
/// comes then becomes silence, and is told. Neither two recordings nor their lengths are the same.
struct SourceMicrophone: Node, ~Copyable {
    static let kind = "source.microphone"
    static let execution = Execution.blocking
    /// How long the node waits for the device, in milliseconds, before it looks for an interrupt again.
    private static let patience = 50
    /// How long the device may give nothing, in seconds.
    private static let silence = 5

    let out: Output<AudioBlock>
    let system: AudioCapture.System
    let device: String
    let format: AudioFormat
    /// How many samples there will be.
    private let count: Int64
    private var capture: AudioCapture?
    private var position: Int64 = 0
    /// How often the node has waited for nothing.
    private var waits = 0

    init(_ c: inout Contract) {
        c.live()
        out = c.output("audio", "What is recorded, from time 0 on.")
        system = c.choice(
            "system",
            default: AudioCapture.System.pulse,
            "What speaks to the device."
        )
        device = c.string(
            "device",
            default: "default",
            "Its name in that system; the system's own choice by default."
        )
        let duration = c.time("duration", default: .time(MediaTime(120, 1)), "How long, at most.")
        let rate = c.integer(
            "sampleRate",
            default: 48_000,
            in: 4000...384_000,
            .hertz,
            "Samples a second."
        )
        let channels = c.integer(
            "channels",
            default: 1,
            in: 1...32,
            .channels,
            "How many channels."
        )
        format = AudioFormat(sampleRate: rate, channels: channels)
        count = format.index(of: duration.resolved(sampleRate: rate))
        c.require(count > 0, "duration", "must be at least one sample")
        c.require(!device.utf8.contains(0), "device", "must not hold a NUL")
    }

    func resolve(_ f: inout Formats) throws { f.set(out, format) }

    mutating func start(_ f: borrowing Formats) throws {
        capture = try AudioCapture(system, device: device, format: format)
    }

    mutating func run(_ io: inout IO) throws {
        guard let capture, position < count, !io.environment.isAskedToEnd else {
            capture?.stop()
            io.end()
            return
        }
        do throws(CodecError) {
            if let piece = try capture.next(within: Self.patience) {
                waits = 0
                emit(piece, &io)
            } else {
                waits += 1
            }
            if waits * Self.patience >= Self.silence * 1000 {
                throw CodecError(
                    call: "av_read_frame",
                    code: 0,
                    text: "it has given nothing for \(Self.silence) seconds",
                    subject: "\(system.rawValue) device \"\(device)\""
                )
            }
        } catch {
            if position == 0 { throw error }
            // What was recorded is worth more than the end of it.
            io.environment.damaged("the recording ends: \(error)", at: format.time(of: position))
            capture.stop()
            io.end()
            return
        }
        io.more()
    }

    private mutating func emit(_ piece: AudioCapture.Piece, _ io: inout IO) {
        emit(samples: piece.samples, &io)
        guard piece.lost > 0 else { return }
        io.environment.damaged(
            "the graph was slower than the sound: \(piece.lost) samples are silent",
            at: format.time(of: position)
        )
        // A block a second, however long the gap was.
        var rest = piece.lost
        while rest > 0, position < count {
            let frames = min(rest, format.sampleRate)
            emit(samples: [Float](repeating: 0, count: frames * format.channels), &io)
            rest -= frames
        }
    }

    private mutating func emit(samples: [Float], _ io: inout IO) {
        let frames = Int(min(Int64(samples.count / format.channels), count - position))
        guard frames > 0 else { return }
        let source = samples
        let channels = format.channels
        var target = Writable<Float>(uninitialized: frames * channels)
        target.withMutableSpan { target in
            for channel in 0..<channels {
                for frame in 0..<frames {
                    target[channel * frames + frame] = source[frame * channels + channel]
                }
            }
        }
        let block = AudioBlock(format: format, samples: target)
        io.emit(block, at: format.time(of: position), duration: block.duration, on: out)
        position += Int64(frames)
    }
}
