import Media

/// Puts agents in the order of the map's tiles, so that neighbours in memory are neighbours on the
/// map, and tells which agents each band of rows owns.
///
/// A stable counting sort in blocks that follow from the number of agents. The order has no bearing
/// on results: agents do not see each other within a step, and their deposits are whole numbers.
struct AgentSort: ~Copyable {
    private let grid: Grid
    private let agentCount: Int
    private let blockCount: Int
    private let binCount: Int
    /// Per block and bin: first how many agents, then where the first one goes.
    private let places: Buffer<UInt32>
    /// Where each agent goes.
    private let targets: Buffer<UInt32>
    /// The band of each row.
    private let bands: [UInt16]
    /// The first agent of each band, and the number of agents at the end.
    private(set) var bandStarts: [Int]

    init(grid: Grid, agentCount: Int) throws(SimulationError) {
        let blockCount = min(64, max(1, agentCount / 65_536))
        let binCount = grid.bandCount * grid.tilesPerBand
        let places = try Buffer<UInt32>(zeroed: blockCount * binCount)
        let targets = try Buffer<UInt32>(zeroed: agentCount)
        self.grid = grid
        self.agentCount = agentCount
        self.blockCount = blockCount
        self.binCount = binCount
        self.places = places
        self.targets = targets
        var bands: [UInt16] = []
        for band in 0..<grid.bandCount {
            bands += Array(repeating: UInt16(band), count: grid.rows(ofBand: band).count)
        }
        self.bands = bands
        bandStarts = Array(repeating: 0, count: grid.bandCount + 1)
    }

    /// The agents of block `index`.
    private static func range(ofBlock index: Int, of blockCount: Int, agentCount: Int) -> Range<Int>
    {
        index * agentCount / blockCount..<(index + 1) * agentCount / blockCount
    }

    /// Finds where each agent of `agents` goes; `move` then takes the arrays there one by one.
    mutating func plan(_ agents: AgentPointers, on executor: any Executor) {
        let (blockCount, agentCount, binCount) = (blockCount, agentCount, binCount)
        let tilesPerBand = grid.tilesPerBand
        nonisolated(unsafe) let (x, y) = unsafe (agents.x, agents.y)
        nonisolated(unsafe) let places = unsafe places.pointer
        nonisolated(unsafe) let targets = unsafe targets.pointer
        let bands = bands
        // Targets hold the bins between the two passes.
        executor.run(parts: blockCount) { block in
            let counts = unsafe places + block * binCount
            unsafe counts.update(repeating: 0, count: binCount)
            for agent in Self.range(ofBlock: block, of: blockCount, agentCount: agentCount) {
                let row = unsafe Int(Self.cell(y[agent]))
                let column = unsafe Int(Self.cell(x[agent]))
                let bin = Int(bands[row]) &* tilesPerBand &+ column &>> Grid.tileShift
                unsafe targets[agent] = UInt32(truncatingIfNeeded: bin)
                unsafe counts[bin] &+= 1
            }
        }
        var next: UInt32 = 0
        for bin in 0..<binCount {
            if bin % tilesPerBand == 0 { bandStarts[bin / tilesPerBand] = Int(next) }
            for block in 0..<blockCount {
                let place = unsafe places + block * binCount + bin
                let count = unsafe place.pointee
                unsafe place.pointee = next
                next += count
            }
        }
        bandStarts[grid.bandCount] = agentCount
        executor.run(parts: blockCount) { block in
            let next = unsafe places + block * binCount
            for agent in Self.range(ofBlock: block, of: blockCount, agentCount: agentCount) {
                let bin = unsafe Int(targets[agent])
                unsafe targets[agent] = next[bin]
                unsafe next[bin] &+= 1
            }
        }
    }

    /// Copies one of the agents' arrays into the planned order.
    func move<Element: BitwiseCopyable>(
        _ source: UnsafeMutablePointer<Element>,
        to target: UnsafeMutablePointer<Element>,
        on executor: any Executor
    ) {
        let (blockCount, agentCount) = (blockCount, agentCount)
        nonisolated(unsafe) let (source, target) = unsafe (source, target)
        nonisolated(unsafe) let targets = unsafe targets.pointer
        executor.run(parts: blockCount) { block in
            for agent in Self.range(ofBlock: block, of: blockCount, agentCount: agentCount) {
                unsafe target[Int(targets[agent])] = source[agent]
            }
        }
    }

    /// The cell that a coordinate lies in.
    @inline(__always)
    private static func cell(_ coordinate: Float) -> UInt32 {
        (coordinate + 12_582_912).bitPattern & 0x7FFF
    }
}
