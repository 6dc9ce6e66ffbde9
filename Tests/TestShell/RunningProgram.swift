package import Foundation
internal import NIOConcurrencyHelpers

/// A program that runs beside a test, and is ended with it at the latest.
///
/// Like ``Shell`` not by Foundation's `Process`, and because that needs a run loop of its own to learn of ends.
package final class RunningProgram: Sendable {
    /// Its process identifier.
    package let number: pid_t
    private let end = NIOLockedValueBox<Int32?>(nil)

    /// Its input.
    package enum Input {
        case nothing
        case file(URL)
        case descriptor(Int32)
    }

    /// The destination of its output.
    package enum Output {
        case nowhere
        /// A new file.
        case file(URL)
        case descriptor(Int32)
        /// The same; its error output goes where ours goes.
        case answers(Int32)
    }

    package struct NotStarted: Error {
        package let program: String
        package let reason: String
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: The program's file.
    ///   - environment: All of its environment; `nil` for ours.
    package init(
        _ path: String,
        _ arguments: [String],
        environment: [String: String]? = nil,
        reading input: Input = .nothing,
        printing output: Output
    ) throws {
        let read = try Self.open(input, for: path)
        defer { if !input.isLent { close(read) } }
        let written = try Self.open(output, for: path)
        defer { if !output.isLent { close(written) } }

        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, read, 0)
        posix_spawn_file_actions_adddup2(&actions, written, 1)
        if !output.isForAnswersOnly { posix_spawn_file_actions_adddup2(&actions, written, 2) }
        #if os(Linux)
        Self.closeOthers(&actions)
        #endif

        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // It hears every signal, whichever of them this process ignores or holds back.
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        let flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let surroundings = environment ?? ProcessInfo.processInfo.environment
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var settings: [UnsafeMutablePointer<CChar>?] = surroundings.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var number: pid_t = 0
        let status = posix_spawn(&number, path, &actions, &attributes, &words, &settings)
        guard status == 0 else { throw NotStarted(program: path, reason: String(cString: strerror(status))) }
        self.number = number
    }

    deinit { kill() }

    /// Its exit status, or the number of the signal that ended it; `nil` as long as it runs.
    package var status: Int32? {
        end.withLockedValue { end in
            if let end { return end }
            var status: Int32 = 0
            switch waitpid(number, &status, WNOHANG) {
            case number: end = status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
            case 0: break
            default: if errno != EINTR { end = -1 }
            }
            return end
        }
    }

    package var isRunning: Bool { status == nil }

    /// Sends it a signal; nothing happens when it has ended.
    package func signal(_ signal: Int32) {
        // Its number belongs to it until somebody has asked how it ended.
        if isRunning { _ = Foundation.kill(number, signal) }
    }

    /// Ends it as a loss of power would, and waits until it is gone.
    package func kill() {
        signal(SIGKILL)
        while isRunning { usleep(500) }
    }

    /// Waits for its end, and gives up after some minutes.
    ///
    /// - Returns: Its ``status``; `nil` if it runs on.
    package func ended() async throws -> Int32? {
        for _ in 0..<60_000 where isRunning { try await Task.sleep(for: .milliseconds(5)) }
        return status
    }

    #if os(Linux)
    /// Lets the program have no descriptor but its input and output.
    ///
    /// SwiftNIO's sockets are not close-on-exec: a program that keeps copies of those of other tests keeps their ports
    /// taken and their connections open, as long as it runs. Swift does not see the function of glibc, whose header
    /// declares it for GNU sources only.
    private static func closeOthers(_ actions: inout posix_spawn_file_actions_t) {
        typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        guard let function = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
        _ = unsafeBitCast(function, to: CloseFrom.self)(&actions, 3)
    }
    #endif

    private static func open(_ input: Input, for program: String) throws -> Int32 {
        switch input {
        case .nothing: try open("/dev/null", O_RDONLY, for: program)
        case .file(let file): try open(file.path, O_RDONLY, for: program)
        case .descriptor(let descriptor): descriptor
        }
    }

    private static func open(_ output: Output, for program: String) throws -> Int32 {
        switch output {
        case .nowhere: try open("/dev/null", O_WRONLY, for: program)
        case .file(let file): try open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, for: program)
        case .descriptor(let descriptor), .answers(let descriptor): descriptor
        }
    }

    private static func open(_ path: String, _ flags: Int32, for program: String) throws -> Int32 {
        let descriptor = Foundation.open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw NotStarted(program: program, reason: "\(path): \(String(cString: strerror(errno)))")
        }
        return descriptor
    }
}

extension RunningProgram.Input {
    fileprivate var isLent: Bool { if case .descriptor = self { true } else { false } }
}

extension RunningProgram.Output {
    fileprivate var isLent: Bool {
        switch self {
        case .descriptor, .answers: true
        case .nowhere, .file: false
        }
    }

    fileprivate var isForAnswersOnly: Bool { if case .answers = self { true } else { false } }
}
