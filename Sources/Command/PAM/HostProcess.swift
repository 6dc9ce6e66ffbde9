internal import Foundation

/// A process of this system, by its number and its start, so that a later one with the same number is another.
struct HostProcess: Sendable, Hashable, LosslessStringConvertible {
    let number: Int32
    /// The start of the process, in ticks since the system's.
    let start: UInt64

    /// The running process of a number; `nil` where there is none.
    init?(running number: Int32) {
        guard number > 1, let line = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
            let start = Self.start(in: line)
        else { return nil }
        self.number = number
        self.start = start
    }

    /// Reads ``description``.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int32(parts[0]), number > 1, let start = UInt64(parts[1]) else {
            return nil
        }
        self.number = number
        self.start = start
    }

    var description: String { "\(number).\(start)" }

    /// Whether it still runs.
    var isRunning: Bool { HostProcess(running: number) == self }

    /// Sends it a signal, if it still runs.
    func send(_ signal: Int32) {
        guard isRunning else { return }
        kill(number, signal)
    }

    /// The start in a line of `/proc/…/stat`, whose second member is a name with any characters in parentheses.
    static func start(in line: String) -> UInt64? {
        guard let end = line.lastIndex(of: ")") else { return nil }
        let members = line[end...].dropFirst().split(separator: " ")
        // The third member of the line is the first one here, and the start is the 22nd.
        return members.count > 19 && members[0] != "Z" ? UInt64(members[19]) : nil
    }
}
