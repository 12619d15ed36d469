import Graph
import Media

/// Plays the built-in track: 28 seconds with drums, bass and a melody, made as it is played.
///
/// 120 beats a minute in A minor: two bars lead in, four of groove, a break of two that builds up, four
/// of the full band, and an ending that fades. Stereo at 48 kHz, peak below -1 dB, about -14 LUFS. What
/// `builtin:demo` opens as a file is the same. Deterministic on every machine.
struct SourceDemo: Node {
    static let kind = "source.demo"
    static let execution = Execution.serial
    let out: Output<AudioBlock>
    private var track = DemoTrack()

    init(_ c: inout Contract) {
        out = c.output("audio", "The track, from time 0 on.")
    }

    func resolve(_ f: inout Formats) {
        f.set(
            out,
            DemoTrack.format,
            rate: DemoTrack.blockRate,
            duration: DemoTrack.format.time(of: Int64(DemoTrack.frameCount)),
            bytesPerPacket: DemoTrack.blockBytes
        )
    }

    mutating func run(_ io: inout IO) {
        let position = Int64(track.position)
        guard let block = track.next() else {
            io.end()
            return
        }
        io.emit(
            block,
            at: block.format.time(of: position),
            duration: block.duration,
            on: out
        )
        io.more()
    }
}
