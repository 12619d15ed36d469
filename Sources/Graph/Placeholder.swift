public protocol Node: ~Copyable, SendableMetatype { static var kind: String { get } }
