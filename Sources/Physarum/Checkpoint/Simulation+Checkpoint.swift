public import Media

extension Simulation {
    /// Writes all that the simulation goes on from; takes no memory of its own.
    ///
    /// - Parameters:
    ///   - clock: the film's rates.
    ///   - step: the step of the film that comes next.
    ///   - frame: the frame that comes next.
    ///   - file: where it is written; the caller gives it its name.
    /// - Throws: `FileError`, as when the disk is full.
    public func save(
        clock: FilmClock,
        step: Int64,
        frame: Int64,
        to file: OutputFile
    ) throws(FileError) {
        let checkpoint = Checkpoint(
            width: width,
            height: height,
            edges: grid.edges,
            seed: seed,
            agentCounts: colonies.map(\.agentCount),
            stepCount: stepCount,
            clock: clock,
            step: step,
            frame: frame
        )
        var hash = CheckpointHash()
        func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
            unsafe hash.add(bytes)
            try file.write(unsafe Span(_unsafeBytes: bytes))
        }
        func write<T>(_ elements: UnsafeMutablePointer<T>, _ count: Int) throws(FileError) {
            try unsafe write(
                UnsafeRawBufferPointer(start: elements, count: count * MemoryLayout<T>.stride)
            )
        }
        func writeRows(_ map: UnsafeMutablePointer<Float>) throws(FileError) {
            for row in 0..<height {
                try unsafe write(map + grid.origin + row * grid.stride, width)
            }
        }
        let header = Writable(copying: checkpoint.bytes).frozen()
        try unsafe header.withUnsafePointer { (bytes) throws(FileError) in
            try unsafe write(UnsafeRawBufferPointer(start: bytes, count: header.count))
        }
        for colony in colonies {
            let (agents, count) = (colony.agents.pointers, colony.agentCount)
            try unsafe write(agents.x, count)
            try unsafe write(agents.y, count)
            try unsafe write(agents.headingX, count)
            try unsafe write(agents.headingY, count)
            try unsafe write(agents.identity, count)
            try unsafe writeRows(colony.earlierTrail.pointer)
            try unsafe writeRows(colony.trail.pointer)
        }
        var word = hash.value.littleEndian
        try unsafe withUnsafeBytes(of: &word) { (bytes) throws(FileError) in
            try file.write(unsafe Span(_unsafeBytes: bytes))
        }
    }

    /// Makes the simulation that a checkpoint holds.
    ///
    /// - Parameters:
    ///   - path: the file; what it holds may be anything.
    ///   - spawn: where agents are born from now on; as before, if the film shall go on as it would have.
    ///   - picture: if given, agents are born by its light instead.
    ///   - vectorWidth: must be among the available ones.
    /// - Returns: the simulation; what parameters it had is not part of it.
    /// - Throws: `CheckpointError` when the file cannot be read or is damaged; `SimulationError` when
    ///   memory is short.
    public static func resuming(
        _ path: String,
        spawn: Spawn = .uniform,
        picture: SpawnPicture? = nil,
        vectorWidth: VectorWidth = .widest
    ) throws -> Simulation {
        let reader = try CheckpointReader(path: path)
        let checkpoint = reader.checkpoint
        var simulation = try Simulation(
            width: checkpoint.width,
            height: checkpoint.height,
            agentCounts: checkpoint.agentCounts,
            seed: checkpoint.seed,
            law: SpawnLaw(spawn, picture: picture),
            edges: checkpoint.edges,
            vectorWidth: vectorWidth
        )
        for colony in simulation.colonies { try colony.read(reader) }
        try reader.finish()
        simulation.stepCount = checkpoint.stepCount
        return simulation
    }
}

extension Colony {
    /// Reads agents and trails.
    fileprivate func read(_ reader: CheckpointReader) throws(CheckpointError) {
        let (agents, grid) = (agents.pointers, grid)
        func read<T>(_ elements: UnsafeMutablePointer<T>, _ count: Int) throws(CheckpointError) {
            try unsafe reader.read(
                into: UnsafeMutableRawBufferPointer(
                    start: elements,
                    count: count * MemoryLayout<T>.stride
                )
            )
        }
        // A place off the map would be read and written beyond its memory.
        func readPlaces(_ places: UnsafeMutablePointer<Float>, _ size: Int) throws(CheckpointError)
        {
            try unsafe read(places, agentCount)
            let range = -0.5..<Float(size) - 0.5
            for agent in 0..<agentCount where unsafe !range.contains(places[agent]) {
                throw reader.damaged("an agent is beyond the map")
            }
        }
        try unsafe readPlaces(agents.x, grid.width)
        try unsafe readPlaces(agents.y, grid.height)
        try unsafe read(agents.headingX, agentCount)
        try unsafe read(agents.headingY, agentCount)
        for agent in 0..<agentCount {
            let (x, y) = unsafe (agents.headingX[agent], agents.headingY[agent])
            if !(0.9...1.1).contains(x * x + y * y) {
                throw reader.damaged("a heading is no unit vector")
            }
        }
        try unsafe read(agents.identity, agentCount)
        func readRows(_ map: UnsafeMutablePointer<Float>) throws(CheckpointError) {
            for row in 0..<grid.height {
                let cells = unsafe map + grid.origin + row * grid.stride
                try unsafe read(cells, grid.width)
                for column in 0..<grid.width {
                    let isTrail = unsafe cells[column] >= 0 && cells[column].isFinite
                    if !isTrail { throw reader.damaged("a trail is no number from 0 on") }
                }
            }
        }
        try unsafe readRows(earlierTrail.pointer)
        try unsafe readRows(trail.pointer)
        forgetOrder()
    }
}
