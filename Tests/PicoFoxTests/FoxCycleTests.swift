import Testing

@testable import PicoFox

@Suite struct FoxCycleTests {
    private func settings(_ text: String, _ firmware: Firmware = .r3) -> FirmwareSettings {
        SettingsReading(Array(text.utf8), firmware).settings
    }

    @Test(arguments: [("N0CALL", 31_600), ("W1AW", 22_000), ("AI6YM", 22_800), ("KG6MDW", 29_200)])
    func `37 identifications have the facts' lengths`(callsign: String, count: Int) {
        for firmware in [Firmware.r2, .r3, .kc] {
            let made = MorseIdentification(settings("CALLSIGN=\(callsign)\n", firmware))
            #expect(made.samples.count == count)
        }
    }

    @Test func `37 every speed, volume and tone`() {
        // Of an E: gap, dot, gap.
        for (speed, dot, gap) in [
            (13, 461, 1384), (15, 400, 1200), (18, 333, 1000), (25, 240, 719),
            (27, 222, 666), (30, 200, 600), (3, 2000, 6000), (1, 6000, 18_000),
        ] {
            let made = MorseIdentification(settings("CALLSIGN=E\nMORSE_WPM=\(speed)\n"))
            // The factory's Farnsworth value of 10 is above slow speeds.
            let pause = speed < 10 ? 1800 : gap
            #expect(made.samples.count == dot + 2 * pause, "\(speed)")
        }
        let dash = MorseIdentification(settings("CALLSIGN=T\nMORSE_WPM=25\n"))
        #expect(dash.samples.count == 720 + 2 * 719)
        for (volume, peak) in [(1, 327), (70, 22_936), (100, 32_767)] {
            for tone in [100, 600, 2000] {
                let made = MorseIdentification(
                    settings("CALLSIGN=T\nMORSE_TONE_VOL=\(volume)\nMORSE_TONE=\(tone)\n")
                )
                let highest = made.samples.map { Int($0.magnitude) }.max() ?? 0
                #expect(highest <= peak && highest > peak * 9 / 10)
            }
        }
        let slow = MorseIdentification(
            settings("CALLSIGN=N0CALL\nMORSE_WPM=3\nMORSE_FARNSWORTH_WPM=3\n")
        )
        #expect(44 + 2 * slow.samples.count == 316_044)
    }

    @Test func `37 kg keys live, and jf puts its number first`() {
        let live = MorseIdentification(settings("CALLSIGN=N0CALL\n", .kg))
        #expect(live.samples.count == 46_720)
        for (fox, count) in [(1, 45_600), (5, 48_800)] {
            let made = MorseIdentification(settings("CALLSIGN=JA1XXX\nFOX_NUMBER=\(fox)\n", .jf))
            #expect(made.samples.count == count)
        }
    }

    @Test(arguments: [(1, 0.503), (25, 0.571), (50, 0.667), (75, 0.8), (90, 0.909), (100, 1)])
    func `38 the real duty of AI6YM's families`(setting: Int, expected: Double) {
        let settings = settings("CALLSIGN=N0CALL\nDUTY_CYCLE=\(setting)\n")
        let cycle = FoxCycle(settings, audioSamples: 144_000)
        #expect(cycle.onMilliseconds == 35_120)
        #expect(cycle.offMilliseconds == (100 - setting) * 35_120 / 100)
        #expect(abs(cycle.duty - expected) < 0.001)
        #expect(abs((FoxCycle.realDuty(setting, .r3) ?? 0) - expected) < 0.001)
    }

    @Test func `38 no duty at all is no transmission`() {
        #expect(!settings("CALLSIGN=N0CALL\nDUTY_CYCLE=0\n").transmits)
        #expect(FoxCycle.realDuty(0, .r2) == 0)
    }

    @Test func `38 kg pauses by the mean of up to twelve turns`() {
        let settings = settings("CALLSIGN=N0CALL\nDUTY_CYCLE=25\n", .kg)
        let first = FoxCycle(settings, audioSamples: 16_000)
        #expect(first.onMilliseconds == 100 + 2000 + 1000 + 5840)
        #expect(first.offMilliseconds == 3 * 8940)
        let turns = (1...13).map { $0 * 1000 }
        // The last eleven of those before, 3…13 s, and this one of 8.94 s.
        let mean = ((3...13).reduce(0, +) * 1000 + 8940) / 12
        #expect(FoxCycle(settings, audioSamples: 16_000, before: turns).offMilliseconds == mean * 3)
    }

    @Test func `39 jf has a slot of twelve seconds`() {
        let fits = FoxCycle(
            settings("CALLSIGN=JF9SOM\nFOX_NUMBER=4\nMORSE_WPM=12\n", .jf),
            audioSamples: 9
        )
        #expect(fits.onMilliseconds == 12_000 && fits.offMilliseconds == 48_000)
        let long = FoxCycle(
            settings("CALLSIGN=JF9SOM\nFOX_NUMBER=4\nMORSE_WPM=11\n", .jf),
            audioSamples: 9
        )
        #expect(long.identificationMilliseconds > 12_000)
        #expect(long.audioMilliseconds == 0)
    }

    @Test func `41 power falls with attenuation`() {
        let powers = (0...127).map { FirmwareSettings.nominalPower(attenuation: $0) }
        #expect(zip(powers, powers.dropFirst()).allSatisfy { $0 > $1 })
        for (step, milliwatts) in [(0, 63.1), (24, 15.8), (40, 6.31), (100, 0.2), (127, 0.0422)] {
            #expect(abs(powers[step] / milliwatts - 1) < 0.01)
        }
        #expect(settings("CALLSIGN=A1A\n", .r2).nominalPower == 15)
    }
}
