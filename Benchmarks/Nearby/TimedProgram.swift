internal import Foundation
internal import NIOConcurrencyHelpers
internal import TestShell

/// A program in a process of its own, with the time of each line that it printed.
final class TimedProgram: Sendable {
    /// The line printed before the program is loaded.
    static let beginning = "It begins."

    struct Line: Sendable {
        let text: String
        /// In seconds since 1970, which is how the kernel dates packets.
        let at: Double
    }

    private struct State {
        var lines: [Line] = []
        var closed: Double?
    }

    private let name: String
    private let program: RunningProgram
    private let keyboard: LocalPipe
    private let state = NIOLockedValueBox(State())

    /// Starts a program.
    ///
    /// - Parameter file: The program's file.
    init(_ file: String, _ arguments: [String]) throws {
        name = ([file] + arguments).joined(separator: " ")
        let screen = try LocalPipe()
        keyboard = try LocalPipe()
        program = try RunningProgram(
            file,
            arguments,
            reading: .descriptor(keyboard.readEnd),
            printing: .descriptor(screen.writeEnd)
        )
        keyboard.closeReadEnd()
        screen.closeWriteEnd()
        Self.read(screen, into: state)
    }

    private static func read(_ screen: LocalPipe, into state: NIOLockedValueBox<State>) {
        Thread.detachNewThread {
            var rest: [UInt8] = []
            var bytes = [UInt8](repeating: 0, count: 65536)
            while case let count = Foundation.read(screen.readEnd, &bytes, bytes.count), count > 0 {
                let now = Self.now
                rest += bytes.prefix(count)
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = Line(text: String(decoding: rest[..<end], as: UTF8.self), at: now)
                    state.withLockedValue { $0.lines.append(line) }
                    rest.removeFirst(end + 1)
                }
            }
            screen.closeReadEnd()
            state.withLockedValue { $0.closed = Self.now }
        }
    }

    /// Runs a program to its end.
    static func run(_ program: String, _ arguments: [String]) throws {
        let running = try TimedProgram(program, arguments)
        while running.program.isRunning { usleep(1_000) }
        guard running.program.status == 0 else { throw BenchmarkFailure("'\(running.name)' failed.") }
    }

    static var now: Double { Date().timeIntervalSince1970 }

    /// The processor time that it has taken, in its own code and in the kernel, in seconds.
    var processorTime: Double {
        let text = (try? String(contentsOfFile: "/proc/\(program.number)/stat", encoding: .utf8)) ?? ""
        // The name of the program, in parentheses, may have spaces.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let own = Double(fields[11]), let kernel = Double(fields[12]) else { return 0 }
        return (own + kernel) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    var lines: [Line] { state.withLockedValue(\.lines) }

    /// The first matching line; nil when none was printed within some seconds.
    func line(within seconds: Double, where isMeant: (String) -> Bool) -> Line? {
        let end = Self.now + seconds
        var seen = 0
        while true {
            let lines = lines
            if let line = lines[seen...].first(where: { isMeant($0.text) }) { return line }
            seen = lines.count
            guard Self.now < end else { return nil }
            usleep(2_000)
        }
    }

    /// The time when the program began to load, in seconds since 1970.
    ///
    /// - Throws: ``BenchmarkFailure`` when it could not even be started.
    func began() throws -> Double {
        guard let line = line(within: 10, where: { $0 == Self.beginning }) else {
            throw BenchmarkFailure("'\(name)' does not start.")
        }
        return line.at
    }

    /// The time when it had ended by itself, and closed its output, in seconds since 1970.
    func ended() throws -> Double {
        for _ in 0..<10_000 {
            if let ended = state.withLockedValue(\.closed) { return ended }
            usleep(1_000)
        }
        throw BenchmarkFailure("'\(name)' does not end.")
    }

    func type(_ line: String) { keyboard.write("\(line)\n") }

    /// Ends it, and returns when it was told to end.
    @discardableResult
    func stop(_ signal: Int32 = SIGTERM) -> Double {
        let told = Self.now
        program.signal(signal)
        for _ in 0..<2_000 where program.isRunning { usleep(1_000) }
        program.kill()
        return told
    }
}
