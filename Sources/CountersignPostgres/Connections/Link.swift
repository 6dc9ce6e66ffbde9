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

    /// Whether there is a connection, be it lost: then what failed was not the attempt to make one.
    var isMade: Bool { connection != nil }

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
#endif
