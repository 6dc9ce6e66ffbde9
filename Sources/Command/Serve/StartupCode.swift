#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The code of the program and of its libraries that only the start runs: two thirds of what a server that has just
/// started keeps in memory.
enum StartupCode {
    /// Unmaps all code. What is still run is mapped again when it is needed next, mostly from the file cache, in a few
    /// microseconds for 64 KiB; what only the start needed stays out.
    ///
    /// Elsewhere than on Linux it does nothing. Standard: madvise(2), proc_pid_maps(5).
    static func release() {
        #if os(Linux)
        guard let maps = fopen("/proc/self/maps", "r") else { return }
        defer { fclose(maps) }
        var line = [CChar](repeating: 0, count: 4_352)
        while fgets(&line, CInt(line.count), maps) != nil {
            let end = line.firstIndex(of: 0) ?? line.endIndex
            let text = String(decoding: line[..<end].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard let code = code(in: text) else { continue }
            madvise(UnsafeMutableRawPointer(bitPattern: code.lowerBound), code.count, MADV_DONTNEED)
        }
        #endif
    }

    /// The addresses of a mapping that holds code from a file, which nothing has changed; `nil` for others.
    ///
    /// - Parameter line: A line of the list of mappings.
    static func code(in line: String) -> Range<UInt>? {
        let fields = line.split(whereSeparator: \.isWhitespace)
        guard fields.count >= 6, fields[1] == "r-xp", fields[5].hasPrefix("/") else { return nil }
        let bounds = fields[0].split(separator: "-").map { UInt($0, radix: 16) }
        guard bounds.count == 2, let start = bounds[0], let end = bounds[1], start < end else { return nil }
        return start..<end
    }
}
