import CEspeakNG
import Glibc
import Media

/// Text that cannot be spoken.
public struct SpeechError: Error, Sendable, CustomStringConvertible {
    /// What is wrong, in a sentence.
    public let description: String
}

/// Speaks text by eSpeak NG.
///
/// The library has one state for the whole process, so one text at a time is spoken, and what was
/// spoken before is heard in the last bits: the same texts in the same order give the same samples.
public struct SpeechSynthesizer: Sendable {
    /// The voice's name or language, as in `en-us`.
    public let voice: String
    /// Words a minute, 80…450.
    public let speed: Int
    /// 0…100; 50 is the voice's own.
    public let pitch: Int

    /// Holds the library, and its sample rate once it is ready.
    private static let library = Locked<Int?>(nil)

    /// Chooses how texts are spoken.
    ///
    /// - Parameters:
    ///   - voice: the voice's name or language.
    ///   - speed: words a minute, 80…450.
    ///   - pitch: 0…100.
    /// - Throws: `SpeechError` when there is no such voice, or the library's data is missing.
    public init(voice: String, speed: Int, pitch: Int) throws(SpeechError) {
        self.voice = voice
        self.speed = speed
        self.pitch = pitch
        try Self.library.withLock { (rate) throws(SpeechError) in
            _ = try Self.ready(&rate)
            try choose()
        }
    }

    /// The sample rate of what is spoken.
    public var sampleRate: Int { Self.library.withLock { $0 ?? 22_050 } }

    /// Speaks a text, up to some thousand letters.
    ///
    /// - Parameter text: what is said; markup is not understood.
    /// - Returns: one channel.
    /// - Throws: `SpeechError` when the library fails.
    public func speak(_ text: String) throws(SpeechError) -> [Float] {
        try Self.library.withLock { (rate) throws(SpeechError) in
            _ = try Self.ready(&rate)
            try choose()
            // Noise in voices comes from the C library's random numbers.
            srand(1)
            let collector = Collector()
            let length = text.utf8.count + 1
            let code = unsafe espeak_Synth(
                text,
                length,
                0,
                POS_CHARACTER,
                0,
                UInt32(espeakCHARS_UTF8 | espeakENDPAUSE),
                nil,
                Unmanaged.passUnretained(collector).toOpaque()
            )
            guard code == EE_OK else { throw SpeechError(description: "the text cannot be spoken") }
            espeak_Synchronize()
            return collector.samples
        }
    }

    private func choose() throws(SpeechError) {
        guard unsafe espeak_SetVoiceByName(voice) == EE_OK else {
            throw SpeechError(
                description: "there is no voice \"\(voice)\": \"espeak-ng --voices\" lists them"
            )
        }
        espeak_SetParameter(espeakRATE, Int32(speed), 0)
        espeak_SetParameter(espeakPITCH, Int32(pitch), 0)
    }

    private static func ready(_ rate: inout Int?) throws(SpeechError) -> Int {
        if let rate { return rate }
        let found = espeak_Initialize(
            AUDIO_OUTPUT_SYNCHRONOUS,
            0,
            nil,
            Int32(espeakINITIALIZE_DONT_EXIT)
        )
        guard found > 0 else {
            throw SpeechError(description: "eSpeak NG has no data: install espeak-ng-data")
        }
        unsafe espeak_SetSynthCallback { samples, count, events in
            guard let samples = unsafe samples, let events = unsafe events, count > 0,
                let context = unsafe events.pointee.user_data
            else { return 0 }
            let collector = unsafe Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
            for index in 0..<Int(count) {
                unsafe collector.samples.append(Float(samples[index]) / 32_768)
            }
            // More than this no text of the allowed length takes.
            return collector.samples.count > Collector.limit ? 1 : 0
        }
        rate = Int(found)
        return Int(found)
    }

    /// Gets the samples while the library speaks.
    private final class Collector {
        static let limit = 22_050 * 3600
        var samples: [Float] = []
    }
}
