import Batch
import Graph

extension SplitCosts {
    /// What it comes to, in a line; nil where no film was made in parts.
    var text: String? {
        guard let gain else { return nil }
        let times =
            "\(films) films in \(parts) parts: these took \(durationText(pictures)), the checkpoints between them "
            + "\(durationText(checkpoints))"
        if gain < 1.2 { return "\(times): splitting gains nothing, at once they are as fast" }
        return "\(times): with a machine for each part at best "
            + "\(fixed(gain, digits: 1)) times as fast as at once"
    }

    var json: JSON.Value? {
        guard let gain else { return nil }
        return [
            "films": .integer(films), "parts": .integer(parts),
            "partSeconds": .number(fixed(pictures, digits: 3)),
            "checkpointSeconds": .number(fixed(checkpoints, digits: 3)),
            "trackSeconds": .number(fixed(tracks, digits: 3)),
            "bestGain": .number(fixed(gain, digits: 3)),
        ]
    }
}
