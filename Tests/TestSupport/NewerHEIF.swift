import Foundation

/// The newer libheif that PyPI's pillow-heif brings, as a judge; `./test` installs it.
public enum NewerHEIF {
    private static let folder: String = {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return root.appending(path: ".build/python").path()
    }()

    /// Whether it is there.
    public static var isInstalled: Bool {
        FileManager.default.fileExists(atPath: folder + "/pillow_heif")
    }

    /// Runs Python with `pillow_heif` and `Image` at hand.
    ///
    /// - Parameters:
    ///   - script: what to run; `sys.argv[1:]` are the arguments.
    ///   - arguments: as paths.
    /// - Returns: what it printed.
    /// - Throws: `ToolFailure` when it failed.
    public static func run(_ script: String, _ arguments: String...) throws -> String {
        let head = """
            import sys
            sys.path.insert(0, '\(folder)')
            import pillow_heif
            from PIL import Image, ImageOps
            pillow_heif.register_heif_opener()

            """
        let out = try Tools.run("python3", ["-c", head + script] + arguments)
        return String(decoding: out, as: UTF8.self)
    }
}
