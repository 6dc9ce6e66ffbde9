/// The requester that is served, and the queue behind it: remembered screens before strangers, otherwise in order of
/// arrival.
struct WaitingQueue: Sendable {
    /// A requester that waits.
    private struct Place: Sendable {
        /// Its connection.
        let id: ConnectionID
        /// Whether it is remembered, so that it is served before strangers.
        let isPaired: Bool
    }

    /// The requester that is served.
    private(set) var head: ConnectionID?
    /// Those that wait, the next one first.
    private var waiting: [Place] = []
    /// How many strangers may wait, and how many that are remembered.
    private let longest: Int

    /// An empty queue.
    init(longest: Int) {
        self.longest = longest
    }

    /// Joins the queue; returns `false` when too many wait. Strangers cannot take the places of paired requesters.
    mutating func join(_ id: ConnectionID, isPaired: Bool) -> Bool {
        guard head != id, !waiting.contains(where: { $0.id == id }) else { return true }
        guard head != nil else {
            head = id
            return true
        }
        guard waiting.count(where: { $0.isPaired == isPaired }) < longest else { return false }
        let place = isPaired ? waiting.firstIndex { !$0.isPaired } ?? waiting.endIndex : waiting.endIndex
        waiting.insert(Place(id: id, isPaired: isPaired), at: place)
        return true
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
