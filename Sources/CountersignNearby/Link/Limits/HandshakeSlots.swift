/// The connections in a handshake. Slots are few; honest handshakes take milliseconds, so the oldest one is evicted.
struct HandshakeSlots: Sendable {
    /// A stranger in a handshake.
    private struct Slot: Sendable {
        /// Its connection.
        let id: ConnectionID
        /// Its address.
        let address: NearbyAddress
        /// Whether its address was suspected when it connected.
        let isSuspected: Bool
        /// Whether its first frame has arrived.
        var hasSpoken = false
    }

    /// The oldest first.
    private var strangers: [Slot] = []
    /// The connections that gave the hint of a pairing, the oldest first.
    private var hinted: [(id: ConnectionID, address: NearbyAddress?)] = []
    /// The handshakes that strangers have begun within a minute, beyond those that are their addresses' own.
    private var starts = RecentEvents<NearbyAddress>(within: .seconds(60))
    /// The handshakes that strangers have begun within a minute, and that are their addresses' own.
    private var ownStarts = RecentEvents<NearbyAddress>(within: .seconds(60))
    /// The addresses that often connect without a handshake. An honest requester sends its first frame at once; one
    /// whose connection was closed before that frame arrived, as may happen in a crowd, is not among them at once.
    private var silent: FrequentAddressTracker
    /// The addresses that send more first frames than they may begin handshakes.
    private var hasty: FrequentAddressTracker
    /// How many handshakes are allowed.
    private let limits: ListenerLimits

    /// Slots without handshakes.
    init(limits: ListenerLimits) {
        self.limits = limits
        silent = FrequentAddressTracker(least: limits.silences)
        hasty = FrequentAddressTracker(least: limits.startsPerAddress + 1)
    }

    /// A requester has connected; returns the connections to be closed for it.
    ///
    /// Addresses that often connect without a handshake, and hasty ones, share few slots, and give way to all others:
    /// however often they connect, a newcomer's slot is its own for as long as a handshake takes.
    mutating func arrive(
        _ id: ConnectionID,
        from address: NearbyAddress,
        at now: ContinuousClock.Instant
    ) -> [ConnectionID] {
        let isSuspected = silent.isFrequent(address, at: now) || isHasty(address, at: now)
        var evicted: [ConnectionID] = []
        if strangers.count(where: { $0.address == address }) >= limits.halfOpenPerAddress {
            evicted += evict(at: now) { $0.address == address }
        }
        if isSuspected, strangers.count(where: \.isSuspected) >= limits.halfOpenSilent {
            evicted += evict(at: now, where: \.isSuspected)
        }
        if strangers.count >= limits.halfOpen {
            let suspected = evict(at: now, where: \.isSuspected)
            evicted += suspected.isEmpty ? evict(at: now) { _ in true } : suspected
        }
        strangers.append(Slot(id: id, address: address, isSuspected: isSuspected))
        return evicted
    }

    /// Evicts the oldest of some.
    private mutating func evict(
        at now: ContinuousClock.Instant,
        where isMeant: (Slot) -> Bool
    ) -> [ConnectionID] {
        guard let oldest = strangers.first(where: isMeant) else { return [] }
        leave(oldest.id, at: now)
        return [oldest.id]
    }

    /// Its first frame has arrived, and is well formed.
    mutating func speak(_ id: ConnectionID) {
        guard let index = strangers.firstIndex(where: { $0.id == id }) else { return }
        strangers[index].hasSpoken = true
    }

    /// Its first frame has a valid hint of a pairing: it gets a separate slot. Returns the connections to be closed for
    /// it.
    ///
    /// The oldest of the address with the most is closed, so that an address that replays frames of a paired requester
    /// displaces its own connections.
    mutating func hint(_ id: ConnectionID) -> [ConnectionID] {
        let address = strangers.first { $0.id == id }?.address
        strangers.removeAll { $0.id == id }
        hinted.append((id, address))
        guard hinted.count > limits.hinted else { return [] }
        let counts = hinted.reduce(into: [:]) { counts, place in counts[place.address, default: 0] += 1 }
        let most = counts.values.max()
        guard let oldest = hinted.firstIndex(where: { counts[$0.address] == most }) else { return [] }
        return [hinted.remove(at: oldest).id]
    }

    /// Its first frame has no valid hint: that is counted, whether it may continue or not.
    mutating func noteFirstFrame(of id: ConnectionID, at now: ContinuousClock.Instant) {
        guard let address = strangers.first(where: { $0.id == id })?.address else { return }
        hasty.note(address, at: now)
    }

    /// Whether an address has sent more first frames within a minute than it may begin handshakes. No honest requester
    /// does: the pauses after which it asks again by itself are too long for that.
    func isHasty(_ address: NearbyAddress, at now: ContinuousClock.Instant) -> Bool {
        hasty.isFrequent(address, at: now)
    }

    /// Its first frame has no valid hint; returns whether it may continue.
    mutating func start(_ id: ConnectionID, at now: ContinuousClock.Instant) -> Bool {
        guard let address = strangers.first(where: { $0.id == id })?.address else { return false }
        let own = ownStarts.count(of: address, at: now)
        guard own + starts.count(of: address, at: now) < limits.startsPerAddress else { return false }
        // Each address has starts of its own, which addresses that come more often cannot use up.
        if own < limits.ownStarts {
            guard ownStarts.count(at: now) < limits.allOwnStarts else { return false }
            ownStarts.add(address, at: now)
        } else {
            guard starts.count(at: now) < limits.starts else { return false }
            starts.add(address, at: now)
        }
        return true
    }

    /// Its handshake is over, successful or not, or its connection is closed.
    mutating func leave(_ id: ConnectionID, at now: ContinuousClock.Instant) {
        if let place = strangers.first(where: { $0.id == id }), !place.hasSpoken { silent.note(place.address, at: now) }
        strangers.removeAll { $0.id == id }
        hinted.removeAll { $0.id == id }
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
