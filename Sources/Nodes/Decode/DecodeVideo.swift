import Codecs
import Graph
import Media

/// Decodes video that is encoded, as from a recorded stream.
///
/// Decoders make damaged pictures without a word. So packets that their source has marked as damaged are not
/// decoded at all with `withhold`, and every picture that comes out is the one that was encoded; in their place
/// there is a hole. `hold` shows the last good picture again in it, and `show` decodes all. Pictures in the
/// place of damaged ones carry a mark.
///
/// What is cut or changed inside a packet is in no header. `verify` finds cuts, and those changes that make a slice
/// end elsewhere, about one in five: all is decoded twice, with other bytes behind each slice and other ones in the
/// pictures' memory, and what differs is not exact; nor is what follows, up to the next random access point. It
/// takes twice the time, and does nothing for `show`.
///
/// Size and colours are those of each picture. Memory: the pictures that the codec keeps, and one for each
/// processor. Deterministic.
struct DecodeVideo: Node, ~Copyable {
    static let kind = "decode.video"
    static let execution = Execution.blocking

    /// What comes out where packets are damaged.
    enum Policy: String, CaseIterable { case withhold, hold, show }

    let encoded: Input<EncodedPacket>
    let video: Output<VideoFrame>
    let policy: Policy
    let verifies: Bool
    private var decoder: VideoDecoder?
    private var twin: TwinDecoder?
    private var spread = DamageSpread()
    /// Pictures that the library calls damaged.
    private var marked: Set<Int64> = []
    private var rate: Rate?
    /// Whether packets come in another order than they are shown.
    private var isReordered = false
    /// What is to come out, in the order of showing.
    private var coming: [Coming] = []
    private var number: Int64 = 0
    private var last: (picture: VideoFrame, time: MediaTime, end: MediaTime)?
    private var absent = 0
    /// Pictures since the last exact one that are not.
    private var inexact = 0
    private var hasFlushed = false

    /// A picture that is to come out.
    private struct Coming {
        let number: Int64
        let time: MediaTime
        let duration: MediaTime
        var isDamaged: Bool
        /// Whether the last one stands in for it.
        var isHeld: Bool
        /// Whether nothing comes out for it.
        var isDropped = false
        var picture: VideoFrame?
    }

    init(_ c: inout Contract) {
        encoded = c.input("video", .inOrder, "Encoded pictures.")
        video = c.output("video", "The pictures.")
        policy = c.choice(
            "policy",
            default: .withhold,
            "What comes out where packets are damaged: nothing, the last good picture, or all."
        )
        verifies = c.boolean(
            "verify",
            default: false,
            "Whether cuts and changes inside packets are looked for, by decoding twice."
        )
    }

    func resolve(_ f: inout Formats) throws {
        guard let format = f[encoded] else { return }
        guard case .video(let picture, let rate) = format.content else {
            throw Problem(.format, "\(format) is no video", hint: "decode audio with decode.opus")
        }
        f.set(
            video,
            picture,
            rate: f.rate(of: encoded) ?? rate,
            duration: f.duration(of: encoded),
            bytesPerPacket: picture.byteCount
        )
    }

    mutating func start(_ f: borrowing Formats) throws {
        guard let format = f[encoded] else { return }
        rate = f.rate(of: encoded)
        decoder = try VideoDecoder(
            format,
            toleratesDamage: policy == .show,
            variant: verifies ? .dark : .plain
        )
        // With damage shown there are differences anyway.
        if verifies, policy != .show { twin = try TwinDecoder(format) }
    }

    mutating func run(_ io: inout IO) throws {
        while let packet = io.take(encoded) {
            let isDamaged = packet.flags.contains(.damaged)
            let isHeld = isDamaged && policy == .hold
            if isDamaged, policy == .withhold { continue }
            expect(packet, isHeld: isHeld)
            if packet.flags.contains(.key) { spread.noteKey(number) }
            if !isHeld {
                let fault = try decoder?.send(packet.payload, number: number)
                if let fault { io.environment.damaged(fault, at: packet.payload.presentationTime) }
                try twin?.send(packet.payload, number: number)
                try takePictures(&io)
            }
            number += 1
            emit(&io)
        }
    }

    private mutating func expect(_ packet: Packet<EncodedPacket>, isHeld: Bool) {
        let time = packet.payload.presentationTime
        if packet.time != time { isReordered = true }
        let place = coming.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
        coming.insert(
            Coming(
                number: number,
                time: time,
                duration: packet.duration,
                isDamaged: packet.flags.contains(.damaged),
                isHeld: isHeld
            ),
            at: place
        )
    }

    private mutating func takePictures(_ io: inout IO) throws {
        let environment = io.environment
        let time = coming.first?.time
        while let found = try decoder?.next({ environment.damaged($0, at: time) }) {
            if found.isDamaged { marked.insert(found.number) }
            if twin == nil {
                place(found.picture, found.number, isRight: true, environment)
            } else {
                twin?.take(found.picture, number: found.number)
            }
        }
        while let settled = twin?.next() {
            place(settled.picture, settled.number, isRight: settled.isSame, environment)
        }
    }

    /// Puts a picture where it is to come out.
    private mutating func place(
        _ picture: VideoFrame,
        _ number: Int64,
        isRight: Bool,
        _ environment: NodeEnvironment
    ) {
        // What the library itself marks is believed too.
        let isMarked = marked.remove(number) != nil
        let isExact = spread.judge(number, isRight: isRight && !isMarked)
        guard let place = coming.firstIndex(where: { $0.number == number }) else { return }
        coming[place].picture = picture
        if !isExact, policy != .show {
            coming[place].isDamaged = true
            coming[place].isHeld = policy == .hold
            coming[place].isDropped = policy == .withhold
            if inexact == 0 {
                environment.damaged(
                    "a packet is cut, or changed inside: what refers to its picture is not exact",
                    at: coming[place].time
                )
            }
            inexact += 1
        } else if inexact > 0 {
            tellInexact(environment)
        }
        // Pictures come in the order of showing, so what should have come before it does not come.
        let gone = coming[..<place].indices.filter {
            coming[$0].picture == nil && !coming[$0].isHeld
        }
        absent += gone.count
        for index in gone.reversed() { coming.remove(at: index) }
    }

    private mutating func tellInexact(_ environment: NodeEnvironment) {
        if inexact > 0 {
            environment.warn(
                "\(inexact) pictures were not exact after a packet that is cut or changed"
            )
        }
        inexact = 0
    }

    /// Emits what is next in the order of showing.
    private mutating func emit(_ io: inout IO) {
        while let first = coming.first, first.picture != nil || mayHold(first) {
            coming.removeFirst()
            if first.isDropped { continue }
            guard let picture = first.isHeld ? last?.picture : first.picture else { continue }
            if policy == .hold { fill(upTo: first.time, &io) }
            emit(picture, first, &io)
        }
    }

    /// Whether the last picture may stand in for this one now: nothing can come before it any more.
    private func mayHold(_ first: Coming) -> Bool {
        first.isHeld
            && (!isReordered || hasFlushed || coming.contains { !$0.isHeld && $0.picture != nil })
    }

    private mutating func emit(_ picture: VideoFrame, _ coming: Coming, _ io: inout IO) {
        // Times of damaged packets may be anything.
        if let last, coming.time <= last.time {
            absent += 1
            return
        }
        last = (picture, coming.time, coming.time.adding(coming.duration))
        io.emit(
            picture,
            at: coming.time,
            duration: coming.duration,
            flags: coming.isDamaged ? [.key, .damaged] : .key,
            on: video
        )
    }

    /// Lets the last picture stand where packets are missing altogether.
    private mutating func fill(upTo time: MediaTime, _ io: inout IO) {
        guard let rate, let last, let missing = rate.frames(from: last.end, to: time) else {
            return
        }
        for index in missing {
            let held = Coming(
                number: -1,
                time: rate.time(of: index),
                duration: rate.interval,
                isDamaged: true,
                isHeld: true
            )
            emit(last.picture, held, &io)
        }
    }

    mutating func finish(_ io: inout IO) throws {
        if !hasFlushed {
            hasFlushed = true
            _ = try decoder?.send(nil)
            try twin?.send(nil, number: number)
            try takePictures(&io)
            tellInexact(io.environment)
            absent += coming.count { $0.picture == nil && !$0.isHeld }
            coming.removeAll { $0.picture == nil && !$0.isHeld }
            if absent > 0 {
                io.environment.damaged("\(absent) access units gave no picture")
            }
        }
        emit(&io)
    }
}

extension Rate {
    /// The numbers of the events from one time to before another; nil where there is none, or ten minutes of them.
    fileprivate func frames(from start: MediaTime, to end: MediaTime) -> Range<Int64>? {
        let (first, last) = (count(before: start), count(before: end))
        return first < last && last - first <= 600 * 240 ? first..<last : nil
    }
}
