import Codecs
import Media
import Testing

@Suite struct `Films` {
    static let rates = [Rate(24), Rate(25), Rate(30), Rate(60), Rate(30000, 1001)]
    static let containers: [Container] = [.mp4, .mov, .mkv]

    @Test(arguments: rates, containers)
    func `every frame comes back at its exact time`(rate: Rate, container: Container) throws {
        let scratch = try Scratch()
        let path = scratch.file("film.\(container.rawValue)")
        let video = try encodeVideo(.init(), frames: 50, rate: rate)
        let audio = try encodeAudio(
            .init(codec: .aac),
            [noise(96000, seed: 1), noise(96000, seed: 2)],
            rate: 48000
        )
        try mux(container, path, [video, audio])

        let probe = try ffprobe(
            path,
            "stream=start_time,nb_read_packets,r_frame_rate,codec_name",
            stream: "v"
        )
        #expect(probe["start_time"] == "0.000000")
        #expect(probe["r_frame_rate"] == "\(rate.numerator)/\(rate.denominator)")
        let sound = try ffprobe(path, "stream=start_time,codec_name,duration", stream: "a")
        // Matroska's codec delay is taken off by players, not by ffprobe.
        #expect(sound["start_time"] == (container == .mkv ? "-0.021000" : "0.000000"))
        let read = try readVideo(path)
        #expect(read.times == (0..<50).map { rate.time(of: $0) })
        #expect(read.durations.allSatisfy { $0 == rate.interval })
        #expect(read.damage.isEmpty)
        let heard = try readAudio(path)
        #expect(heard.channels.map(\.count) == [96000, 96000])
        #expect(heard.isConsecutive)
        for depth in FilmCheck.Depth.allCases {
            let check = try FilmCheck(path: path, depth: depth)
            #expect(check.streams.map(\.packetCount) == [50, 94])
            #expect(check.streams.allSatisfy { $0.start == .zero })
            #expect(abs(check.streams[0].end.seconds - 50 / rate.perSecond) < 0.001)
            #expect(abs(check.streams[1].end.seconds - 2) < 0.0015)
        }
    }
}
