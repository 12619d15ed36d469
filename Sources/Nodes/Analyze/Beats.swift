import Media

/// What a stream of beats is: beats.
struct BeatFormat: StreamFormat {
    var description: String { "beats" }
}

/// One beat of a track; its packet's time is the beat's, and lasts to the next beat.
final class Beat: Payload {
    let format = BeatFormat()
    /// 0 for the track's first beat.
    let number: Int
    /// Beats per minute there.
    let tempo: Double
    /// How plainly it is heard, 0…1.
    let strength: Float

    var byteCount: Int { 64 }

    init(number: Int, tempo: Double, strength: Float) {
        self.number = number
        self.tempo = tempo
        self.strength = strength
    }

    /// How many beats have gone by at a time after this one; goes on beyond the next.
    ///
    /// - Parameters:
    ///   - time: when.
    ///   - start: the beat's time.
    ///   - duration: up to the next beat; 0 counts as what the tempo says.
    /// - Returns: beats since the track's first one.
    func position(at time: MediaTime, since start: MediaTime, _ duration: MediaTime) -> Double {
        let length = duration > .zero ? duration.seconds : 60 / tempo
        return Double(number) + (time.seconds - start.seconds) / length
    }
}

extension Beat: Checksummed {
    package func add(to checksum: inout Checksum) {
        checksum.add(number)
        checksum.add(tempo)
        checksum.add(UInt64(strength.bitPattern))
    }
}
