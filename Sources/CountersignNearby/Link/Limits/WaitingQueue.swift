/// The requester that is served, and the queue behind it: remembered screens first, then strangers whose address has
/// not waited lately, then other strangers, hasty ones last; otherwise in order of arrival.
struct WaitingQueue: Sendable {
    /// Who waits.
    enum Standing: Int, Sendable {
        /// It is remembered.
        case paired
        /// A stranger whose address has not waited lately.
        case newcomer
        /// A stranger whose address has.
        case returning
        /// A stranger whose address sends more first frames than it may begin handshakes.
        case hasty
    }

    /// A requester that waits.
    private struct Entry: Sendable {
        /// Its connection.
        let id: ConnectionID
        /// Who it is.
        let standing: Standing
    }

    /// The requester that is served.
    private(set) var head: ConnectionID?
    /// Those that wait, the next one first.
    private var waiting: [Entry] = []
    /// How many strangers may wait, and how many that are remembered.
    private let longest: Int

    /// An empty queue.
    init(longest: Int) {
        self.longest = longest
    }

    /// Joins the queue. Strangers cannot take the places of paired requesters; where too many wait, a stranger takes
    /// the place of the last one that comes after it by its standing: a newcomer that of one whose address has waited
    /// before, and both that of a hasty one.
    ///
    /// - Parameters:
    ///   - id: Which connection it is.
    ///   - standing: Who it is.
    /// - Returns: The connections that lose their places; `nil` when too many wait.
    mutating func join(_ id: ConnectionID, as standing: Standing) -> [ConnectionID]? {
        guard head != id, !waiting.contains(where: { $0.id == id }) else { return [] }
        guard head != nil else {
            head = id
            return []
        }
        var displaced: [ConnectionID] = []
        if waiting.count(where: { ($0.standing == .paired) == (standing == .paired) }) >= longest {
            guard standing != .paired,
                let last = waiting.lastIndex(where: { $0.standing.rawValue > standing.rawValue })
            else { return nil }
            displaced = [waiting.remove(at: last).id]
        }
        let place = waiting.firstIndex { $0.standing.rawValue > standing.rawValue } ?? waiting.endIndex
        waiting.insert(Entry(id: id, standing: standing), at: place)
        return displaced
    }

    /// Leaves the queue; the next one moves up.
    mutating func leave(_ id: ConnectionID) {
        waiting.removeAll { $0.id == id }
        guard head == id else { return }
        head = waiting.isEmpty ? nil : waiting.removeFirst().id
    }

    /// The waiting requesters, the next one first.
    var places: [ConnectionID] { waiting.map(\.id) }
}
