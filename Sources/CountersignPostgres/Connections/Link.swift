#if PostgreSQL
internal import Foundation

/// The connection of one thread: made when it is first needed, and made again when it was lost.
final class Link {
    private let address: DatabaseAddress
    private let role: ConnectionRole
    private var connection: Connection?
    private var pause = Patience.firstPause

    init(to address: DatabaseAddress, as role: ConnectionRole) {
        self.address = address
        self.role = role
    }

    /// The connection as it is, or a new one.
    func connected() throws(DatabaseTrouble) -> Connection {
        if let connection, !connection.isLost { return connection }
        connection = nil
        let fresh = try Connection(to: address, as: role)
        connection = fresh
        return fresh
    }

    /// Notes that the connection did what it was asked.
    func succeeded() {
        pause = Patience.firstPause
    }

    /// Closes the connection, whatever is left of it.
    func drop() {
        connection = nil
    }

    /// Waits before the next attempt, longer each time.
    func rest() {
        Thread.sleep(forTimeInterval: pause / .seconds(1))
        pause = min(pause * 2, Patience.longestPause)
    }
}

/// How long callers wait for a database that is away.
enum Patience {
    /// From the question on; then the caller is told to come again later.
    static let ofCallers: Duration = .seconds(5)
    /// To find out what became of a commit, from the moment when the connection was lost. Longer than the server keeps
    /// the lock for one who went away.
    static let forOutcome: Duration = .seconds(10)
    static let firstPause: Duration = .milliseconds(20)
    static let longestPause: Duration = .milliseconds(500)
    /// The most who may wait in one line.
    static let longestLine = 10_000
}
#endif
