internal import Foundation

/// The terminal of the person who started a program that calls a helper. The helper's own standard input and output are
/// the program's.
struct ControllingTerminal: Sendable {
    private let descriptor: Int32

    /// Opens it; `nil` when there is none, or it belongs to another job now.
    init?() {
        descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        // A job in the background would be stopped when it reads.
        guard tcgetpgrp(descriptor) == getpgrp() else {
            close(descriptor)
            return nil
        }
    }

    /// Runs `body` while this terminal is standard input and output, and puts these back.
    func asStandardStreams(_ body: () async throws -> Void) async throws {
        let streams = [STDIN_FILENO, STDOUT_FILENO]
        let kept = streams.map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
        for stream in streams { dup2(descriptor, stream) }
        defer {
            for (stream, copy) in zip(streams, kept) {
                if copy >= 0 {
                    dup2(copy, stream)
                    close(copy)
                } else {
                    close(stream)
                }
            }
            close(descriptor)
        }
        try await body()
    }
}
