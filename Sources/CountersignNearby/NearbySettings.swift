public import Countersign

/// What an app says about itself to both roles, and what it hands in.
public struct NearbySettings: Sendable {
    /// Which app it is; both ends must have the same.
    public let app: NearbyAppID
    /// What this device calls itself.
    public let name: PeerName
    /// Where remembered devices are kept.
    public let pairings: any PairingStore
    public let clock: TimeSource
    public let random: RandomSource
    public let times: NearbyTimes
    package var space = CodeSpace.standard
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
    /// Those who are remembered now; none when the store cannot be read, since a code does as well.
    func currentPairings(as role: Pairing.Role) -> [Pairing] {
        (try? pairings.list(for: app, as: role, at: clock.now())) ?? []
    }

    /// Remembers the other end of a link by the keys that were shown on it; says whether that is written down.
    func keep(_ link: EstablishedLink, as role: Pairing.Role, peerName: PeerName, account: String?) -> Bool {
        let now = clock.now()
        let pairing = Pairing(
            app: app, role: role, own: link.own, peer: link.session.peer, peerName: peerName,
            account: account ?? link.pairing?.account, made: link.pairing?.made ?? now, lastUsed: now)
        return (try? pairings.change { $0.keep(pairing, at: now) }) != nil
    }

    /// Notes that a pairing was of use.
    func use(_ pairing: Pairing) {
        let now = clock.now()
        try? pairings.change { $0.use(pairing.id, at: now) }
    }
}
