import Graph
import Media
import Physarum

/// An input of every kind of payload, each for any number of outputs, read in order: for test nodes.
struct AnyInputs {
    let audio: Inputs<AudioBlock>
    let video: Inputs<VideoFrame>
    let encoded: Inputs<EncodedPacket>
    let parameters: Inputs<ParameterSet>
    let bands: Inputs<AudioBands>
    let fields: Inputs<TrailField>
    /// The connected inputs' names, as in `audio/0`, in the order that visitors count them.
    let labels: [String]

    /// Declares the inputs; it is a problem when none is connected.
    init(_ c: inout Contract) {
        var labels: [String] = []
        func declare<T: Payload>(_ name: String, _ help: String) -> Inputs<T> {
            let inputs: Inputs<T> = c.optionalInputs(name, .inOrder, changes: .accepts, help)
            labels += (0..<inputs.count).map { "\(name)/\($0)" }
            return inputs
        }
        audio = declare("audio", "Audio at any rate.")
        video = declare("video", "Pictures.")
        encoded = declare("encoded", "Encoded audio or video.")
        parameters = declare("parameters", "Parameters of the simulation.")
        bands = declare("bands", "Readings of the spectrum.")
        fields = declare("fields", "Trail maps.")
        self.labels = labels
        c.require(!labels.isEmpty, "from", "must name at least one output to read")
    }

    /// Takes the next packet and shows it to `visitor`; false when there is none now.
    func takeNext(_ io: inout IO, _ visitor: inout some PacketVisitor) -> Bool {
        var first = 0
        func take<T: Checksummed>(_ inputs: Inputs<T>) -> Bool {
            for index in 0..<inputs.count {
                if let packet = io.take(inputs[index]) {
                    visitor.visit(packet, of: first + index)
                    return true
                }
            }
            first += inputs.count
            return false
        }
        return take(audio) || take(video) || take(encoded) || take(parameters) || take(bands)
            || take(fields)
    }
}

/// Is shown packets of any payload, with the number of their input.
protocol PacketVisitor {
    mutating func visit<T: Checksummed>(_ packet: Packet<T>, of input: Int)
}
