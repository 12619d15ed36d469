import Testing

@testable import Lumen

@Suite struct CaptureClockTests {
    private let start: UInt64 = 1_700_000_000_000_000_000
    private let frame: UInt64 = 16_666_667

    @Test func `stamps stay exact, irregular ones and gaps of seconds too`() {
        var clock = CaptureClock()
        let stamps: [UInt64] = [0, 16_666_667, 16_666_668 + 1_000_000, 50_000_001, 5_050_000_001]
        let times = stamps.map { clock.time(of: start + $0, .video, received: nil) }
        #expect(times == stamps.map { Int64(start + $0) })
        #expect(clock.stepCount == 0)
    }

    @Test func `a clock that is set back goes on evenly, for both streams`() throws {
        var clock = CaptureClock()
        for number in 0..<10 {
            _ = clock.time(of: start + UInt64(number) * frame, .video, received: nil)
            _ = clock.time(of: start + UInt64(number) * frame, .audio, received: nil)
        }
        let back = start - 3_000_000_000
        let picture = clock.time(of: back + 10 * frame, .video, received: nil)
        #expect(picture == Int64(start + 10 * frame))
        // What was stamped before the step comes behind it.
        let late = clock.time(of: start + 10 * frame, .audio, received: nil)
        #expect(late == Int64(start + 10 * frame))
        let packet = clock.time(of: back + 11 * frame, .audio, received: nil)
        #expect(packet == Int64(start + 11 * frame))
        #expect(clock.stepCount == 1 && clock.steps[0].amount == -3_000_000_000)
    }

    @Test func `a leap that arrival does not bear out is a step, a gap is none`() {
        var clock = CaptureClock()
        _ = clock.time(of: start, .video, received: 100)
        let gap = clock.time(of: start + 7_000_000_000, .video, received: 7_000_000_100)
        #expect(gap == Int64(start + 7_000_000_000) && clock.stepCount == 0)
        let leap = clock.time(of: start + 3_600_000_000_000, .video, received: 7_016_666_767)
        #expect(leap == gap + 16_666_667 && clock.stepCount == 1)
    }

    @Test func `a step that the capture tells of is taken off`() {
        var clock = CaptureClock()
        _ = clock.time(of: start, .video, received: nil)
        clock.step(by: 90_000_000_000)
        let next = clock.time(of: start + 90_000_000_000 + frame, .video, received: nil)
        #expect(next == Int64(start + frame) && clock.stepCount == 1)
    }

    @Test func `equal stamps become a millisecond apart, and no stamp traps`() {
        var clock = CaptureClock()
        let first = clock.time(of: start, .video, received: nil)
        #expect(clock.time(of: start, .video, received: nil) == first + 1_000_000)
        for stamp in [0, .max, 1, UInt64(Int64.max), .max, 0] {
            for received in [nil, 0, .max, 5] as [UInt64?] {
                _ = clock.time(of: stamp, .video, received: received)
                _ = clock.time(of: stamp, .audio, received: received)
                clock.step(by: .min)
                clock.step(by: Int64.max / 16)
            }
        }
    }
}
