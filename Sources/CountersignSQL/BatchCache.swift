internal import Countersign
internal import CountersignServer

/// What the changes of one batched transaction share: counters that are written once, clients that are read once, and
/// rows that were fetched ahead.
///
/// Most changes of a busy server are for the same few clients. Used by one thread only.
package final class BatchCache {
    /// The counters.
    package let counts = BatchRateCounters()
    /// The rows that the changes announced they would look up.
    package let prefetched = PrefetchedRows()
    /// The clients that were looked up, as they are in the transaction; `nil` for those that do not exist.
    private var clients: [ClientID: Client?] = [:]

    package init() {}

    /// Begins another change; what earlier ones counted stays.
    package func beginChange() {
        counts.beginChange()
    }

    /// Undoes the counts of the current change, and forgets clients that it may have written.
    package func undoChange() {
        counts.undoChange()
        forgetClients()
        prefetched.forgetAll()
    }

    /// A client; `lookUp` finds it in the table.
    func client(_ id: ClientID, _ lookUp: () throws -> Client?) rethrows -> Client? {
        if let client = clients[id] { return client }
        let client = try lookUp()
        clients[id] = .some(client)
        return client
    }

    /// Forgets all clients, because the table has changed.
    func forgetClients() {
        clients = [:]
    }
}
