internal import FoundationEssentialsCompat

/// The settings of an app, for both roles.
public struct NearbySettings: Sendable {
    /// The app; both ends must have the same.
    public let app: NearbyAppID
    /// This device's own name.
    public let name: PeerName
    /// The store of paired devices.
    public let pairings: any PairingStore
    /// The time.
    public let clock: TimeSource
    /// The randomness for keys, nonces and names.
    public let random: RandomSource
    /// The time limits of each wait.
    public let times: NearbyTimes
    /// The space of codes; tests use a smaller one.
    package var space = CodeSpace.standard
    /// The versions of the link that this device speaks.
    package var versions = LinkVersions.ours

    /// Settings of an app.
    public init(
        app: NearbyAppID,
        name: PeerName,
        pairings: any PairingStore,
        clock: TimeSource,
        random: RandomSource,
        times: NearbyTimes = .standard
    ) {
        self.app = app
        self.name = name
        self.pairings = pairings
        self.clock = clock
        self.random = random
        self.times = times
    }
}

extension NearbySettings {
    /// The current pairings; none when the store cannot be read, since a code works as well.
    func currentPairings(as role: Pairing.Role) -> [Pairing] {
        (try? pairings.list(for: app, as: role, at: clock.now())) ?? []
    }

    /// Stores the peer of a link with the keys of its handshake; returns whether that was written.
    ///
    /// - Parameter host: The host of the other device.
    func keep(
        _ link: EstablishedLink,
        as role: Pairing.Role,
        peerName: PeerName,
        account: String?,
        reachedAt host: String
    ) -> Bool {
        let now = clock.now()
        var pairing = Pairing(
            app: app, role: role, own: link.own, peer: link.session.peer, peerName: peerName,
            account: account ?? link.pairing?.account, made: link.pairing?.made ?? now, lastUsed: now,
            hosts: link.pairing?.hosts ?? [])
        pairing.noteHost(host)
        return (try? pairings.change { $0.keep(pairing, at: now) }) != nil
    }

    /// The remaining time of a refusal of screens that are not paired, as stored earlier by a program of this app;
    /// `nil` when they are not refused.
    func closedFor() -> Duration? {
        guard let date = (try? pairings.read())?.closedUntil[app] else { return nil }
        let left = date.timeIntervalSince(clock.now())
        return left > 0 ? .seconds(left) : nil
    }

    /// Stores that screens that are not paired are refused for a while. If it cannot be written, it holds until the
    /// process ends.
    func close(for span: Duration) {
        let now = clock.now()
        try? pairings.change { $0.close(app, until: now.addingTimeInterval(span / .seconds(1)), at: now) }
    }

    /// Records that a pairing was used.
    ///
    /// - Parameter host: The host of the other device.
    func use(_ pairing: Pairing, reachedAt host: String) {
        let now = clock.now()
        try? pairings.change { $0.use(pairing.id, reachedAt: host, at: now) }
    }
}
