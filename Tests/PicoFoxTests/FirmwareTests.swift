import PicoFox
import Testing

@Suite struct FirmwareTests {
    @Test func `names are read in either case, and r3s counts as r3`() {
        #expect(Firmware(name: "R2") == .r2)
        #expect(Firmware(name: "r3s") == .r3)
        #expect(Firmware(name: "KG") == .kg)
        #expect(Firmware(name: "r4") == nil)
    }

    @Test func `a ceiling is the deviation's part of full scale, rounded down`() {
        for firmware in Firmware.allCases {
            for deviation in Deviation.allCases {
                let exact = 32_767 * deviation.hertz / firmware.fullScaleDeviation
                #expect(firmware.ceiling(deviation) == Int(exact))
            }
        }
    }
}
