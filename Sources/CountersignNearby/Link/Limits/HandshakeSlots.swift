/// The connections in a handshake. Slots are few; honest handshakes take milliseconds, so the oldest one is evicted.
struct HandshakeSlots: Sendable {
    /// A stranger in a handshake.
    private struct Place: Sendable {
        /// Its connection.
        let id: ConnectionID
        /// Its address.
        let address: NearbyAddress
    }

    /// The oldest first.
    private var strangers: [Place] = []
    /// The connections that gave the hint of a pairing, the oldest first.
    private var hinted: [ConnectionID] = []
    /// The handshakes that strangers have begun within a minute.
    private var starts = RecentEvents<NearbyAddress>(within: .seconds(60))
    /// How many handshakes are allowed.
    private let limits: ListenerLimits

    /// Slots without handshakes.
    init(limits: ListenerLimits) {
        self.limits = limits
    }

    /// A requester has connected; returns the connections to be closed for it.
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

    /// Its first frame has a valid hint of a pairing: it gets a separate slot. Returns the connections to be closed for
    /// it.
    mutating func hint(_ id: ConnectionID) -> [ConnectionID] {
        strangers.removeAll { $0.id == id }
        hinted.append(id)
        return hinted.count > limits.hinted ? [hinted.removeFirst()] : []
    }

    /// Its first frame has no valid hint; returns whether it may continue.
    mutating func start(_ id: ConnectionID, at now: ContinuousClock.Instant) -> Bool {
        guard let place = strangers.first(where: { $0.id == id }),
            starts.count(of: place.address, at: now) < limits.startsPerAddress, starts.count(at: now) < limits.starts
        else { return false }
        starts.add(place.address, at: now)
        return true
    }

    /// Its handshake is over, successful or not.
    mutating func leave(_ id: ConnectionID) {
        strangers.removeAll { $0.id == id }
        hinted.removeAll { $0 == id }
    }

    /// How many handshakes are under way.
    var count: Int { strangers.count + hinted.count }
}

/// Identifies a connection of a listener.
package struct ConnectionID: Sendable, Hashable {
    /// Counts the connections of a listener.
    let number: UInt64

    /// The connection of that number.
    package init(_ number: UInt64) {
        self.number = number
    }
}
