/// The number of items in flight at a node, by lane and receiver.
struct ItemsInFlight<Receiver: Hashable & Sendable>: Sendable {
    private var counts: [DeliveryLane: [Receiver: Int]] = [:]

    /// Whether there are none.
    var isEmpty: Bool { counts.values.allSatisfy(\.isEmpty) }

    /// The number of further items that fit into a lane.
    func room(in lane: DeliveryLane) -> Int {
        lane.slots - (counts[lane]?.values.reduce(0, +) ?? 0)
    }

    /// Whether one more item for a receiver fits into a lane.
    func hasRoom(for receiver: Receiver, in lane: DeliveryLane) -> Bool {
        room(in: lane) > 0 && (counts[lane]?[receiver] ?? 0) < lane.slotsPerReceiver
    }

    /// The receivers that have used up their slots in a lane.
    func fullReceivers(in lane: DeliveryLane) -> Set<Receiver> {
        Set((counts[lane] ?? [:]).filter { $0.value >= lane.slotsPerReceiver }.keys)
    }

    /// Adds an item.
    mutating func begin(_ receiver: Receiver, in lane: DeliveryLane) {
        counts[lane, default: [:]][receiver, default: 0] += 1
    }

    /// Removes an item.
    mutating func end(_ receiver: Receiver, in lane: DeliveryLane) {
        guard let count = counts[lane]?[receiver] else { return }
        counts[lane]?[receiver] = count > 1 ? count - 1 : nil
    }
}
