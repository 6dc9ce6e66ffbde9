internal import Countersign
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The code and constants of the program and of its libraries that only the start uses: two thirds of what a server that
/// has just started keeps in memory.
enum StartupCode {
    /// Unmaps everything twice, a moment after the server listens: not at once, since that would delay the first answers,
    /// and again later, since the first keys are made and the first sweeps run by then.
    static func release(by clock: TimeSource) async {
        for delay in [Duration.milliseconds(100), .milliseconds(400)] {
            guard (try? await clock.sleep(for: delay)) != nil else { return }
            release()
        }
    }

    /// Unmaps all code and constants. What is still used is mapped again when it is needed next, mostly from the file
    /// cache, in a few microseconds for 64 KiB; what only the start needed stays out.
    ///
    /// Elsewhere than on Linux it does nothing. Standard: madvise(2), proc_pid_smaps(5).
    static func release() {
        #if os(Linux)
        guard let maps = fopen("/proc/self/smaps", "r") else { return }
        defer { fclose(maps) }
        var mappings = Mappings()
        var line = [CChar](repeating: 0, count: 4_352)
        while fgets(&line, CInt(line.count), maps) != nil {
            let end = line.firstIndex(of: 0) ?? line.endIndex
            let text = String(decoding: line[..<end].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard let unchanged = mappings.read(text) else { continue }
            madvise(UnsafeMutableRawPointer(bitPattern: unchanged.lowerBound), unchanged.count, MADV_DONTNEED)
        }
        #endif
    }

    /// Reads the list of mappings line by line.
    struct Mappings {
        /// The mapping whose lines are being read, if it is of a file and cannot be written.
        private var current: Range<UInt>?

        /// The addresses of a mapping of a file that cannot be written and has no page of its own, at the line after which
        /// that is known; `nil` at all other lines.
        ///
        /// The dynamic linker writes into some pages and makes them read-only afterwards: those are anonymous pages, or
        /// in the swap area, and would be lost.
        mutating func read(_ line: String) -> Range<UInt>? {
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard let name = fields.first else { return nil }
            guard name.hasSuffix(":") else {
                current = Self.file(fields)
                return nil
            }
            switch name {
            case "Anonymous:" where fields.dropFirst().first != "0": current = nil
            case "Swap:":
                defer { current = nil }
                return fields.dropFirst().first == "0" ? current : nil
            default: break
            }
            return nil
        }

        /// The addresses of a mapping, from the first of its lines; `nil` for one that can be written or is of no file.
        private static func file(_ fields: [Substring]) -> Range<UInt>? {
            guard fields.count >= 6, ["r-xp", "r--p"].contains(fields[1]), fields[5].hasPrefix("/") else { return nil }
            let bounds = fields[0].split(separator: "-").map { UInt($0, radix: 16) }
            guard bounds.count == 2, let start = bounds[0], let end = bounds[1], start < end else { return nil }
            return start..<end
        }
    }
}
