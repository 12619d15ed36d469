import Media
import Physarum
import Testing

@Suite struct FilmClockTests {
    @Test("shows whole steps when the film has as many frames as steps")
    func equalRates() {
        let clock = FilmClock(frameRate: Rate(60))
        for frame: Int64 in [0, 1, 59, 1_000_003] {
            #expect(clock.moment(ofFrame: frame).step == frame)
            #expect(clock.moment(ofFrame: frame).blend == 0)
            #expect(clock.moment(ofFrame: frame).lastStep == frame)
        }
    }

    @Test(
        "shows the same step at the same second, at any frame rate, after an hour too",
        arguments: [Rate(24), Rate(25), Rate(30), Rate(60), Rate(30000, 1001), Rate(7, 3)]
    )
    func coincidence(rate: Rate) {
        let clock = FilmClock(frameRate: rate)
        // Frames of which a whole number takes a whole number of seconds.
        for second: Int64 in stride(
            from: 0,
            through: 3600,
            by: Int(rate.denominator) * 60
        ).map({ Int64($0) })
        where second * Int64(rate.numerator) % Int64(rate.denominator) == 0 {
            let frame = second * Int64(rate.numerator) / Int64(rate.denominator)
            let moment = clock.moment(ofFrame: frame)
            #expect(moment.step == second * 60)
            #expect(moment.blend == 0)
        }
    }

    @Test("mixes two steps by where the frame lies between them")
    func blend() {
        let clock = FilmClock(frameRate: Rate(24))
        // Frame 1 is at 2.5 steps.
        let moment = clock.moment(ofFrame: 1)
        #expect(moment.step == 2)
        #expect(moment.blend == 0.5)
        #expect(moment.lastStep == 3)
    }

    @Test("never goes back")
    func order() {
        let clock = FilmClock(frameRate: Rate(30000, 1001), stepsPerSecond: Rate(61))
        var last = clock.moment(ofFrame: 0)
        for frame: Int64 in 1..<5000 {
            let moment = clock.moment(ofFrame: frame)
            #expect(moment.step >= last.step && moment.lastStep >= last.lastStep)
            #expect((0..<1).contains(moment.blend))
            last = moment
        }
    }

    @Test("counts the frames that start before the end")
    func frameCount() {
        let clock = FilmClock(frameRate: Rate(30))
        #expect(clock.frameCount(length: MediaTime(1, 1)) == 30)
        #expect(clock.frameCount(length: MediaTime(48_001, 48_000)) == 31)
    }
}
