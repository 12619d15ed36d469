import Testing

@testable import PicoFox

/// Each name begins with the number of the behaviour in the facts it shows.
@Suite struct SettingsReadingTests {
    static let plain: [Firmware] = [.r2, .r3, .kc, .jf]

    private func read(_ text: String, _ firmware: Firmware = .r3) -> SettingsReading {
        SettingsReading(Array(text.utf8), firmware)
    }

    private func errors(_ text: String, _ firmware: Firmware = .r3) -> [String] {
        read(text, firmware).issues.filter { $0.severity == .error }.map {
            "\($0.line): \($0.text)"
        }
    }

    @Test(arguments: plain) func `1 a last line without a line feed is not read`(firmware: Firmware)
    {
        let reading = read("CALLSIGN=n0call\nITU_ZONE=1", firmware)
        #expect(reading.settings.callsignText == "N0CALL")
        #expect(reading.settings.number(.ituZone) == (firmware == .jf ? 1 : 2))
        #expect(reading.issues.contains { $0.line == 2 && $0.text.contains("no line feed") })
        let file = SettingsFile(Array("CALLSIGN=n0call\nITU_ZONE=1".utf8))
        #expect(file.bytes(for: firmware) == Array("CALLSIGN=n0call\nITU_ZONE=1\n".utf8))
    }

    @Test func `1 kg loses it only when it knows all newer keys`() {
        let newer =
            "ATTENUATION_MODE=FIXED\nATTENUATION=0\nATTENUATION_MIN=0\nATTENUATION_MAX=9\nVOICE_ENABLE=1\n"
            + "AUDIO_MODE=WAV\nFREQUENCY_SHIFTING=0\nSSTV_ENABLE=0\nSSTV_MODE=ROBOT36\n"
        #expect(read(newer + "APRS_ENABLE=0\nCALLSIGN=N0CALL", .kg).settings.callsign.isEmpty)
        #expect(read(newer + "CALLSIGN=N0CALL", .kg).settings.callsignText == "N0CALL")
        #expect(read(newer + "CALLSIGN=N0CALL\nAPRS_ENABLE=1", .kg).settings.number(.aprs) == 1)
    }

    @Test func `2 a comment swallows the next line, but not with kg`() {
        let text = "# fox\nCALLSIGN=N0CALL\nFREQ_MHZ=146.5\n"
        for firmware in Self.plain where firmware != .jf {
            let reading = read(text, firmware)
            #expect(reading.settings.callsign.isEmpty && !reading.settings.transmits)
            #expect(
                reading.issues.contains {
                    $0.line == 2 && $0.text.contains("CALLSIGN is swallowed by line 1")
                }
            )
        }
        #expect(read(text, .kg).settings.callsignText == "N0CALL")
        #expect(read(text, .kg).issues.isEmpty)
        // A comment with an "=" is harmless.
        #expect(read("# my=fox\nCALLSIGN=N0CALL\n").settings.callsignText == "N0CALL")
    }

    @Test func `3 a blank CRLF line swallows the next setting`() {
        let text = "CALLSIGN=N0CALL\r\n\r\nFREQ_MHZ=146.5\r\nITU_ZONE=1\r\n"
        let reading = read(text)
        #expect(reading.settings.frequency == 146_565_000)
        #expect(reading.settings.number(.ituZone) == 1)
        #expect(reading.issues.contains { $0.line == 3 && $0.text.contains("swallowed by line 2") })
        #expect(read(text, .kg).settings.frequency == 146_500_000)
        #expect(reading.settings.callsign == Array("N0CALL\r".utf8))
        #expect(read("\nCALLSIGN=N0CALL\n").settings.callsignText == "N0CALL")
    }

    @Test(arguments: ["CALLSIGN=\r\n", "CALLSIGN= \n"])
    func `4 an invisible callsign is an error, not a warning`(text: String) {
        let reading = read(text)
        #expect(reading.settings.callsign.count == 1 && reading.settings.transmits)
        #expect(MorseIdentification(reading.settings).samples.count == 2400)
        #expect(MorseIdentification(reading.settings).samples.allSatisfy { $0 == 0 })
        #expect(errors(text).contains { $0.contains("sends without a callsign") })
        #expect(!read(text, .kg).settings.transmits)
    }

    @Test func `5 a byte order mark loses the callsign everywhere`() {
        let text = "\u{FEFF}CALLSIGN=N0CALL\nITU_ZONE=2\n"
        for firmware in Firmware.allCases {
            let reading = read(text, firmware)
            #expect(reading.settings.callsign.isEmpty)
            #expect(
                reading.issues.contains { $0.line == 1 && $0.text.contains("byte order mark") }
            )
        }
        // What kg writes at its next start is empty too.
        #expect(read(text, .kg).settings.canonicalText.hasPrefix("CALLSIGN=\n"))
        #expect(SettingsFile(Array(text.utf8)).value(.callsign) == "N0CALL")
    }

    @Test func `6 spaces around the name lose the setting, but not with kg`() {
        #expect(read("CALLSIGN = N0CALL\n").settings.callsign.isEmpty)
        #expect(
            errors("CALLSIGN = N0CALL\n").contains { $0.hasPrefix("1: spaces around CALLSIGN") }
        )
        #expect(read("CALLSIGN = N0CALL\n", .kg).settings.callsignText == "N0CALL")
    }

    @Test func `7 eleven characters are kept, and a slash is silent`() {
        #expect(read("CALLSIGN=ABCDEFGHIJK\n").settings.callsignText == "ABCDEFGHIJK")
        #expect(errors("CALLSIGN=ABCDEFGHIJK\n").isEmpty)
        for extra in ["L", "LM"] {
            #expect(read("CALLSIGN=ABCDEFGHIJK\(extra)\n").settings.callsignText == "ABCDEFGHIJK")
            #expect(errors("CALLSIGN=ABCDEFGHIJK\(extra)\n").count == 1)
        }
        #expect(
            read("CALLSIGN=W1AW/P\n").issues.contains { $0.text.contains("\"/\" cannot be heard") }
        )
        #expect(read("CALLSIGN=W1AW/P\n", .kg).issues.isEmpty)
    }

    @Test func `8 a comma cuts the frequency off`() {
        let text = "CALLSIGN=N0CALL\nFREQ_MHZ=146,565\n"
        #expect(read(text).settings.frequency == 146_000_000 && read(text).settings.transmits)
        #expect(errors(text).contains { $0.contains("ends at the comma") })
        #expect(!read(text + "ITU_ZONE=1\n").settings.transmits)
        #expect(read("FREQ_MHZ=146.565 MHz\n").settings.frequency == 146_565_000)
        #expect(!read("CALLSIGN=A1A\nFREQ_MHZ=146565\n").settings.isInBand)
    }

    @Test func `9 the band's edges are inside`() {
        func isIn(_ frequency: String, _ zone: Int, _ firmware: Firmware) -> Bool {
            read("ITU_ZONE=\(zone)\nFREQ_MHZ=\(frequency)\n", firmware).settings.isInBand
        }
        for firmware in Self.plain {
            #expect(!isIn("144.019999", 1, firmware) && isIn("144.02", 1, firmware))
            #expect(isIn("145.98", 1, firmware) && !isIn("145.980001", 1, firmware))
            #expect(isIn("145.980001", 2, firmware))
            #expect(isIn("147.98", 2, firmware) && !isIn("147.980001", 2, firmware))
        }
        #expect(isIn("144.01", 1, .kg) && !isIn("144.009999", 1, .kg))
        #expect(isIn("145.99", 1, .kg) && !isIn("145.990001", 1, .kg))
        #expect(isIn("147.99", 3, .kg) && !isIn("147.990001", 3, .kg))
    }

    @Test func `10 odd zones`() {
        for (text, isNarrow) in [("0", false), ("4", false), ("257", true), ("", false)] {
            let settings = read("ITU_ZONE=\(text)\nFREQ_MHZ=147\n").settings
            #expect(settings.isInBand != isNarrow, "zone \(text)")
        }
    }

    @Test func `11 numbers wrap`() {
        for (text, stored) in [("abc", 0), ("", 0), ("-1", 100), ("150", 100), ("356", 100)] {
            #expect(read("DUTY_CYCLE=\(text)\n").settings.number(.dutyCycle) == stored)
        }
        for (text, stored) in [("-1", 127), ("128", 127), ("256", 0), ("127", 127)] {
            #expect(read("ATTENUATION=\(text)\n").settings.number(.attenuation) == stored)
        }
        let full = "CALLSIGN=A1A\nATTENUATION=256\n"
        #expect(errors(full).contains { $0.contains("full power") })
        #expect(
            errors("CALLSIGN=A1A\nDUTY_CYCLE=abc\n").contains { $0.contains("nothing is sent") }
        )
    }

    @Test func `12 speeds and tones beyond their ranges`() {
        func number(_ key: SettingsKey, _ text: String, _ firmware: Firmware = .r3) -> Int {
            read("\(key.rawValue)=\(text)\n", firmware).settings.number(key)
        }
        #expect(["0", "31", "286"].map { number(.morseSpeed, $0) } == [15, 15, 30])
        #expect(["31", "61"].map { number(.morseSpeed, $0, .kg) } == [31, 15])
        #expect(
            ["99", "100", "2000", "2001", "2499", "2500"].map { number(.morseTone, $0) }
                == [600, 100, 2000, 2001, 2499, 600]
        )
        #expect(read("CALLSIGN=A1A\nMORSE_TONE=2001\n").issues.count == 1)
        #expect(read("CALLSIGN=A1A\nMORSE_TONE=2000\n").issues.isEmpty)
    }

    @Test func `13 Farnsworth never slows down`() {
        for (text, effective, gap) in [
            (0, 15, 1200), (10, 15, 1200), (15, 15, 1200), (30, 30, 600),
        ] {
            let settings = read("CALLSIGN=E\nMORSE_FARNSWORTH_WPM=\(text)\n").settings
            #expect(settings.effectiveFarnsworthSpeed == effective)
            #expect(MorseIdentification(settings).samples.count == 2 * gap + 400)
        }
        #expect(
            read("CALLSIGN=A1A\nMORSE_FARNSWORTH_WPM=10\n").issues.contains {
                $0.text.contains("does nothing")
            }
        )
    }

    @Test func `14 unknown keys, order and duplicates stay; no trap is written`() {
        let text =
            "\u{FEFF}# fox\r\n\r\nspeed=7\r\ncallsign = a1a\r\nCALLSIGN=N0CALL\r\n; x=y\r\nITU_ZONE=1"
        var file = SettingsFile(Array(text.utf8))
        file.set(.callsign, "W1AW")
        file.set(.dutyCycle, "50")
        let written = file.bytes(for: .r3)
        #expect(
            String(decoding: written, as: UTF8.self)
                == "# fox =\n\nSPEED=7\nCALLSIGN=a1a\nCALLSIGN=W1AW\n; x=y\nITU_ZONE=1\nDUTY_CYCLE=50\n"
        )
        let reading = SettingsReading(written, .r3)
        #expect(reading.settings.callsignText == "W1AW" && reading.settings.number(.ituZone) == 1)
        #expect(!reading.lines.contains { $0.outcome == .held || $0.outcome == .unterminated })
        #expect(file.bytes(for: .kg).starts(with: Array("# fox\n".utf8)))
    }

    @Test func `15 conversion drops comments and what the other has not`() {
        let kg = SettingsFile(
            Array("# Pacificon\nCALLSIGN=N0CALL\nVOICE_ENABLE=1\nATTENUATION=40\n".utf8)
        )
        let (r3, lost) = kg.converted(to: .r3)
        #expect(lost == ["VOICE_ENABLE"])
        #expect(SettingsReading(r3, .r3).settings.number(.attenuation) == 40)
        #expect(SettingsReading(r3, .r3).settings.callsignText == "N0CALL")
        #expect(!r3.contains(UInt8(ascii: "#")))
        let (_, dropped) = SettingsFile(Array(Firmware.r3.factorySettings.utf8)).converted(to: .kg)
        #expect(dropped == ["MORSE_FARNSWORTH_WPM"])
    }

    @Test func `factory files have the sizes and sums of the facts`() {
        for (firmware, size, sum) in [
            (Firmware.r2, 126, 8648), (.r3, 140, 9611), (.jf, 153, 10_514),
        ] {
            let text = firmware.factorySettings
            #expect(text.utf8.count == size)
            #expect(text.utf8.reduce(0) { $0 + Int($1) } == sum)
            #expect(FirmwareSettings(factory: firmware).canonicalText == text)
        }
    }

    @Test func `the family is guessed from the keys`() {
        for firmware in Firmware.allCases where firmware != .kc {
            let file = SettingsFile(Array(firmware.factorySettings.utf8))
            #expect(file.likelyFirmware == firmware)
        }
    }

    @Test func `any bytes are read without a trap, and what is written is read as meant`() {
        var state: UInt64 = 1
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let pieces: [[UInt8]] =
            [
                "CALLSIGN", "=", "\n", "\r\n", " ", "A1A", "FREQ_MHZ", "146.5", ",", "ITU_ZONE",
                "1",
                "\u{FEFF}", "#", "DUTY_CYCLE", "99999999999999999999", "-", "\0", "MORSE_WPM", "é",
            ].map { Array($0.utf8) } + [[0xFF]]
        for _ in 0..<2000 {
            let bytes = (0..<random(40)).flatMap { _ in pieces[random(pieces.count)] }
            for firmware in Firmware.allCases {
                let reading = SettingsReading(bytes, firmware)
                _ = reading.issues
                let written = SettingsFile(bytes).bytes(for: firmware)
                let again = SettingsReading(written, firmware)
                for line in again.lines {
                    #expect(line.outcome != .held && line.outcome != .unterminated)
                }
                #expect(SettingsFile(written).bytes(for: firmware) == written)
            }
        }
    }
}
