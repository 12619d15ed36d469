import Codecs

/// A parameter set as it stands in a stream.
struct ParameterSet {
    /// The type of its NAL unit; sets are told in the order of these.
    var kind: Int
    var id: Int
    var bytes: [UInt8]
}

/// The parameter sets in effect, byte for byte.
struct ParameterSetBytes {
    private var sets: [Int: [Int: [UInt8]]] = [:]

    /// Takes the sets of an access unit; true where one is new or other than before.
    mutating func take(_ found: [ParameterSet]) -> Bool {
        var hasChanged = false
        for set in found where sets[set.kind]?[set.id] != set.bytes {
            sets[set.kind, default: [:]][set.id] = set.bytes
            hasChanged = true
        }
        return hasChanged
    }

    /// All of them behind start codes, in the order of their kinds and numbers.
    var configuration: [UInt8] {
        sets.sorted { $0.key < $1.key }.flatMap { kind in
            kind.value.sorted { $0.key < $1.key }.flatMap { [0, 0, 0, 1] + $0.value }
        }
    }
}

extension HEVCAccessUnit {
    /// VPS, SPS and PPS of it.
    var parameterSets: [ParameterSet] {
        units.compactMap { range in
            let kind = kind(range)
            guard (32...34).contains(kind) else { return nil }
            let bytes = Array(self.bytes[range])
            return HEVCParameterSetID.id(of: bytes).map {
                ParameterSet(kind: kind, id: $0, bytes: bytes)
            }
        }
    }
}

extension H264AccessUnit {
    /// SPS and PPS of it.
    var parameterSets: [ParameterSet] {
        units.compactMap { range in
            set(range).map { ParameterSet(kind: $0.kind, id: $0.id, bytes: Array(bytes[range])) }
        }
    }
}
