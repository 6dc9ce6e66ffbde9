#if PostgreSQL
internal import CountersignStorage
internal import Foundation

/// The connection of one thread: made when it is first needed, and made again when it was lost.
final class ReconnectingConnection {
    private static let shortestDelay: Duration = .milliseconds(20)
    private static let longestDelay: Duration = .milliseconds(500)

    private let address: DatabaseAddress
    private let role: ConnectionRole
    private let answerTimeout: Duration?
    private var connection: PostgresConnection?
    private var delay = ReconnectingConnection.shortestDelay

    /// - Parameter answerTimeout: The longest silence of the server while an answer is awaited, in steps of 50 ms;
    ///   `nil`, the default, for as long as a connection lasts.
    init(to address: DatabaseAddress, as role: ConnectionRole, answerTimeout: Duration? = nil) {
        self.address = address
        self.role = role
        self.answerTimeout = answerTimeout
    }

    /// The current connection, or a new one if it is lost.
    func connected() throws(PostgresError) -> PostgresConnection {
        if let connection, !connection.isLost { return connection }
        connection = nil
        let fresh = try PostgresConnection(to: address, as: role, answerTimeout: answerTimeout)
        connection = fresh
        return fresh
    }

    /// Whether a connection was made, even if it is lost now; otherwise the failure was in connecting.
    var isMade: Bool { connection != nil }

    /// Records a success, which resets the delay.
    func succeeded() {
        delay = ReconnectingConnection.shortestDelay
    }

    /// Closes the connection, lost or not.
    func close() {
        connection = nil
    }

    /// Waits before the next attempt, longer each time.
    func backOff() {
        Thread.sleep(forTimeInterval: delay / .seconds(1))
        delay = min(delay * 2, Self.longestDelay)
    }
}

/// The times that the store waits for an unreachable database.
struct Timeouts: Sendable {
    /// The time that a caller waits; then it is refused.
    var caller: Duration = StoreQueue.longestWait
    /// The longest silence of the server while a lookup is answered: longer than it lets one run.
    var answer: Duration = .seconds(8)
    /// The time that a batch may take; then its callers get an unknown outcome. A statement has a time limit at the
    /// server, but a commit that waits for a synchronous standby has none.
    var commit: Duration = .seconds(15)
    /// The time that a writer has for finding out whether a commit succeeded, after the connection was lost: longer
    /// than the server keeps the lock of a disconnected client.
    var commitOutcome: Duration = .seconds(10)
}

/// A period without a reachable database.
struct Outage: Sendable {
    private var began: ContinuousClock.Instant?
    private var lastFailure: ContinuousClock.Instant?

    /// Records that an attempt failed; returns whether they have failed for longer than callers wait.
    mutating func failed(at now: ContinuousClock.Instant, timeouts: Timeouts) -> Bool {
        // There was no attempt for a while, so this may be another outage.
        if let lastFailure, lastFailure.duration(to: now) > timeouts.caller { began = nil }
        let began = began ?? now
        self.began = began
        lastFailure = now
        return began.duration(to: now) >= timeouts.caller
    }

    /// Records that an attempt succeeded.
    mutating func ended() {
        began = nil
    }
}
#endif
