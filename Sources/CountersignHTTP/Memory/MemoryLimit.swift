/// The memory that a server may use, and its division.
public struct MemoryLimit: Sendable, Equatable {
    /// The limit in bytes.
    public let bytes: Int

    /// The bytes of the process itself: the program, its caches, and the pages of the database.
    static let process = 64 << 20
    /// The smallest room for connections, however little memory there is.
    static let leastRoom = 16 << 20

    /// Creates a limit.
    public init(bytes: Int) {
        self.bytes = bytes
    }

    /// Finds the limit: the smallest of the limits of this process's control groups and the operator's; without either,
    /// the memory of the machine.
    ///
    /// Standard: cgroups(7), proc_meminfo(5).
    ///
    /// - Parameters:
    ///   - setting: The limit that the operator set, in bytes; `nil` when none was set.
    ///   - contents: Reads a file of the system; `nil` where there is none.
    public init(asked setting: Int?, reading contents: (_ path: String) -> String?) {
        let groups = Self.groups(contents("/proc/self/cgroup") ?? "").compactMap { contents($0).flatMap(Self.number) }
        let machine = contents("/proc/meminfo").flatMap(Self.machine)
        let known = groups + [setting, setting == nil ? machine : nil].compactMap { $0 }
        // An unknown system counts as a small one.
        bytes = known.min() ?? 1 << 30
    }

    /// Reads a number of bytes: digits, and K, M or G for powers of 1,024; `nil` for anything else.
    public static func bytes(parsing text: String) -> Int? {
        var digits = Substring(text)
        var unit = 1
        if let last = digits.last, let shift = ["K": 10, "M": 20, "G": 30][last.uppercased()] {
            unit = 1 << shift
            digits = digits.dropLast()
        }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(digits)
        else { return nil }
        let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit)
        return isTooLarge ? nil : bytes
    }

    /// The number of passwords that may be hashed at once: two, or one where two would leave little for the rest.
    public var passwordsAtOnce: Int { bytes < 512 << 20 ? 1 : 2 }

    /// The bytes for connections and requests: two thirds of the memory without the process and passwords. The last
    /// third is for memory that is not counted: requests while they are answered, and free memory of the allocator.
    public var room: Int {
        let rest = bytes - Self.process - passwordsAtOnce * MemoryCost.passwordHash
        return max(Self.leastRoom, rest / 3 * 2)
    }

    /// The room for a limited number of connections.
    ///
    /// - Parameters:
    ///   - most: The largest number of connections at once.
    ///   - isEncrypted: Whether each has TLS.
    public func room(forAtMost most: Int, isEncrypted: Bool) -> Int {
        let (bytes, isMore) = most.multipliedReportingOverflow(
            by: MemoryCost.connection + (isEncrypted ? MemoryCost.encryption : 0))
        return isMore ? room : min(room, bytes)
    }

    // MARK: Files of the system

    /// The files with the limits of the control groups in `/proc/self/cgroup`, and of the groups around them.
    private static func groups(_ list: String) -> [String] {
        list.split(whereSeparator: \.isNewline).flatMap { line -> [String] in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return [] }
            if parts[0] == "0", parts[1].isEmpty {
                return around(parts[2]).map { "/sys/fs/cgroup\($0)/memory.max" }
            }
            guard parts[1].split(separator: ",").contains("memory") else { return [] }
            return around(parts[2]).map { "/sys/fs/cgroup/memory\($0)/memory.limit_in_bytes" }
        }
    }

    /// A path and the paths of all folders around it, without a slash at the end.
    private static func around(_ path: Substring) -> [String] {
        let names = path.split(separator: "/")
        return (0...names.count).map { length in names.prefix(length).map { "/\($0)" }.joined() }
    }

    /// The number in a file; `nil` for `max`.
    private static func number(_ text: String) -> Int? {
        text.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
    }

    /// `MemTotal` of `/proc/meminfo`, in bytes.
    private static func machine(_ text: String) -> Int? {
        let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("MemTotal:") }
        let words = line?.split(whereSeparator: \.isWhitespace) ?? []
        guard words.count >= 2, let kilobytes = Int(words[1]) else { return nil }
        let (bytes, isTooLarge) = kilobytes.multipliedReportingOverflow(by: 1_024)
        return isTooLarge ? nil : bytes
    }
}
