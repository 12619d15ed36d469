import Codecs
import Media

/// A generator of random numbers that gives the same ones for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Noise of one channel, in ±`amplitude`.
func noise(_ count: Int, seed: UInt64, amplitude: Float = 0.5) -> [Float] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Float.random(in: -amplitude...amplitude, using: &random) }
}

/// A sine of one channel.
func sine(_ count: Int, hertz: Double, rate: Int, amplitude: Float = 0.5) -> [Float] {
    (0..<count).map { index in
        amplitude * Float(sinOf(2 * .pi * hertz * Double(index) / Double(rate)))
    }
}

/// Silence with short loud bursts at the given samples.
func clicks(_ count: Int, at places: [Int]) -> [Float] {
    var samples = [Float](repeating: 0, count: count)
    for place in places {
        // A burst of a few milliseconds survives any codec, where one sample would not.
        for offset in 0..<256 where place + offset < count {
            let angle = Double(offset) * 0.4
            samples[place + offset] +=
                0.8 * Float(sinOf(angle)) * Float(expOf(-Double(offset) / 60))
        }
    }
    return samples
}

/// The shift in samples at which `found` fits `wanted` best, within ±`range`.
func shift(of found: [Float], against wanted: [Float], range: Int = 4000) -> Int {
    var best = (shift: 0, fit: -Double.infinity)
    let places = wanted.indices.filter { wanted[$0] != 0 }
    for shift in -range...range {
        var fit = 0.0
        for place in places where found.indices.contains(place + shift) {
            fit += Double(wanted[place]) * Double(found[place + shift])
        }
        if fit > best.fit { best = (shift, fit) }
    }
    return best.shift
}

/// Cuts channels into blocks and gives each with its time.
func blocks(_ channels: [[Float]], rate: Int, size: Int) -> [(AudioBlock, MediaTime)] {
    stride(from: 0, to: channels[0].count, by: size).map { start in
        let part = channels.map { Array($0[start..<min(start + size, $0.count)]) }
        return (
            AudioBlock(sampleRate: rate, channels: part), MediaTime(Int64(start), Int32(rate))
        )
    }
}

/// All that a reader gives of a file's audio, joined, with a check that it is consecutive.
struct ReadAudio {
    var channels: [[Float]] = []
    var formats: [AudioFormat] = []
    var isConsecutive = true
    var damage = DamageReport()
}

/// All that a reader gives of a file's video, without the pictures' bytes.
struct ReadVideo {
    var times: [MediaTime] = []
    var durations: [MediaTime] = []
    var frames: [VideoFrame] = []
    var damage = DamageReport()
}

func readAudio(_ path: String, options: ReadOptions = ReadOptions(video: .none)) throws
    -> ReadAudio
{
    var reader = try MediaReader(path: path, options: options)
    return try readAudio(&reader)
}

func readAudio(_ reader: inout MediaReader) throws -> ReadAudio {
    var result = ReadAudio()
    var next = MediaTime.zero
    while let decoded = try reader.next() {
        guard case .audio(let block, let time) = decoded else { continue }
        if time != next.converted(to: time.scale) { result.isConsecutive = false }
        next = time.advanced(by: Int64(block.frameCount))
        if result.formats.last != block.format {
            result.formats.append(block.format)
            if result.channels.count < block.format.channels {
                result.channels = Array(repeating: [], count: block.format.channels)
            }
        }
        for channel in 0..<block.format.channels {
            result.channels[channel] += block.channel(channel)
        }
    }
    result.damage = reader.damage
    return result
}

func readVideo(
    _ path: String,
    options: ReadOptions = ReadOptions(audio: .none),
    keepsFrames: Bool = false
) throws -> ReadVideo {
    var reader = try MediaReader(path: path, options: options)
    var result = ReadVideo()
    while let decoded = try reader.next() {
        guard case .video(let frame, let time, let duration) = decoded else { continue }
        result.times.append(time)
        result.durations.append(duration)
        if keepsFrames { result.frames.append(frame) }
    }
    result.damage = reader.damage
    return result
}
