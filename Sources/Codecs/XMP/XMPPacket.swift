/// An XMP packet: how a still was made, and what belongs to a Motion Photo.
///
/// Source: ISO 16684-1 (XMP), section 7; Motion Photo 1.0 (developer.android.com/media/platform/motion-photo-format).
public struct XMPPacket: Sendable, Hashable {
    /// What lies behind a still that is a Motion Photo.
    public struct Motion: Sendable, Hashable {
        /// What the still is: `image/jpeg` or `image/heic`.
        public var stillType: String
        /// Bytes between the still's end and the movie that belong to neither: 8 for HEIC, whose movie lies in a
        /// box.
        public var padding: Int
        /// What the movie is: `video/mp4` or `video/quicktime`.
        public var movieType: String
        /// The movie's length in bytes.
        public var movieLength: Int
        /// When in the movie the still is, in microseconds.
        public var stillMicroseconds: Int64

        /// Says all of it.
        public init(
            stillType: String,
            padding: Int,
            movieType: String,
            movieLength: Int,
            stillMicroseconds: Int64
        ) {
            self.stillType = stillType
            self.padding = padding
            self.movieType = movieType
            self.movieLength = movieLength
            self.stillMicroseconds = stillMicroseconds
        }
    }

    /// What wrote the still.
    public var creatorTool: String?
    /// How it was made; keys are names of letters, digits and dots.
    public var provenance: [(key: String, value: String)]
    /// What lies behind it.
    public var motion: Motion?

    /// Says all of it.
    public init(
        creatorTool: String? = nil,
        provenance: [(key: String, value: String)] = [],
        motion: Motion? = nil
    ) {
        self.creatorTool = creatorTool
        self.provenance = provenance
        self.motion = motion
    }

    /// Whether all of it is equal.
    public static func == (left: XMPPacket, right: XMPPacket) -> Bool { left.text == right.text }

    /// Takes up the whole packet.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// The packet.
    public var text: String {
        var attributes = ["rdf:about=\"\""]
        if let creatorTool {
            attributes.append("xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\"")
            attributes.append("xmp:CreatorTool=\"\(Self.escaped(creatorTool))\"")
        }
        let known = provenance.filter { Self.isName($0.key) }.sorted { $0.key < $1.key }
        if !known.isEmpty {
            attributes.append("xmlns:foxfire=\"urn:foxfire:provenance:1\"")
            attributes += known.map { "foxfire:\($0.key)=\"\(Self.escaped($0.value))\"" }
        }
        if let motion {
            attributes.append("xmlns:GCamera=\"http://ns.google.com/photos/1.0/camera/\"")
            attributes.append("xmlns:Container=\"http://ns.google.com/photos/1.0/container/\"")
            attributes.append("xmlns:Item=\"http://ns.google.com/photos/1.0/container/item/\"")
            attributes.append("GCamera:MotionPhoto=\"1\"")
            attributes.append("GCamera:MotionPhotoVersion=\"1\"")
            attributes.append(
                "GCamera:MotionPhotoPresentationTimestampUs=\"\(motion.stillMicroseconds)\""
            )
        }
        let inner = motion.map { Self.directory($0) } ?? ""
        // The mark at the beginning is U+FEFF, by which readers tell the encoding.
        return """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description \(attributes.joined(separator: "\n "))>
            \(inner)</rdf:Description>
            </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>
            """
    }

    private static func directory(_ motion: Motion) -> String {
        func item(_ type: String, _ semantic: String, _ length: Int, _ padding: Int) -> String {
            """
            <rdf:li rdf:parseType="Resource">
            <Container:Item Item:Mime="\(type)" Item:Semantic="\(semantic)" \
            Item:Length="\(length)" Item:Padding="\(padding)"/>
            </rdf:li>

            """
        }
        return "<Container:Directory>\n<rdf:Seq>\n"
            + item(motion.stillType, "Primary", 0, motion.padding)
            + item(motion.movieType, "MotionPhoto", motion.movieLength, 0)
            + "</rdf:Seq>\n</Container:Directory>\n"
    }

    private static func isName(_ key: String) -> Bool {
        key.first.map { $0.isASCII && $0.isLetter } ?? false
            && key.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0))
            }
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\r", "\t": result += "&#\(scalar.value);"
            // XML has no other control characters, not even by their numbers.
            case _ where scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
