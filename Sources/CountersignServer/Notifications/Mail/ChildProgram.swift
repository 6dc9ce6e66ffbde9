internal import Foundation
internal import NIOConcurrencyHelpers

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A program that gets its whole input at once, and is killed after a time.
///
/// Foundation's `Process` waits until the children of a program have ended, too, and a mail server may leave some
/// behind.
struct ChildProgram: Sendable {
    /// The end of a program.
    enum Ending: Sendable, Equatable {
        case status(Int32)
        case signal(Int32)
    }

    /// The program cannot be run, or its input does not fit into a pipe.
    struct StartError: Error, CustomStringConvertible {
        let description: String
    }

    private let number: pid_t
    /// The end of a pipe that reads its error output.
    private let problems: Int32
    /// A pipe whose other end is closed when the program has ended.
    private let end: (source: Int32, sink: Int32)
    /// Whether it has ended, and its number may be another's.
    private let isOver = NIOLockedValueBox(false)

    /// Starts a program. The caller waits for its end by ``ending(within:by:)``.
    ///
    /// - Parameters:
    ///   - path: The file of the program.
    ///   - arguments: Its arguments, which no shell reads.
    ///   - environment: Its whole environment.
    ///   - input: Its input.
    /// - Throws: ``StartError``.
    init(
        _ path: String, _ arguments: [String], environment: [String: String], input: [UInt8]
    ) throws(StartError) {
        let (source, sink) = try Self.pipe()
        defer { close(source) }
        // Nothing waits for the program, and none that ends early breaks the pipe.
        let isWritten = Self.put(input, to: sink)
        close(sink)
        guard isWritten else { throw StartError(description: "the input does not fit into a pipe") }
        let (problems, errors) = try Self.pipe()
        defer { close(errors) }
        do {
            end = try Self.pipe()
        } catch {
            close(problems)
            throw error
        }
        do {
            number = try Self.spawn(path, arguments, environment, reading: source, errors: errors)
            self.problems = problems
        } catch {
            for file in [problems, end.source, end.sink] { close(file) }
            throw error
        }
    }

    /// Waits for the end of the program, and kills it if it runs too long.
    ///
    /// - Parameters:
    ///   - longest: The longest time that it may run.
    ///   - clock: The time.
    /// - Returns: The end, and the beginning of the error output, in one line; `nil` for none.
    func ending(within longest: Duration, by clock: TimeSource) async -> (Ending, problem: String?) {
        let timer = Task { [isOver, number] in
            try await clock.sleep(for: longest)
            isOver.withLockedValue { if !$0 { _ = kill(-number, SIGKILL) } }
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                wait()
                close(end.sink)
            }
            Thread.detachNewThread {
                let line = problem()
                for file in [problems, end.source] { close(file) }
                continuation.resume(returning: (result(), line))
            }
        }
    }

    /// Blocks until the end of the program, whose number stays its own.
    private func wait() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }

    /// The end of the program. Its number is given back only after that is noted, so that nobody kills another program.
    private func result() -> Ending {
        wait()
        return isOver.withLockedValue { isOver in
            isOver = true
            var status: Int32 = 0
            while waitpid(number, &status, 0) < 0, errno == EINTR {}
            return status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F)
        }
    }

    /// The number of bytes of the error output that are taken.
    private static let longestProblem = 400

    /// Reads the error output until the program has ended, so that a program that writes much does not wait; returns
    /// the beginning, whose second line may be the answer of a server. Children of the program may have the pipe open.
    private func problem() -> String? {
        guard fcntl(problems, F_SETFL, O_NONBLOCK) == 0 else { return nil }
        var beginning: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        var files = [end.source, problems].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var hasEnded = false
        while !hasEnded {
            let ready = poll(&files, 2, -1)
            hasEnded = ready < 0 ? errno != EINTR : files[0].revents != 0
            let count = read(problems, &bytes, bytes.count)
            if count > 0 { beginning += bytes.prefix(min(count, Self.longestProblem - beginning.count)) }
            // Nothing more comes, and a closed pipe is always ready.
            if count == 0 { files[1].fd = -1 }
        }
        let line = TypedText.trimmed(HeaderText.singleLine(String(decoding: beginning, as: UTF8.self)))
        return line.isEmpty ? nil : line
    }

    // MARK: Starting

    /// Both ends of a pipe that nothing waits at, and that other programs do not inherit.
    private static func pipe() throws(StartError) -> (source: Int32, sink: Int32) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
        let status = Glibc.pipe(&ends)
        #elseif canImport(Musl)
        let status = Musl.pipe(&ends)
        #else
        let status = Darwin.pipe(&ends)
        #endif
        guard status == 0 else { throw StartError(description: "no pipe: \(String(cString: strerror(errno)))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func put(_ bytes: [UInt8], to file: Int32) -> Bool {
        guard fcntl(file, F_SETFL, O_NONBLOCK) == 0 else { return false }
        var written = 0
        while written < bytes.count {
            let rest = bytes[written...]
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String: String], reading source: Int32, errors: Int32
    ) throws(StartError) -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, source, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        #if os(Linux)
        try closeOthers(&actions)
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // It gets every signal, whichever of them the server ignores or blocks.
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        // A group of its own is killed with its children.
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = [POSIX_SPAWN_SETSIGDEF, POSIX_SPAWN_SETSIGMASK, POSIX_SPAWN_SETPGROUP].map { Int16($0) }
        posix_spawnattr_setflags(&attributes, flags.reduce(0, |))
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var number: pid_t = 0
        let status = posix_spawn(&number, path, &actions, &attributes, &words, &variables)
        guard status == 0 else {
            throw StartError(description: "\(path) cannot be run: \(String(cString: strerror(status)))")
        }
        return number
    }

    #if os(Linux)
    /// Leaves the program no file but its input and output: SwiftNIO's sockets are not close-on-exec.
    ///
    /// Swift does not see the function of glibc, whose header declares it for GNU sources only. Where it is missing, as
    /// in musl, all open files become close-on-exec.
    private static func closeOthers(_ actions: inout posix_spawn_file_actions_t) throws(StartError) {
        typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        if let function = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np"),
            unsafeBitCast(function, to: CloseFrom.self)(&actions, 3) == 0
        {
            return
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") else {
            throw StartError(description: "/proc/self/fd cannot be read, which names the files to close")
        }
        for file in names.compactMap({ Int32($0) }) where file > 2 { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
    }
    #endif
}
