import Glibc

/// Where the files are that come with Foxfire: its graphs and its presets.
package enum InstalledFiles {
    /// The folder called `name` of the source tree that the running program was built in, else
    /// `PREFIX/share/foxfire/NAME`, there or not; nil where the program's own place is not known.
    package static func folder(_ name: String) -> String? {
        guard let program else { return nil }
        var parts = program.split(separator: "/").dropLast()
        let prefix = "/" + parts.dropLast().joined(separator: "/")
        while !parts.isEmpty {
            let folder = "/" + parts.joined(separator: "/")
            if Folder.kind(of: folder + "/Package.swift") == .file,
                Folder.kind(of: "\(folder)/\(name)") == .folder
            {
                return "\(folder)/\(name)"
            }
            parts = parts.dropLast()
        }
        return "\(prefix)/share/foxfire/\(name)"
    }

    private static let program: String? = {
        guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }()
}
