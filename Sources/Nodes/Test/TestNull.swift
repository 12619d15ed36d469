import Graph
import Media

/// Takes audio and drops it.
struct TestNull: Node {
    static let kind = "test.null"
    static let execution = Execution.serial
    let audio: Inputs<AudioBlock>

    init(_ c: inout Contract) {
        audio = c.inputs("audio", .inOrder, changes: .accepts, "Audio that nobody needs.")
    }

    mutating func run(_ io: inout IO) {
        for index in 0..<audio.count { while io.take(audio[index]) != nil {} }
    }
}
