internal import Foundation
internal import NIOConcurrencyHelpers

/// Writes to standard output without buffering, and records failures: output may be available only once.
final class StandardOutput: Sendable {
    static let shared = StandardOutput()

    private struct State {
        /// The error number of the first write that failed.
        var failure: Int32?
        var followers: [@Sendable () -> Void] = []
    }

    private let state = NIOLockedValueBox(State())

    /// Writes text; after a failure nothing more is written.
    func put(_ text: String) {
        guard state.withLockedValue({ $0.failure == nil }) else { return }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count < 0 else {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                poll(&output, 1, -1)
            case let number: return fail(number)
            }
        }
    }

    /// Calls `act` when a write fails; at once if one has failed.
    func whenLost(_ act: @escaping @Sendable () -> Void) {
        let isLost = state.withLockedValue { state in
            state.followers.append(act)
            return state.failure != nil
        }
        if isLost { act() }
    }

    /// The failure of the command when not all was written; `nil` when all was.
    var loss: CommandError? {
        guard let number = state.withLockedValue(\.failure) else { return nil }
        // A reader who closed the pipe needs no more.
        guard number != EPIPE else { return CommandError("", status: .outputClosed) }
        let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        return CommandError(
            """
            Standard output cannot be written (\(reason)), so the rest was not shown. What was done stays done: a new secret that \
            was not shown is lost, so make another one in its place.
            """
        )
    }

    private func fail(_ number: Int32) {
        let followers = state.withLockedValue { state in
            if state.failure == nil { state.failure = number }
            return state.followers
        }
        for follower in followers { follower() }
    }
}
