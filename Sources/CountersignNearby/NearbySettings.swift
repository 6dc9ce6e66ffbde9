public import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What an app says about itself to both roles, and what it hands in.
public struct NearbySettings: Sendable {
    /// Which app it is; both ends must have the same.
    public let app: NearbyAppID
    /// What this device calls itself.
    public let name: PeerName
    /// Where remembered devices are kept.
    public let pairings: any PairingStore
    /// The time.
    public let clock: TimeSource
    /// What draws keys, nonces and names.
    public let random: RandomSource
    /// How long each wait may take.
    public let times: NearbyTimes
    /// The codes that there are; tests have fewer.
    package var space = CodeSpace.standard
    /// The versions of the link that this device speaks.
    package var versions = LinkVersions.ours

    /// Settings of an app.
    ///
    /// - Parameters:
    ///   - app: Which app it is; only devices with the same id understand each other.
    ///   - name: What this device calls itself, to people.
    ///   - pairings: Where remembered devices are kept: in a ``FilePairingStore``, in the keychain of Apple's systems, or in a
    ///     ``MemoryPairingStore`` until the program ends.
    ///   - clock: The time; `.system`, or one that a test holds.
    ///   - random: What draws keys, nonces and names; `.system`, but in tests.
    ///   - times: How long each wait may take; those of the protocol by default.
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
    ///
    /// - Parameters:
    ///   - link: The link, whose handshake is over.
    ///   - role: The part that this device has.
    ///   - peerName: What the other device calls itself.
    ///   - account: The account that is approved with.
    func keep(_ link: EstablishedLink, as role: Pairing.Role, peerName: PeerName, account: String?) -> Bool {
        let now = clock.now()
        let pairing = Pairing(
            app: app, role: role, own: link.own, peer: link.session.peer, peerName: peerName,
            account: account ?? link.pairing?.account, made: link.pairing?.made ?? now, lastUsed: now)
        return (try? pairings.change { $0.keep(pairing, at: now) }) != nil
    }

    /// For how long no strangers are heard yet, as a program of this app wrote it down earlier; `nil` when they may be heard.
    func closedFor() -> Duration? {
        guard let date = (try? pairings.read())?.closedUntil[app] else { return nil }
        let left = date.timeIntervalSince(clock.now())
        return left > 0 ? .seconds(left) : nil
    }

    /// Writes down that no strangers are heard for a while. What cannot be written is forgotten with the process.
    func close(for span: Duration) {
        let now = clock.now()
        try? pairings.change { $0.close(app, until: now.addingTimeInterval(span / .seconds(1)), at: now) }
    }

    /// Notes that a pairing was of use.
    func use(_ pairing: Pairing) {
        let now = clock.now()
        try? pairings.change { $0.use(pairing.id, at: now) }
    }
}
