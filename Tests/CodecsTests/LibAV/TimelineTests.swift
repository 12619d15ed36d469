import Testing

@testable import Codecs

@Suite struct `AudioTimeline placing blocks` {
    private typealias Placement = AudioTimeline.Placement

    @Test func `blocks that follow each other are used whole`() {
        var timeline = AudioTimeline(end: nil, tolerance: 2)
        #expect(timeline.place(at: 0, count: 100) == Placement(silence: 0, used: 0..<100))
        #expect(timeline.place(at: 100, count: 100) == Placement(silence: 0, used: 0..<100))
        #expect(timeline.place(at: nil, count: 100) == Placement(silence: 0, used: 0..<100))
        #expect(timeline.next == 300)
    }

    @Test func `rounding is passed over, and adds up to nothing`() {
        var timeline = AudioTimeline(end: nil, tolerance: 50)
        for index in 0..<1000 {
            let jitter = Int64(index % 3 - 1) * 40
            #expect(
                timeline.place(at: Int64(index) * 960 + (index == 0 ? 0 : jitter), count: 960)
                    .silence == 0
            )
        }
        #expect(timeline.next == 960_000)
    }

    @Test func `gaps become silence, overlaps are trimmed`() {
        var timeline = AudioTimeline(end: nil, tolerance: 2)
        #expect(timeline.place(at: 10, count: 100) == Placement(silence: 10, used: 0..<100))
        #expect(timeline.place(at: 200, count: 100) == Placement(silence: 90, used: 0..<100))
        #expect(timeline.place(at: 250, count: 100) == Placement(silence: 0, used: 50..<100))
        #expect(timeline.place(at: 100, count: 50) == Placement(silence: 0, used: 50..<50))
    }

    @Test func `what lies before the start or after the end is cut`() {
        var timeline = AudioTimeline(end: 150, tolerance: 2)
        #expect(timeline.place(at: -120, count: 100) == Placement(silence: 0, used: 100..<100))
        #expect(timeline.place(at: -21, count: 100) == Placement(silence: 0, used: 20..<100))
        #expect(timeline.next == 80)
        #expect(!timeline.isFull)
        #expect(timeline.place(at: 80, count: 100) == Placement(silence: 0, used: 0..<70))
        #expect(timeline.isFull)
        #expect(timeline.place(at: 500, count: 100) == Placement(silence: 0, used: 0..<0))
    }

    @Test func `an absurd gap is not believed`() {
        var timeline = AudioTimeline(end: nil, tolerance: 2, longestGap: 1000)
        #expect(timeline.place(at: .max, count: 10) == Placement(silence: 0, used: 0..<10))
        #expect(timeline.place(at: 2000, count: 10) == Placement(silence: 0, used: 0..<10))
        #expect(timeline.place(at: 900, count: 10) == Placement(silence: 880, used: 0..<10))
        // A start far into a file is far behind, not ahead.
        var late = AudioTimeline(end: nil, tolerance: 2, longestGap: 1000)
        #expect(late.place(at: -100_000, count: 10) == Placement(silence: 0, used: 10..<10))
    }

    @Test func `a gap that reaches beyond the end is silence up to it`() {
        var timeline = AudioTimeline(end: 50, tolerance: 2)
        #expect(timeline.place(at: 1000, count: 10) == Placement(silence: 50, used: 0..<0))
        #expect(timeline.isFull)
    }
}

@Suite struct `ClockRepair watching clocks` {
    @Test func `a steady clock is left alone`() {
        var clock = ClockRepair(plausibleEnd: 10)
        for index in 0..<100 {
            #expect(clock.note(stream: 0, time: Double(index) * 0.1, duration: 0.1) == nil)
        }
        #expect(clock.shift == 0)
    }

    @Test func `a clock that starts again goes on`() {
        var clock = ClockRepair(plausibleEnd: nil)
        _ = clock.note(stream: 0, time: 5, duration: 0.1)
        _ = clock.note(stream: 1, time: 5, duration: 0.1)
        #expect(abs((clock.note(stream: 0, time: 0, duration: 0.1) ?? 0) + 5.1) < 1e-9)
        #expect(abs(clock.shift - 5.1) < 1e-9)
        // The other stream follows the same clock, and is not told of twice.
        #expect(clock.note(stream: 1, time: 0, duration: 0.1) == nil)
    }

    @Test func `a jump ahead is believed where the file is that long`() {
        var long = ClockRepair(plausibleEnd: 100)
        _ = long.note(stream: 0, time: 0, duration: 0.1)
        #expect(long.note(stream: 0, time: 50, duration: 0.1) == nil)
        var short = ClockRepair(plausibleEnd: 20)
        _ = short.note(stream: 0, time: 0, duration: 0.1)
        #expect(short.note(stream: 0, time: 50, duration: 0.1) != nil)
        #expect(short.note(stream: 0, time: 50.1, duration: 0.1) == nil)
    }
}
