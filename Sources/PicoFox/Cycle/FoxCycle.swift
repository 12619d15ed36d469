/// When a fox is on the air: one turn of audio, identification and pause.
public struct FoxCycle: Sendable, Equatable {
    /// Milliseconds of carrier before the audio.
    public let leadMilliseconds: Int
    /// Of the audio.
    public let audioMilliseconds: Int
    /// Of bare carrier between audio and identification.
    public let gapMilliseconds: Int
    /// Of the identification.
    public let identificationMilliseconds: Int
    /// Of the pause, where that is known.
    public let offMilliseconds: Int

    /// All of the time with a carrier.
    public var onMilliseconds: Int {
        leadMilliseconds + audioMilliseconds + gapMilliseconds + identificationMilliseconds
    }

    /// The part of the time on the air, 0…1.
    public var duty: Double {
        let all = onMilliseconds + offMilliseconds
        return all > 0 ? Double(onMilliseconds) / Double(all) : 0
    }

    /// One turn.
    ///
    /// - Parameters:
    ///   - settings: of the device.
    ///   - audioSamples: how many samples it plays, at its rate; `jf` plays none.
    ///   - before: how long turns before this one were, in milliseconds; `kg` pauses by their mean.
    public init(_ settings: FirmwareSettings, audioSamples: Int, before: [Int] = []) {
        let firmware = settings.firmware
        let identification = MorseIdentification(settings).samples.count
        func milliseconds(_ samples: Int) -> Int { samples * 1000 / firmware.sampleRate }
        let duty = settings.number(.dutyCycle)
        identificationMilliseconds = milliseconds(identification)
        switch firmware {
        case .jf:
            // A slot of twelve seconds in each minute; what is too long overlaps the next fox.
            leadMilliseconds = 0
            audioMilliseconds = 0
            gapMilliseconds = max(0, 12_000 - identificationMilliseconds)
            offMilliseconds = 60_000 - max(12_000, identificationMilliseconds)
        case .kg:
            leadMilliseconds = 100
            audioMilliseconds = milliseconds(audioSamples)
            gapMilliseconds = 1000
            let on = 1100 + milliseconds(audioSamples) + milliseconds(identification)
            let turns = (before + [on]).suffix(12)
            let mean = turns.reduce(0, +) / turns.count
            offMilliseconds = duty > 0 ? mean * (100 - duty) / duty : 0
        case .r2, .r3, .kc:
            leadMilliseconds = 0
            audioMilliseconds = milliseconds(audioSamples)
            gapMilliseconds = 0
            let on = milliseconds(audioSamples) + milliseconds(identification)
            offMilliseconds = (100 - duty) * on / 100
        }
    }

    /// The part of the time on the air that a `DUTY_CYCLE` really gives, 0…1; nil with `jf`, whose slots
    /// are fixed.
    public static func realDuty(_ dutyCycle: Int, _ firmware: Firmware) -> Double? {
        if firmware == .jf { return nil }
        if dutyCycle == 0 { return 0 }
        return firmware == .kg ? Double(dutyCycle) / 100 : 100 / (200 - Double(dutyCycle))
    }
}
