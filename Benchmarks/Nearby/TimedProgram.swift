internal import Foundation
internal import NIOConcurrencyHelpers

/// A program in a process of its own, with the time at which it printed each line.
final class TimedProgram: Sendable {
    /// What is printed before the program is loaded.
    static let beginning = "It begins."

    struct Line: Sendable {
        let text: String
        /// In seconds since 1970, which is how the kernel dates packets.
        let at: Double
    }

    private struct State {
        var lines: [Line] = []
        var closed: Double?
        var status: Int32?
    }

    private let name: String
    private let number: pid_t
    private let input: Int32
    private let state = NIOLockedValueBox(State())

    /// Does not use Foundation's `Process`, which considers a program running until the daemons that it started have ended.
    init(_ program: String, _ arguments: [String]) throws {
        let words = [program] + arguments
        name = words.joined(separator: " ")
        var (fromUs, toUs): ([Int32], [Int32]) = ([0, 0], [0, 0])
        guard pipe(&fromUs) == 0, pipe(&toUs) == 0 else {
            throw Trouble("No pipe can be had for '\(name)'.")
        }
        for end in fromUs + toUs { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, fromUs[0], 0)
        posix_spawn_file_actions_adddup2(&actions, toUs[1], 1)
        posix_spawn_file_actions_adddup2(&actions, toUs[1], 2)
        // This process's threads block signals, and programs would inherit that.
        var (attributes, none) = (posix_spawnattr_t(), sigset_t())
        posix_spawnattr_init(&attributes)
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        var (given, around) = (words.map { strdup($0) } + [nil], environment.map { strdup($0) } + [nil])
        var number: pid_t = 0
        let failure = posix_spawnp(&number, program, &actions, &attributes, &given, &around)
        for text in given + around { free(text) }
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
        close(fromUs[0])
        close(toUs[1])
        (self.number, input) = (number, fromUs[1])
        guard failure == 0 else { throw Trouble("'\(name)' can't be started: \(String(cString: strerror(failure)))") }
        Self.read(toUs[0], into: state)
    }

    private static func read(_ output: Int32, into state: NIOLockedValueBox<State>) {
        Thread.detachNewThread {
            var rest: [UInt8] = []
            var bytes = [UInt8](repeating: 0, count: 65536)
            while case let count = Foundation.read(output, &bytes, bytes.count), count > 0 {
                let now = Self.now
                rest += bytes.prefix(count)
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = Line(text: String(decoding: rest[..<end], as: UTF8.self), at: now)
                    state.withLockedValue { $0.lines.append(line) }
                    rest.removeFirst(end + 1)
                }
            }
            close(output)
            state.withLockedValue { $0.closed = Self.now }
        }
    }

    /// Runs a program to its end.
    static func run(_ program: String, _ arguments: [String]) throws {
        let running = try TimedProgram(program, arguments)
        while running.status == nil { usleep(1_000) }
        guard running.status == 0 else { throw Trouble("'\(running.name)' failed.") }
    }

    static var now: Double { Date().timeIntervalSince1970 }

    var lines: [Line] { state.withLockedValue(\.lines) }

    /// As `waitpid` tells it; nil while it runs.
    private var status: Int32? {
        state.withLockedValue { state in
            var status: Int32 = 0
            if state.status == nil, waitpid(number, &status, WNOHANG) == number { state.status = status }
            return state.status
        }
    }

    /// When the first matching line was printed; nil when none was printed within some seconds.
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

    /// When the program began to load.
    ///
    /// - Throws: ``Trouble`` when it could not even be started.
    func began() throws -> Double {
        guard let line = line(within: 10, where: { $0 == Self.beginning }) else {
            throw Trouble("'\(name)' does not start.")
        }
        return line.at
    }

    /// When it had ended by itself, and closed its output.
    func ended() throws -> Double {
        for _ in 0..<10_000 {
            if let ended = state.withLockedValue(\.closed) { return ended }
            usleep(1_000)
        }
        throw Trouble("'\(name)' does not end.")
    }

    func type(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(input, bytes, bytes.count)
    }

    /// Ends it, and returns when it was told to end.
    @discardableResult
    func stop(_ signal: Int32 = SIGTERM) -> Double {
        let told = Self.now
        if status == nil { kill(number, signal) }
        for _ in 0..<2_000 where status == nil { usleep(1_000) }
        if status == nil { kill(number, SIGKILL) }
        while status == nil { usleep(1_000) }
        return told
    }

    deinit {
        if status == nil { kill(number, SIGKILL) }
        close(input)
    }
}
