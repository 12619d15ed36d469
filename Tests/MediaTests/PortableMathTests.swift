import Foundation
import Media
import TestSupport
import Testing

@Suite struct PortableMathTests {
    @Test func `sines and cosines are right to 1e-13 all around`() {
        for step in 0..<4096 {
            let turns = Double(step) / 4096
            let phase = UInt64(step) << 52
            #expect(isClose(PortableMath.sine(phase: phase), sin(2 * .pi * turns), within: 1e-13))
            #expect(isClose(PortableMath.cosine(phase: phase), cos(2 * .pi * turns), within: 1e-13))
        }
        #expect(PortableMath.sine(phase: 0) == 0 && PortableMath.sine(phase: 1 << 63) == 0)
    }

    @Test func `powers and logarithms are right to their last bits`() {
        for index in -2000...2000 {
            let x = Double(index) * 0.317
            #expect(abs(PortableMath.exp2(x) / exp2(x) - 1) < 1e-15)
            let y = exp2(x)
            #expect(isClose(PortableMath.log2(y), x, within: max(1e-15, abs(x) * 4e-16)))
        }
        for x in stride(from: -20.0, through: 20, by: 0.37) {
            #expect(abs(PortableMath.exp(x) / exp(x) - 1) < 1e-14)
        }
        #expect(PortableMath.log2(1) == 0 && PortableMath.exp2(0) == 1)
        #expect(PortableMath.exp2(-2000) == 0)
    }

    @Test func `a phase step is a frequency in parts of a turn`() {
        #expect(PortableMath.phaseStep(frequency: 12_000, sampleRate: 48_000) == 1 << 62)
        #expect(PortableMath.phaseStep(frequency: 24_000, sampleRate: 48_000) == 1 << 63)
    }

    @Test("turns are phases, also below 0 and a hair from a whole one")
    func turns() {
        #expect(PortableMath.phase(turns: 0.25) == 1 << 62)
        #expect(PortableMath.phase(turns: -0.25) == 3 << 62)
        #expect(PortableMath.phase(turns: 7.5) == 1 << 63)
        #expect(PortableMath.phase(turns: -1e-20) == 0)
        #expect(PortableMath.phase(turns: -3) == 0)
        #expect(PortableMath.phase(turns: 1e300) == 0)
    }
}
