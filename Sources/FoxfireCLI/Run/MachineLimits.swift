import Glibc

/// What this process may use of the machine.
enum MachineLimits {
    /// How many cores this process may run on.
    static var cores: Int {
        // The mask in hexadecimal, as in `Cpus_allowed:\tff,ffffffff`.
        let status = text(of: "/proc/self/status") ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") } ?? ""
        let count = line.dropFirst("Cpus_allowed:".count).reduce(0) {
            $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount
        }
        return max(1, count == 0 ? sysconf(Int32(_SC_NPROCESSORS_ONLN)) : count)
    }

    /// What one run may take unless told otherwise: half of the memory, in bytes.
    static var memory: Int { max(64 << 20, wholeMemory / 2) }

    /// The bytes of memory that the machine has, or that its control group may use.
    static var wholeMemory: Int {
        let total = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        return min(total, controlGroupLimit() ?? total)
    }

    /// The least memory limit of this process's control group and those above it; nil without one.
    private static func controlGroupLimit() -> Int? {
        guard let groups = text(of: "/proc/self/cgroup") else { return nil }
        var least: Int?
        for line in groups.split(separator: "\n") {
            // `0::/path` is of version 2, `7:memory:/path` of version 1.
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let root: String
            let file: String
            if parts[0] == "0", parts[1].isEmpty {
                (root, file) = ("/sys/fs/cgroup", "memory.max")
            } else if parts[1].split(separator: ",").contains("memory") {
                (root, file) = ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            } else {
                continue
            }
            var folders = parts[2].split(separator: "/")
            while true {
                let path = ([root] + folders.map(String.init) + [file]).joined(separator: "/")
                if let text = text(of: path), let limit = Int(text.prefix { $0 != "\n" }) {
                    least = min(least ?? .max, limit)
                }
                if folders.popLast() == nil { break }
            }
        }
        return least
    }

    /// The start of a small file of the system; nil when there is none.
    private static func text(of path: String) -> String? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe read(descriptor, buffer.baseAddress, buffer.count)
        }
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
