import CLibAV
import Glibc
import Media

/// Owns an `AVFormatContext` that reads from a device.
@safe struct DeviceHandle: ~Copyable {
    private let pointer: UnsafeMutablePointer<AVFormatContext>

    init(
        _ system: AudioCapture.System,
        device: String,
        format: AudioFormat,
        _ subject: String
    ) throws(CodecError) {
        _ = LibraryLog.installed
        _ = LibraryLog.takeLast()
        try DeviceLibrary.load()
        guard let demuxer = unsafe av_find_input_format(system.rawValue) else {
            throw CodecError(
                call: "av_find_input_format",
                code: 0,
                text: "this build of libavdevice does not speak to \(system.rawValue)",
                subject: subject
            )
        }
        var options = DictionaryHandle()
        try options.set("sample_rate", "\(format.sampleRate)")
        try options.set("channels", "\(format.channels)")
        if system == .pulse {
            try options.set("name", "foxfire")
            // The server's own choice may be seconds.
            try options.set("fragment_size", "\(format.sampleRate / 50 * format.channels * 4)")
        }
        let context = unsafe try allocated("avformat_alloc_context", avformat_alloc_context())
        unsafe context.pointee.audio_codec_id = AV_CODEC_ID_PCM_F32LE
        var opened: UnsafeMutablePointer<AVFormatContext>? = unsafe context
        // On failure the library frees the context.
        let code = unsafe avformat_open_input(&opened, device, demuxer, &options.pointer)
        guard code >= 0, let opened = unsafe opened else {
            throw CodecError(
                call: "avformat_open_input",
                code: code,
                text: describe(code),
                subject: subject,
                hint: system == .pulse
                    ? "\"pactl list short sources\" lists the devices"
                    : "\"arecord -L\" lists the devices"
            )
        }
        unsafe pointer = opened
    }

    deinit {
        var owned: UnsafeMutablePointer<AVFormatContext>? = unsafe pointer
        unsafe avformat_close_input(&owned)
    }

    /// Throws unless the device gives what was asked for: some give what is near to it.
    func checkFormat(_ format: AudioFormat, _ subject: String) throws(CodecError) {
        guard unsafe pointer.pointee.nb_streams == 1,
            let stream = unsafe pointer.pointee.streams[0],
            let found = unsafe stream.pointee.codecpar
        else {
            throw CodecError(call: "open", code: 0, text: "it has no audio", subject: subject)
        }
        let rate = unsafe Int(found.pointee.sample_rate)
        let channels = unsafe Int(found.pointee.ch_layout.nb_channels)
        let isFloat = unsafe found.pointee.codec_id == AV_CODEC_ID_PCM_F32LE
        if isFloat, rate == format.sampleRate, channels == format.channels { return }
        throw CodecError(
            call: "open",
            code: 0,
            text: "it records \(channels) channels at \(rate) Hz, and not \(format)",
            subject: subject,
            hint: "ask for that format"
        )
    }

    /// Waits for the device's next samples, and takes them; whole frames of all channels.
    func read(_ packet: borrowing PacketHandle, channels: Int, _ subject: String)
        throws(CodecError) -> [Float]
    {
        defer { packet.clear() }
        while true {
            let code = unsafe av_read_frame(pointer, packet.pointer)
            if code == foxfire_error_again {
                usleep(5000)
                continue
            }
            try check("av_read_frame", code, subject)
            let size = unsafe Int(packet.pointer.pointee.size)
            let count = size / 4 / channels * channels
            guard count > 0, let data = unsafe packet.pointer.pointee.data else {
                packet.clear()
                continue
            }
            let bytes = unsafe UnsafeRawBufferPointer(start: data, count: size)
            return (0..<count).map { index in
                let bits = unsafe bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
                return Float(bitPattern: UInt32(littleEndian: bits))
            }
        }
    }
}

/// libavdevice, loaded when it is first needed.
private enum DeviceLibrary {
    private static let failure: String? = {
        let name = "libavdevice.so.\(foxfire_device_version)"
        guard let library = unsafe dlopen(name, RTLD_NOW) else {
            return unsafe dlerror().map { unsafe String(cString: $0) } ?? name
        }
        guard let address = unsafe dlsym(library, "avdevice_register_all") else {
            return "\(name) has no avdevice_register_all"
        }
        let register = unsafe unsafeBitCast(address, to: (@convention(c) () -> Void).self)
        register()
        return nil
    }()

    static func load() throws(CodecError) {
        guard let failure else { return }
        throw CodecError(
            call: "dlopen",
            code: 0,
            text: failure,
            subject: "libavdevice",
            hint: "install it; on Debian it comes with libavdevice-dev"
        )
    }
}
