internal import Foundation
internal import UnixSignals

/// A program that takes the place of this one, and inherits what this one did: descriptors, ignored signals.
struct SuccessorProgram: Sendable {
    /// The descriptors that were open at the start.
    private let descriptors: Set<Int32>
    /// The signals that were ignored at the start.
    private let ignored: Set<Int32>

    /// The signals whose meaning this program may change for itself.
    private static let changed = [SIGINT, SIGTERM, SIGHUP, SIGPIPE]

    /// Notes what this program inherited; to be made before it opens or traps anything.
    init() {
        descriptors = Self.open
        ignored = Set(Self.changed.filter(UnixSignal.isIgnored))
    }

    private static var open: Set<Int32> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
        // The one of the directory is among them, and closed by now.
        return Set(names.compactMap { Int32($0) }.filter { fcntl($0, F_GETFD) >= 0 })
    }

    /// A file without a name that the successor can open.
    ///
    /// - Returns: Its path for the successor, which alone inherits it.
    /// - Throws: a ``CommandError`` when it cannot be written.
    func file(with text: String) throws(CommandError) -> String {
        var path = Array("\(NSTemporaryDirectory())/countersign-XXXXXX".utf8CString)
        // Its mode is 0600 from its creation, and the successor inherits it.
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw CommandError("A file for the token cannot be made (\(Self.reason)).") }
        unlink(path)
        let bytes = Array(text.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw CommandError("The file for the token cannot be written (\(Self.reason)).")
        }
        return "/dev/fd/\(descriptor)"
    }

    /// Runs the successor in place of this program.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments; not empty.
    ///   - variable: The name and the value of a further variable. A descriptor that the value leads to is inherited.
    /// - Throws: a ``CommandError`` when the program cannot be run, with the status of env(1) and nohup(1).
    func run(_ command: [String], with variable: (name: String, value: String)) throws(CommandError) {
        for descriptor in Self.open.subtracting(descriptors) where variable.value != "/dev/fd/\(descriptor)" {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        for number in Self.changed { signal(number, ignored.contains(number) ? SIG_IGN : SIG_DFL) }
        // The threads of the runtime block signals, which would stay blocked.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        setenv(variable.name, variable.value, 1)
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
        arguments.append(nil)
        execvp(command[0], arguments)
        let (failure, reason) = (errno, Self.reason)
        for argument in arguments { free(argument) }
        throw CommandError(
            "\(command[0].shown) cannot be run (\(reason)).", status: failure == ENOENT ? .notFound : .notRun)
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
