import Media
import Physarum

/// One number for each part of the spectrum.
struct BandValues: Sendable, Hashable {
    var bass: Double
    var mid: Double
    var high: Double

    static let zero = BandValues(bass: 0, mid: 0, high: 0)

    /// The largest of the three.
    var maximum: Double { max(bass, mid, high) }

    subscript(band: AudioReactive.Source) -> Double {
        get {
            switch band {
            case .bass: bass
            case .mid: mid
            case .high: high
            }
        }
        set {
            switch band {
            case .bass: bass = newValue
            case .mid: mid = newValue
            case .high: high = newValue
            }
        }
    }
}

/// What a stream of readings is: how many a second.
struct AudioBandsFormat: StreamFormat {
    let rate: Rate

    var description: String { "bands at \(rate) Hz" }
}

/// One reading of the spectrum: how loud each band is, and how strongly it was just hit.
final class AudioBands: Payload {
    let format: AudioBandsFormat
    /// How loud, 0…1.
    let level: BandValues
    /// How much of a hit, 0…1.
    let transient: BandValues

    var byteCount: Int { MemoryLayout<BandValues>.size * 2 }

    init(format: AudioBandsFormat, level: BandValues, transient: BandValues) {
        self.format = format
        self.level = level
        self.transient = transient
    }
}

extension AudioBands: Checksummed {
    package func add(to checksum: inout Checksum) {
        checksum.add("\(format)")
        for band in AudioReactive.Source.allCases {
            checksum.add(level[band])
            checksum.add(transient[band])
        }
    }
}
