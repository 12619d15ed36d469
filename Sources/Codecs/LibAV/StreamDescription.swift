import CLibAV
import Media

extension InputHandle {
    /// What stream `index` carries.
    func describeStream(_ index: Int) -> StreamInfo {
        guard let stream = unsafe stream(index), let parameters = unsafe stream.pointee.codecpar
        else { preconditionFailure("A file has no stream \(index).") }
        let base = unsafe stream.pointee.time_base
        let metadata = unsafe entries(of: stream.pointee.metadata)
        let id = unsafe parameters.pointee.codec_id
        var assumed = false
        let content: StreamInfo.Content
        var sampleFormat: String?
        switch unsafe parameters.pointee.codec_type {
        case AVMEDIA_TYPE_AUDIO:
            content = unsafe Self.audio(parameters)
            let format = AVSampleFormat(unsafe parameters.pointee.format)
            sampleFormat = unsafe av_get_sample_fmt_name(format).map { unsafe String(cString: $0) }
        case AVMEDIA_TYPE_VIDEO:
            (content, assumed) = unsafe video(stream, parameters)
            let format = AVPixelFormat(unsafe parameters.pointee.format)
            sampleFormat = unsafe av_get_pix_fmt_name(format).map { unsafe String(cString: $0) }
        case AVMEDIA_TYPE_SUBTITLE: content = .other("subtitles")
        case AVMEDIA_TYPE_ATTACHMENT: content = .other("an attachment")
        default: content = .other("data")
        }
        let aspect = unsafe parameters.pointee.sample_aspect_ratio
        return unsafe StreamInfo(
            content: content,
            codec: id == AV_CODEC_ID_NONE ? "unknown" : String(cString: avcodec_get_name(id)),
            profile: avcodec_profile_name(id, parameters.pointee.profile)
                .map { unsafe String(cString: $0) },
            sampleFormat: sampleFormat,
            startTime: Fraction(stream.pointee.start_time, base)?.time,
            duration: Fraction(stream.pointee.duration, base)?.time,
            frameCount: stream.pointee.nb_frames,
            bitRate: positive(parameters.pointee.bit_rate),
            language: metadata["language"],
            metadata: metadata,
            isCoverPicture: stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0,
            colorIsAssumed: assumed,
            pixelAspect: aspect.num > 0 && aspect.den > 0 && aspect.num != aspect.den
                ? Double(aspect.num) / Double(aspect.den) : nil,
            rotation: Self.rotation(stream)
        )
    }

    private static func audio(_ parameters: UnsafeMutablePointer<AVCodecParameters>)
        -> StreamInfo.Content
    {
        let rate = unsafe Int(parameters.pointee.sample_rate)
        let channels = unsafe Int(parameters.pointee.ch_layout.nb_channels)
        guard (1...3_000_000).contains(rate) else {
            return .other("audio of an impossible sample rate: \(rate) Hz")
        }
        guard (1...64).contains(channels) else {
            return .other("audio of \(channels) channels, where 1 to 64 are taken")
        }
        guard unsafe avcodec_find_decoder(parameters.pointee.codec_id) != nil else {
            return .other("audio of a codec without a decoder here")
        }
        return .audio(AudioFormat(sampleRate: rate, channels: channels))
    }

    private func video(
        _ stream: UnsafeMutablePointer<AVStream>,
        _ parameters: UnsafeMutablePointer<AVCodecParameters>
    ) -> (StreamInfo.Content, Bool) {
        let width = unsafe Int(parameters.pointee.width)
        let height = unsafe Int(parameters.pointee.height)
        guard (1...16384).contains(width), (1...16384).contains(height) else {
            return (
                .other("video of \(width)x\(height), where sides of 1 to 16384 are taken"), false
            )
        }
        let stored = AVPixelFormat(unsafe parameters.pointee.format)
        guard unsafe avcodec_find_decoder(parameters.pointee.codec_id) != nil,
            let layout = PixelLayout(nearest: stored)
        else { return (.other("video of a codec without a decoder here"), false) }
        let tagged = unsafe TaggedColor(
            layout: layout,
            format: stored,
            height: height,
            matrix: parameters.pointee.color_space,
            range: parameters.pointee.color_range,
            primaries: parameters.pointee.color_primaries,
            transfer: parameters.pointee.color_trc
        )
        let format = VideoFormat(
            width: width,
            height: height,
            layout: layout,
            color: tagged.color
        )
        return (
            .video(format, frameRate: unsafe frameRate(of: stream)), tagged.isAssumed
        )
    }

    /// The stream's frame rate: the one its times fit, or else the mean.
    func frameRate(of stream: UnsafeMutablePointer<AVStream>) -> Rate? {
        let guess = unsafe av_guess_frame_rate(pointer, stream, nil)
        guard guess.num > 0, guess.den > 0 else { return nil }
        return Rate(guess.num, guess.den)
    }

    private static func rotation(_ stream: UnsafeMutablePointer<AVStream>) -> Int {
        guard
            let matrix = unsafe av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, nil)
        else { return 0 }
        let turned = unsafe matrix.withMemoryRebound(to: Int32.self, capacity: 9) { numbers in
            unsafe av_display_rotation_get(numbers)
        }
        guard turned.isFinite else { return 0 }
        // The library's angle is counter-clockwise.
        return (Int((-turned / 90).rounded()) * 90 % 360 + 360) % 360
    }
}
