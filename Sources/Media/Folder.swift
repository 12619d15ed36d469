import Glibc

/// Folders as they are on the disk.
package enum Folder {
    /// The names in a folder, without `.` and `..`, in no order; none where it cannot be read.
    package static func entries(of path: String) -> [String] { (try? list(path)) ?? [] }

    /// The names in a folder, without `.` and `..`, in no order.
    ///
    /// - Throws: `FileError` when there is no such folder, or it may not be read.
    package static func list(_ path: String) throws(FileError) -> [String] {
        guard let handle = unsafe opendir(path) else {
            throw FileError(path: path, call: "opendir", code: errno)
        }
        defer { unsafe closedir(handle) }
        var names: [String] = []
        while let entry = unsafe readdir(handle) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// What a path names on the disk.
    package enum Kind { case nothing, file, folder, other }

    package static func kind(of path: String) -> Kind {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return .nothing }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// What a symbolic link says; nil when `path` is none.
    package static func link(at path: String) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { text in
            guard let base = text.baseAddress else { return nil }
            let count = unsafe readlink(path, base, Int(PATH_MAX))
            guard count > 0 else { return nil }
            unsafe base[count] = 0
            return unsafe String(cString: base)
        }
    }

    /// The folder that holds `path`.
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part of `path`.
    package static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// Makes a folder, and those above it, where they are missing.
    ///
    /// - Throws: `FileError`.
    package static func create(_ path: String) throws(FileError) {
        if kind(of: path) == .folder { return }
        let parent = parent(of: path)
        if parent != "." { try create(parent) }
        if unsafe mkdir(path, 0o777) != 0, errno != EEXIST {
            throw FileError(path: path, call: "mkdir", code: errno)
        }
    }

    /// Gives a file another name, replacing what has it.
    ///
    /// - Throws: `FileError`.
    package static func rename(_ path: String, to new: String) throws(FileError) {
        if unsafe Glibc.rename(path, new) != 0 {
            throw FileError(path: path, call: "rename", code: errno)
        }
    }

    /// Removes a file or an empty folder.
    ///
    /// - Throws: `FileError`.
    package static func remove(_ path: String) throws(FileError) {
        if unsafe Glibc.remove(path) != 0 {
            throw FileError(path: path, call: "remove", code: errno)
        }
    }
}
