import Media

/// The built-in track: 28 seconds of drums, bass, strings, a pluck and a melody, synthesised.
///
/// It is the same on every machine: nothing in it comes from libm, and no operation depends on how
/// many samples are asked for at once. Memory: the delays, about 0.5 MB. Time: some 1/100 of its length.
struct DemoTrack {
    /// Stereo at 48 kHz.
    static let format = AudioFormat(sampleRate: 48_000, channels: 2)
    /// Samples of each channel.
    static let frameCount = DemoScore.bars * DemoScore.ticksPerBar * StereoTick.length
    /// Ticks in a block that `next` gives.
    private static let ticksPerBlock = 4
    /// Samples in a block.
    static let blockLength = ticksPerBlock * StereoTick.length

    /// Blocks a second.
    static let blockRate = Rate(Int32(format.sampleRate), Int32(blockLength))
    /// A block's memory.
    static let blockBytes = blockLength * format.channels * MemoryLayout<Float>.size

    private let score = DemoScore()
    private var tick = 0

    private var kicks = Ensemble<KickVoice>()
    private var snares = Ensemble<SnareVoice>()
    private var cymbals = Ensemble<CymbalVoice>()
    private var risers = Ensemble<RiserVoice>()
    private var basses = Ensemble<BassVoice>()
    private var pads = Ensemble<PadVoice>()
    private var plucks = Ensemble<PluckVoice>()
    private var leads = Ensemble<LeadVoice>()
    private var mixer = DemoMixer()

    /// Where the next block begins, in samples.
    var position: Int { tick * StereoTick.length }

    /// Makes the next block; nil at the end.
    mutating func next() -> AudioBlock? {
        if tick >= score.events.count { return nil }
        var samples = Writable<Float>(uninitialized: Self.blockLength * 2)
        for part in 0..<Self.ticksPerBlock {
            renderTick()
            let first = part * StereoTick.length
            samples.withMutableSpan { target in
                for index in 0..<StereoTick.length {
                    target[first + index] = Float(mixer.mix.left[index])
                    target[Self.blockLength + first + index] = Float(mixer.mix.right[index])
                }
            }
        }
        return AudioBlock(format: Self.format, samples: samples)
    }

    private mutating func renderTick() {
        for event in score.events[tick] { begin(event) }
        kicks.render(into: &mixer.kick)
        snares.render(into: &mixer.snare)
        cymbals.render(into: &mixer.cymbals)
        risers.render(into: &mixer.riser)
        basses.render(into: &mixer.bass)
        pads.render(into: &mixer.pad)
        plucks.render(into: &mixer.pluck)
        leads.render(into: &mixer.lead)
        mixer.mixDown(tick: tick)
        tick += 1
    }

    private mutating func begin(_ event: DemoEvent) {
        let seed = UInt64(tick) &* 8 &+ 3
        switch event {
        case .kick(let velocity):
            kicks.add(KickVoice(velocity: velocity))
            mixer.duck(velocity)
        case .snare(let velocity): snares.add(SnareVoice(velocity: velocity, seed: seed))
        case .hat(let isOpen, let velocity, let pan):
            cymbals.add(
                CymbalVoice(
                    velocity: velocity,
                    seconds: isOpen ? 0.09 : 0.028,
                    cutoff: 7200,
                    pan: pan,
                    width: 0.2,
                    seed: seed
                )
            )
        case .crash(let velocity):
            cymbals.add(
                CymbalVoice(
                    velocity: velocity,
                    seconds: 0.7,
                    cutoff: 5200,
                    pan: 0,
                    width: 0.8,
                    seed: seed
                )
            )
        case .riser(let ticks): risers.add(RiserVoice(ticks: ticks))
        case .bass(let note, let ticks, let velocity):
            basses.add(BassVoice(note: note, ticks: ticks, velocity: velocity))
        case .pad(let note, let ticks, let velocity):
            pads.add(PadVoice(note: note, ticks: ticks, velocity: velocity))
        case .pluck(let note, let velocity, let pan):
            plucks.add(PluckVoice(note: note, velocity: velocity, pan: pan))
        case .lead(let note, let ticks, let velocity):
            leads.add(LeadVoice(note: note, ticks: ticks, velocity: velocity))
        }
    }
}

/// The samples of the built-in track between two times.
struct DemoStretch {
    /// By their positions in the track.
    let kept: Range<Int64>
    private var track = DemoTrack()

    /// Takes what lies between `start` and `end`, or to the track's end.
    init(from start: MediaTime, to end: MediaTime?) {
        let length = Int64(DemoTrack.frameCount)
        let first = min(DemoTrack.format.index(of: start), length)
        let last = end.map { min(DemoTrack.format.index(of: $0), length) } ?? length
        kept = first..<max(first, last)
    }

    /// How long it is.
    var duration: MediaTime { DemoTrack.format.time(of: Int64(kept.count)) }

    /// The next block and its time, where the stretch begins at 0; nil at its end.
    mutating func next() -> (block: AudioBlock, time: MediaTime)? {
        while Int64(track.position) < kept.upperBound {
            let position = Int64(track.position)
            guard let block = track.next() else { return nil }
            let wanted = kept.clamped(to: position..<position + Int64(block.frameCount))
            if wanted.isEmpty { continue }
            let part = block.part(
                Int(wanted.lowerBound - position)..<Int(wanted.upperBound - position)
            )
            return (part, block.format.time(of: wanted.lowerBound - kept.lowerBound))
        }
        return nil
    }
}
