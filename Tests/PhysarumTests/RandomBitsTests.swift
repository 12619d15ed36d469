import Testing

@testable import Physarum

@Suite struct RandomBitsTests {
    @Test("draws every bit evenly, and apart from other agents, steps and bits")
    func independence() {
        let (agents, steps) = (512, 64)
        let parameters = Parameters()
        let grid = Grid(width: 64, height: 64)
        var draws: [[UInt32]] = []
        for step in 0..<steps {
            let key = StepConstants(parameters, grid: grid, seed: 5, step: Int64(step)).key
            draws.append(
                (0..<agents).map { agent in
                    let identity = UInt32(truncatingIfNeeded: RandomBits.mixed(UInt64(agent)))
                    return ReferenceSimulation.drawn(identity ^ key)
                }
            )
        }
        /// How far from independent two streams of bits are, in standard deviations.
        func deviation(_ first: (Int, Int) -> UInt32, _ second: (Int, Int) -> UInt32) -> Double {
            var (equal, count) = (0, 0)
            for step in 0..<steps - 1 {
                for agent in 0..<agents - 1 {
                    if first(step, agent) & 1 == second(step, agent) & 1 { equal += 1 }
                    count += 1
                }
            }
            return abs(Double(equal) - Double(count) / 2) / (Double(count).squareRoot() / 2)
        }
        for bit in [31, 22, 21, 20, 10, 0] {
            let here = { (step: Int, agent: Int) in draws[step][agent] >> UInt32(bit) }
            #expect(deviation(here) { _, _ in 1 } < 4.5)
            #expect(deviation(here) { draws[$0 + 1][$1] >> UInt32(bit) } < 4.5)
            #expect(deviation(here) { draws[$0][$1 + 1] >> UInt32(bit) } < 4.5)
            if bit != 31 { #expect(deviation(here) { draws[$0][$1] >> 31 } < 4.5) }
        }
    }
}
