#if PostgreSQL
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A pipe that wakes a thread that waits for input.
final class WakeupPipe: Sendable {
    enum Event {
        case wakeup, input, timeout
    }

    private let readEnd: Int32
    private let writeEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Wakes the waiting thread, and makes every later wait return at once.
    func signal() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    /// Waits for the signal, or for input, for so many milliseconds at most.
    func wait(orInput descriptor: Int32, for milliseconds: Int32) -> Event {
        var watched = [
            pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&watched, nfds_t(watched.count), milliseconds) != 0 else { return .timeout }
        // An interrupting signal is treated as input; checking for input is cheap.
        return watched[0].revents != 0 ? .wakeup : .input
    }
}
#endif
