#if PostgreSQL
internal import Foundation

/// The connection of one thread: made when it is first needed, and made again when it was lost.
final class ReconnectingConnection {
    private static let shortestDelay: Duration = .milliseconds(20)
    private static let longestDelay: Duration = .milliseconds(500)

    private let address: DatabaseAddress
    private let role: ConnectionRole
    private var connection: Connection?
    private var delay = ReconnectingConnection.shortestDelay

    init(to address: DatabaseAddress, as role: ConnectionRole) {
        self.address = address
        self.role = role
    }

    /// The connection as it is, or a new one.
    func connected() throws(PostgresError) -> Connection {
        if let connection, !connection.isLost { return connection }
        connection = nil
        let fresh = try Connection(to: address, as: role)
        connection = fresh
        return fresh
    }

    /// Whether there is a connection, be it lost: then what failed was not the attempt to make one.
    var isMade: Bool { connection != nil }

    /// Notes that the connection did what it was asked.
    func succeeded() {
        delay = ReconnectingConnection.shortestDelay
    }

    /// Closes the connection, whatever is left of it.
    func close() {
        connection = nil
    }

    /// Waits before the next attempt, longer each time.
    func backOff() {
        Thread.sleep(forTimeInterval: delay / .seconds(1))
        delay = min(delay * 2, Self.longestDelay)
    }
}

/// How long is waited for a database that is away.
struct Timeouts: Sendable {
    /// How long a caller waits, from its question on; then its question is refused.
    var caller: Duration = .seconds(5)
    /// How long a writer tries to find out what became of a commit, from the moment when the connection was lost. Longer
    /// than the server keeps the lock for a client that went away.
    var commitOutcome: Duration = .seconds(10)
}

/// A time in which the database cannot be reached.
struct Outage: Sendable {
    private var began: ContinuousClock.Instant?
    private var lastFailure: ContinuousClock.Instant?

    /// Notes that an attempt failed; returns whether they have failed for longer than callers wait.
    mutating func failed(at now: ContinuousClock.Instant, timeouts: Timeouts) -> Bool {
        // There was no attempt for a while, so this may be another outage.
        if let lastFailure, lastFailure.duration(to: now) > timeouts.caller { began = nil }
        let began = began ?? now
        self.began = began
        lastFailure = now
        return began.duration(to: now) >= timeouts.caller
    }

    /// Notes that an attempt succeeded.
    mutating func ended() {
        began = nil
    }
}
#endif
