#if PostgreSQL
internal import CLibPQ

extension PostgresConnection {
    /// The socket.
    var descriptor: Int32 { PQsocket(handle) }

    /// Sends an empty query; its answer comes as input.
    func sendProbe() throws(PostgresError) {
        guard PQsendQuery(handle, "") == 1 else { throw loss() }
    }

    /// The received notifications of other nodes.
    func receivedNotifications() throws(PostgresError) -> [String] {
        guard PQconsumeInput(handle) == 1 else { throw loss() }
        while PQisBusy(handle) == 0, let result = PQgetResult(handle) { PQclear(result) }
        var texts: [String] = []
        while let notification = PQnotifies(handle) {
            texts.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        if isLost { throw loss() }
        return texts
    }
}
#endif
