import Media

/// The Morse identification that a device makes of its settings, sample for sample.
///
/// Lengths are computed in single precision as the firmware does, with its oddities (at 25 words a minute
/// a dash has 720 samples and a gap 719).
public struct MorseIdentification: Sendable, Equatable {
    /// At the firmware's sample rate, full scale ±32,767.
    public let samples: [Int16]

    /// Makes it.
    ///
    /// - Parameter settings: callsign, speeds, tone and volume; of `jf` also the fox's number.
    public init(_ settings: FirmwareSettings) {
        var writer = Writer(settings)
        if settings.firmware == .kg {
            writer.writeLive(settings.callsign)
        } else {
            if settings.firmware == .jf {
                let names = ["MOE", "MOI", "MOS", "MOH", "MO5"]
                let number = min(max(settings.number(.foxNumber), 1), 5)
                writer.gap()
                writer.write(Array(names[number - 1].utf8))
            } else {
                writer.gap()
            }
            writer.write(settings.callsign)
            if settings.firmware == .jf { writer.removeGap() }
        }
        samples = writer.samples
    }

    private struct Writer {
        let firmware: Firmware
        let dit: Int
        let dah: Int
        let pause: Int
        let tone: Double
        let amplitude: Double
        var samples: [Int16] = []

        init(_ settings: FirmwareSettings) {
            firmware = settings.firmware
            let rate = Float(firmware.sampleRate)
            let speed = Float(max(1, settings.number(.morseSpeed)))
            if firmware == .kg {
                let microseconds = 1_200_000 / max(1, settings.number(.morseSpeed))
                dit = microseconds * 8 / 1000
                dah = 3 * microseconds * 8 / 1000
                pause = dah
            } else {
                let seconds = 1.2 / speed
                dit = Int(seconds * rate)
                dah = Int(seconds * rate * 3)
                pause = Int(1.2 / Float(max(1, settings.effectiveFarnsworthSpeed)) * 3 * rate)
            }
            tone = Double(settings.number(.morseTone))
            amplitude = Double(settings.number(.morseVolume) * 32_767 / 100)
        }

        mutating func gap() { samples += Array(repeating: 0, count: pause) }

        mutating func removeGap() { samples.removeLast(min(pause, samples.count)) }

        /// Characters with a gap behind each; one that is not sent is only the gap.
        mutating func write(_ characters: [UInt8]) {
            for character in characters {
                let elements = MorseCode.elements(of: character, firmware) ?? ""
                for (index, element) in elements.enumerated() {
                    if index > 0 { samples += Array(repeating: 0, count: dit) }
                    write(element == "." ? dit : dah)
                }
                gap()
            }
        }

        /// An element with a ramp of a third of a dot at both ends; its phase begins at 0.
        private mutating func write(_ count: Int) {
            let step = PortableMath.phaseStep(
                frequency: tone,
                sampleRate: Double(firmware.sampleRate)
            )
            let ramp = dit / 3
            var phase: UInt64 = 0
            for index in 0..<count {
                let edge = min(index, count - 1 - index)
                let gain = ramp > 0 && edge < ramp ? Double(edge) / Double(ramp) : 1
                let sample = amplitude * gain * PortableMath.sine(phase: phase)
                samples.append(Int16(sample.rounded(.towardZero)))
                phase &+= step
            }
        }

        /// Keyed live: hard edges, one phase all along, no gap around it; a space is seven dots.
        mutating func writeLive(_ characters: [UInt8]) {
            let step = PortableMath.phaseStep(frequency: tone, sampleRate: 8000)
            var units: [(isOn: Bool, dots: Int)] = []
            for character in characters {
                if character == 0x20 {
                    if units.last?.isOn == false { units.removeLast() }
                    units.append((false, 7))
                    continue
                }
                guard let elements = MorseCode.elements(of: character, firmware) else { continue }
                if units.last?.isOn == true { units.append((false, 3)) }
                for (index, element) in elements.enumerated() {
                    if index > 0 { units.append((false, 1)) }
                    units.append((true, element == "." ? 1 : 3))
                }
            }
            if units.last?.isOn == false { units.removeLast() }
            var phase: UInt64 = 0
            for unit in units {
                for _ in 0..<unit.dots * dit {
                    let sample = unit.isOn ? amplitude * PortableMath.sine(phase: phase) : 0
                    samples.append(Int16(sample.rounded(.towardZero)))
                    phase &+= step
                }
            }
        }
    }
}
