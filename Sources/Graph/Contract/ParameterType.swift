public import Media

/// The unit of a parameter, as help shows it.
public enum Unit: String, Sendable {
    case none = ""
    case samples, frames, seconds, pixels, bits, steps, threads, degrees, cells, channels
    case hertz = "Hz"
    case decibels = "dB"
    case bitsPerSecond = "bit/s"
    case perSecond = "per second"
    case cellsPerStep = "cells per step"
}

/// A parameter as it was declared.
package struct ParameterDeclaration: Sendable {
    /// What values look like, for JSON Schema and help.
    package indirect enum Shape: Sendable {
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Double>)
        case boolean
        case string
        case choice([String])
        /// Text of a certain form, as in `1920x1080`; a plain number may be allowed too.
        case text(String, allowsNumber: Bool)
        case list([ParameterDeclaration])
    }

    package let name: String
    package let shape: Shape
    package let unit: Unit
    /// The default as JSON; nil when a value must be given, or when there is none.
    package let fallback: JSON.Value?
    package let isRequired: Bool
    /// What is allowed, in words, or nil when all values of the type are.
    package let range: String?
    /// A value that may be given: what examples show where one must be given.
    package let example: JSON.Value
    package let help: String
}

/// How a value of one type is read from JSON, shown, and described.
struct ParameterType<T> {
    let shape: ParameterDeclaration.Shape
    /// `a whole number`, as in "must be a whole number".
    let noun: String
    /// Stands for a value that is missing or wrong.
    let placeholder: T
    /// The value, or nil when the JSON is of another type.
    var read: (JSON.Value) -> T?
    /// The value as JSON.
    let write: (T) -> JSON.Value
    /// Whether a value is in range.
    var contains: (T) -> Bool = { _ in true }
    /// The range in words, or nil when all values of the type are allowed.
    var range: String?
    /// What examples show; nil where the placeholder will do.
    var example: T?
}

/// A point in time as a user wrote it: seconds, or samples of the stream it will be applied to.
public enum TimeValue: Sendable, Hashable {
    case time(MediaTime)
    case samples(Int64)

    /// The time, where a sample lasts 1/`sampleRate` second.
    public func resolved(sampleRate: Int) -> MediaTime {
        switch self {
        case .time(let time): time
        case .samples(let count): MediaTime(count, Int32(sampleRate))
        }
    }
}

/// Width and height in pixels or cells.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
    /// Columns.
    public let width: Int
    /// Rows.
    public let height: Int

    /// Says both.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The size as graph files write it.
    public var description: String { "\(width)x\(height)" }
}

/// A file that a node reads.
public struct InputFile: Sendable, Hashable {
    /// A path that can be opened; `-` for standard input; `builtin:demo` for the built-in track.
    public let path: String

    /// Names a file.
    public init(path: String) { self.path = path }

    /// Whether it is standard input.
    public var isStandardInput: Bool { path == "-" }
}

/// A file that a node writes, or a numbered sequence of files.
public struct OutputPath: Sendable, Hashable {
    /// The path, relative to the working directory; `-` for standard output.
    public let path: String
    /// Whether `path` holds a number like `%06d` and names a sequence.
    public let isSequence: Bool

    /// Names an output.
    public init(path: String, isSequence: Bool = false) {
        self.path = path
        self.isSequence = isSequence
    }

    /// Whether it is standard output.
    public var isStandardOutput: Bool { path == "-" }
}
