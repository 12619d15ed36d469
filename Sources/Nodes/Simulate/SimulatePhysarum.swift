import Graph
import Media
import Physarum

/// Grows a slime mould on a map and shows its trail once for every frame of a film.
///
/// Time drives it, not frames: a step happens `stepsPerSecond` times a second of the film and reads
/// the parameters of its own time, the latest at or before it. The field at time t is the trail after
/// step ⌊t · stepsPerSecond⌋, blended with the trail after the next one by how far t lies between
/// them. So films of any frame rate show the same mould at the same second. Frame n exists when
/// n / fps is below the end of the last parameters. Lengths among the parameters are for a map 1080
/// cells high and scale with its height; without `agents` the preset's density says how many there
/// are, so that a preset looks the same on any map. A preset may have up to four species; their number
/// is that of the first parameters.
///
/// A film can be made in parts: `checkpoint` keeps the state at `until`, and `resume` goes on from it
/// with the parameters of the whole film. Frames keep their times. Without `until` the state is that
/// at the end of the parameters, and frames that lie between the last step before that end and the
/// next one are made again. The parts' frames are those of a film that was made at once, to the byte.
///
/// Latency: one reading of the parameters. Memory: 28 bytes an agent and 12 a cell, of several species
/// 12 for each and 4 more, however long the film. Deterministic: the same seed, size and parameters give the same fields with any number of
/// threads.
struct SimulatePhysarum: Node, ~Copyable {
    static let kind = "simulate.physarum"
    static let execution = Execution.serial
    let picture: Input<VideoFrame>?
    let input: Input<ParameterSet>
    let fields: Output<TrailField>
    let size: PixelSize
    let agents: Int?
    let seed: UInt64
    let warmup: Int
    let edges: MapEdges
    let spawn: Spawn?
    let resume: InputFile?
    let checkpoint: OutputPath?
    let until: MediaTime?
    let clock: FilmClock

    private var simulation: Simulation?
    private var birthplace: SpawnPicture?
    /// Where the checkpoint is written; nil again when it is.
    private var checkpointFile: OutputFile?
    private var warmupSteps: Int
    /// Whether anybody reads the fields, so that they must be made.
    private var isRead = true
    /// Step and frame that come next.
    private var step: Int64 = 0
    private var frame: Int64 = 0
    private var moment: FilmClock.Moment
    /// The parameters of the times of the frames that come next, as far as readings have come: at a
    /// high frame rate some frames wait for one step.
    private var looks: [ParameterSet] = []
    /// The latest reading before `upcoming`, and where it ends.
    private var current: ParameterSet?
    private var end = MediaTime.zero
    /// A reading that was taken, while what lies before it is still being made.
    private var upcoming: Packet<ParameterSet>?

    init(_ c: inout Contract) {
        // Declared first, so that of equal times it comes before the parameters.
        picture = c.optionalInput(
            "picture",
            .inOrder,
            changes: .accepts,
            "A picture whose light says where agents are born, in the map's middle and as large as "
                + "fits; the first one counts."
        )
        input = c.input(
            "parameters",
            .inOrder,
            changes: .accepts,
            "Parameters from time 0 on; the end of the last is the film's length."
        )
        fields = c.output("field", "The trail at the time of each frame, with the parameters then.")
        size = c.size(
            "size",
            default: PixelSize(width: 1920, height: 1080),
            in: Simulation.sideRange,
            .cells,
            "Width and height of the map."
        )
        edges = c.choice(
            "edges",
            default: MapEdges.torus,
            "Whether the map's edges meet or are walls, which agents turn away from."
        )
        spawn = c.optionalChoice(
            "spawn",
            "Where agents are born, at the start and later; without it the preset says."
        )
        let fps = c.rate(
            "fps",
            default: Rate(60),
            in: Rate(1, 1000)...Rate(1000),
            .perSecond,
            "Frames a second; 30000/1001 is exact."
        )
        seed = UInt64(
            c.integer(
                "seed",
                default: 1,
                in: 0...9_007_199_254_740_991,
                .none,
                "The same seed grows the same mould."
            )
        )
        let steps = c.rate(
            "stepsPerSecond",
            default: Rate(60),
            in: Rate(1)...Rate(1000),
            .perSecond,
            "How fast it lives: steps for each second of the film, whatever the frame rate."
        )
        agents = c.optionalInteger(
            "agents",
            in: Simulation.agentRange,
            .none,
            "How many agents there are; without it the density of the first parameters says."
        )
        warmup = c.integer(
            "warmup",
            default: 300,
            in: 0...1_000_000,
            .steps,
            "Steps before the first frame, with the first parameters."
        )
        resume = c.optionalInputFile(
            "resume",
            "A checkpoint to go on from: the frames before it are left out. All else must be as it was."
        )
        checkpoint = c.optionalOutputPath(
            "checkpoint",
            example: "film.checkpoint",
            "Where the state at the end is kept, for a film that goes on."
        )
        let until = c.optionalTime("until", "Frames from this time on are left out.")
        self.until = until?.resolved(sampleRate: 1)
        if case .samples = until {
            c.require(false, "until", "must be in seconds: frames have no samples")
        } else if let until = self.until {
            c.require(until > .zero, "until", "must be above 0")
        }
        warmupSteps = warmup
        clock = FilmClock(frameRate: fps, stepsPerSecond: steps)
        moment = clock.moment(ofFrame: 0)
    }

    func resolve(_ f: inout Formats) throws {
        if let picture, let source = f[picture] {
            f.request(picture, Birthplace.format(of: source))
        }
        if let resume { try check(Checkpoint(path: resume.path), f) }
        let duration = f.duration(of: input).map { length in
            clock.time(ofFrame: clock.frameCount(length: min(length, until ?? length)))
        }
        let speciesCount = f[input]?.speciesCount ?? 1
        f.set(
            fields,
            TrailFormat(width: size.width, height: size.height, speciesCount: speciesCount),
            rate: clock.frameRate,
            duration: duration,
            bytesPerPacket: speciesCount * size.width * size.height * MemoryLayout<Float>.size
        )
    }

    mutating func start(_ f: borrowing Formats) { isRead = f.isConnected(fields) }

    /// Whether all frames before a time are made.
    private func isMade(until end: MediaTime) -> Bool { frame >= clock.frameCount(length: end) }

    /// Takes readings until one lets a step or a frame be made, and makes one.
    mutating func run(_ io: inout IO) throws {
        while true {
            if let picture, let packet = io.take(picture) {
                birthplace = try Birthplace.read(packet.payload, size)
                io.enough(picture)
            }
            if let until, isMade(until: until) { return io.enough(input) }
            if let upcoming, let current {
                if advance(current, before: upcoming.time, &io) { return io.more() }
                self.current = upcoming.payload
                end = upcoming.time.adding(upcoming.duration)
            }
            upcoming = io.take(input)
            guard let upcoming else { return }
            // Nothing lies before the first reading, so it holds for all that would.
            if current == nil { current = upcoming.payload }
            if simulation == nil { try begin(upcoming.payload, io) }
        }
    }

    /// Makes one step or one frame of what the last reading holds for; then keeps the state.
    ///
    /// A step at or after the end reads parameters that may be others in a longer film, so the state
    /// is kept before it, and frames that need it are made again by who resumes.
    mutating func finish(_ io: inout IO) throws {
        guard let current else { return }
        let isOver = isMade(until: min(end, until ?? end))
        let isLastStepMade =
            warmupSteps == 0 && moment.lastStep >= step && clock.time(ofStep: step) >= end
        if isOver || isLastStepMade, let file = checkpointFile {
            try simulation?.save(clock: clock, step: step, frame: frame, to: file)
            checkpointFile = nil
        }
        if !isOver, advance(current, before: nil, &io) { io.more() }
    }

    private mutating func begin(_ reading: ParameterSet, _ io: borrowing IO) throws {
        if picture != nil, birthplace == nil {
            throw Problem(
                .format,
                "the picture that says where agents are born comes later than the first parameters",
                hint: "give a still, or a film that begins at time 0"
            )
        }
        checkpointFile = try checkpoint.map { try io.environment.outputs.open($0.path) }
        let spawn = spawn ?? reading.spawn
        if let resume {
            let checkpoint = try Checkpoint(path: resume.path)
            simulation = try Simulation.resuming(resume.path, spawn: spawn, picture: birthplace)
            warmupSteps = 0
            step = checkpoint.step
            frame = checkpoint.frame
            moment = clock.moment(ofFrame: frame)
            return
        }
        let count =
            agents
            ?? Simulation.agentCount(
                width: size.width,
                height: size.height,
                parameters: reading.parameters
            )
        simulation = try Simulation(
            width: size.width,
            height: size.height,
            agentCount: count,
            shares: Species.adapted(reading.species, to: reading.format.speciesCount).map(\.share),
            seed: seed,
            spawn: spawn,
            picture: birthplace,
            edges: edges,
            on: io.environment.executor
        )
    }

    /// Makes the next step or frame, if `reading` is the one that holds at its time.
    ///
    /// One at a time, so that an activation is short and no edge gets more than it has room for.
    ///
    /// - Parameters:
    ///   - reading: the latest that came.
    ///   - limit: what is at this time or later must wait for the next reading; nil: nothing must.
    ///   - io: where frames go.
    /// - Returns: whether anything was made.
    private mutating func advance(
        _ reading: ParameterSet,
        before limit: MediaTime?,
        _ io: inout IO
    ) -> Bool {
        if warmupSteps > 0 {
            warmupSteps -= 1
            makeStep(reading, io)
            return true
        }
        while limit.map({ clock.time(ofFrame: frame + Int64(looks.count)) < $0 }) ?? looks.isEmpty {
            looks.append(reading)
        }
        if let look = looks.first, moment.lastStep < step {
            looks.removeFirst()
            emit(look, &io)
            return true
        }
        guard limit.map({ clock.time(ofStep: step) < $0 }) ?? true else { return false }
        makeStep(reading, io)
        step += 1
        return true
    }

    private mutating func makeStep(_ reading: ParameterSet, _ io: borrowing IO) {
        simulation?.step(
            reading.parameters,
            species: reading.species,
            on: io.environment.executor
        )
    }

    private mutating func emit(_ look: ParameterSet, _ io: inout IO) {
        let time = clock.time(ofFrame: frame)
        frame += 1
        defer { moment = clock.moment(ofFrame: frame) }
        if !isRead { return }
        // The last step made is the frame's own, or the one that is mixed in.
        let field = simulation?.field(
            blend: moment.blend > 0 ? moment.blend : 1,
            parameters: look,
            on: io.environment.executor
        )
        guard let field else { return }
        io.emit(field, at: time, duration: clock.frameRate.interval, flags: .key, on: fields)
    }

    /// That a checkpoint is of this film.
    private func check(_ checkpoint: Checkpoint, _ f: borrowing Formats) throws {
        func require<T: Equatable>(_ name: String, _ own: T, _ kept: T) throws {
            if own == kept { return }
            throw Problem(
                .range,
                "\"resume\" is of a film whose \(name) is \(kept), not \(own)",
                pointer: "/resume",
                hint: "a film goes on with what it began with"
            )
        }
        try require(
            "size",
            size,
            PixelSize(width: checkpoint.width, height: checkpoint.height)
        )
        try require("seed", seed, checkpoint.seed)
        try require("edges", edges.rawValue, checkpoint.edges.rawValue)
        try require("fps", clock.frameRate, checkpoint.clock.frameRate)
        if let until, checkpoint.frame >= clock.frameCount(length: until) {
            throw Problem(
                .range,
                "no frame lies between \"resume\", at \(clock.time(ofFrame: checkpoint.frame)), and "
                    + "\"until\", at \(until)",
                pointer: "/until",
                hint: "give a later time"
            )
        }
        try require("stepsPerSecond", clock.stepsPerSecond, checkpoint.clock.stepsPerSecond)
        let counts = checkpoint.agentCounts
        if let agents { try require("agents", agents, counts.reduce(0, +)) }
        if let format = f[input] {
            try require("number of species", format.speciesCount, counts.count)
        }
    }
}
