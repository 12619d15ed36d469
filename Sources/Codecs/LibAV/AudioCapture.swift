import CLibAV
import Dispatch
import Glibc
public import Media

/// Records from a sound device, by libavdevice.
///
/// A thread of its own reads the device, so that one which stalls holds nobody up. libavdevice is
/// loaded when the first device is opened: it needs a hundred libraries that nothing else needs.
public final class AudioCapture: Sendable {
    /// What speaks to the device.
    public enum System: String, Sendable, CaseIterable {
        /// A PulseAudio server, or PipeWire in its place.
        case pulse
        /// The kernel's driver.
        case alsa
    }

    /// What came from the device since the last look.
    public struct Piece: Sendable {
        /// Interleaved samples.
        public var samples: [Float] = []
        /// How many samples of a channel were dropped after them, because nobody took what was there.
        public var lost = 0
    }

    private struct State {
        var piece = Piece()
        var hasEnded = false
        var failure: CodecError?
    }

    /// How many seconds wait to be taken before what comes is dropped.
    private static let queueSeconds = 10
    /// How long the device may be busy being opened.
    private static let openingSeconds = 10

    private let state = Locked(State())
    private let came = DispatchSemaphore(value: 0)

    /// Opens the device and begins to record.
    ///
    /// - Parameters:
    ///   - system: what speaks to it.
    ///   - device: its name there; `default` is what the system takes for it.
    ///   - format: the sample rate and the channels that are wanted.
    /// - Throws: when there is no such device, it has another format, or it does not answer within ten
    ///   seconds.
    public init(_ system: System, device: String, format: AudioFormat) throws(CodecError) {
        let subject = "\(system.rawValue) device \"\(device)\""
        let opening = Opening()
        DispatchQueue(label: subject).async { [weak self, opening] in
            do throws(CodecError) {
                let input = try DeviceHandle(system, device: device, format: format, subject)
                try input.checkFormat(format, subject)
                opening.finish(nil)
                // Whoever opened it may have gone meanwhile.
                guard let state = self?.state, let came = self?.came else { return }
                Self.record(input, format, subject, state, came)
            } catch {
                opening.finish(error)
            }
        }
        try opening.wait(seconds: Self.openingSeconds, subject)
    }

    deinit { stop() }

    /// Lets go of the device.
    public func stop() { state.withLock { $0.hasEnded = true } }

    /// What has come from the device; waits for it where there is nothing.
    ///
    /// - Parameter milliseconds: how long it waits at most.
    /// - Returns: nil where nothing has come in that time.
    /// - Throws: what the device failed with, once all that came before is taken.
    public func next(within milliseconds: Int) throws(CodecError) -> Piece? {
        _ = came.wait(timeout: .now() + .milliseconds(milliseconds))
        let (piece, failure) = state.withLock { state in
            defer { state.piece = Piece() }
            return (state.piece, state.failure)
        }
        if !piece.samples.isEmpty { return piece }
        if let failure { throw failure }
        return nil
    }

    private static func record(
        _ input: borrowing DeviceHandle,
        _ format: AudioFormat,
        _ subject: String,
        _ state: Locked<State>,
        _ came: DispatchSemaphore
    ) {
        let room = queueSeconds * format.sampleRate * format.channels
        do throws(CodecError) {
            let packet = try PacketHandle()
            while !state.withLock({ $0.hasEnded }) {
                let samples = try input.read(packet, channels: format.channels, subject)
                let isFirst = state.withLock { state in
                    let isFirst = state.piece.samples.isEmpty
                    if state.piece.lost > 0 || state.piece.samples.count + samples.count > room {
                        state.piece.lost += samples.count / format.channels
                    } else {
                        state.piece.samples += samples
                    }
                    return isFirst
                }
                if isFirst { came.signal() }
            }
        } catch {
            state.withLock { $0.failure = error }
            came.signal()
        }
    }
}

/// The end of an attempt to open a device, for the one who waits for it.
private final class Opening: Sendable {
    private let result = Locked<CodecError?>(nil)
    private let done = DispatchSemaphore(value: 0)

    func finish(_ failure: CodecError?) {
        result.withLock { $0 = failure }
        done.signal()
    }

    func wait(seconds: Int, _ subject: String) throws(CodecError) {
        if done.wait(timeout: .now() + .seconds(seconds)) == .timedOut {
            throw CodecError(
                call: "avformat_open_input",
                code: 0,
                text: "it does not answer",
                subject: subject
            )
        }
        if let failure = result.withLock({ $0 }) { throw failure }
    }
}
