import Glibc
import Media

/// Which store a path means, and where the user's own is.
public enum StoreLocation {
    /// Opens the store at a path: a file that is there or ends in `.json`, else a folder that may be
    /// shared between machines.
    public static func open(_ path: String) -> any PresetStore {
        switch Folder.kind(of: path) {
        case .folder: FolderStore(path: path)
        case .nothing where !path.hasSuffix(".json"): FolderStore(path: path)
        default: FileStore(path: path)
        }
    }

    /// The user's own store: `$XDG_DATA_HOME/foxfire/presets` where that is a folder, or a link to
    /// one, else `$XDG_DATA_HOME/foxfire/presets.json`.
    ///
    /// `XDG_DATA_HOME` is `~/.local/share` unless it is set to an absolute path.
    ///
    /// - Returns: its path; nil where there is neither `XDG_DATA_HOME` nor `HOME`.
    public static func usersOwn() -> String? {
        let home = environment("HOME").map { $0 + "/.local/share" }
        let data = environment("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let base = data ?? home else { return nil }
        let folder = base + "/foxfire/presets"
        return Folder.kind(of: folder) == .folder ? folder : folder + ".json"
    }

    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name).map({ unsafe String(cString: $0) }), !value.isEmpty
        else { return nil }
        return value
    }
}
