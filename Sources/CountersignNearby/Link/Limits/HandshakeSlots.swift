/// Who is in the middle of a handshake. Places are few; honest handshakes take milliseconds, so the oldest gives way.
struct HandshakeSlots: Sendable {
    private struct Place: Sendable {
        let id: ConnectionID
        let address: NearbyAddress
    }

    /// The oldest first.
    private var strangers: [Place] = []
    private var hinted: [ConnectionID] = []
    private var starts = RecentEvents<NearbyAddress>(within: .seconds(60))
    private let limits: ListenerLimits

    init(limits: ListenerLimits) {
        self.limits = limits
    }

    /// Somebody has connected; says who has to go.
    mutating func arrive(_ id: ConnectionID, from address: NearbyAddress) -> [ConnectionID] {
        var evicted: [ConnectionID] = []
        if strangers.count(where: { $0.address == address }) >= limits.halfOpenPerAddress,
            let oldest = strangers.firstIndex(where: { $0.address == address })
        {
            evicted.append(strangers.remove(at: oldest).id)
        }
        if strangers.count >= limits.halfOpen { evicted.append(strangers.removeFirst().id) }
        strangers.append(Place(id: id, address: address))
        return evicted
    }

    /// Its first frame gave the hint of a pairing: it has a place beside the strangers'. Says who has to go for it.
    mutating func hint(_ id: ConnectionID) -> [ConnectionID] {
        strangers.removeAll { $0.id == id }
        hinted.append(id)
        return hinted.count > limits.hinted ? [hinted.removeFirst()] : []
    }

    /// Its first frame gave none: may it go on?
    mutating func start(_ id: ConnectionID, at now: ContinuousClock.Instant) -> Bool {
        guard let place = strangers.first(where: { $0.id == id }),
            starts.count(of: place.address, at: now) < limits.startsPerAddress, starts.count(at: now) < limits.starts
        else { return false }
        starts.add(place.address, at: now)
        return true
    }

    /// Its handshake is over, one way or the other.
    mutating func leave(_ id: ConnectionID) {
        strangers.removeAll { $0.id == id }
        hinted.removeAll { $0 == id }
    }

    var count: Int { strangers.count + hinted.count }
}

/// A connection, as its listener calls it.
package struct ConnectionID: Sendable, Hashable {
    let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}
