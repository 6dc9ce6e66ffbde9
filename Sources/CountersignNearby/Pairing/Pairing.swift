public import FoundationEssentialsCompat

/// Identifies a pairing, for example to forget it. It is no secret.
public struct PairingID: Sendable, Hashable, CustomStringConvertible {
    /// Letters and digits, usable in a command line.
    public let rawValue: String

    /// Names a pairing as ``Pairing/id`` does.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The letters and digits.
    public var description: String { rawValue }
}

/// A paired device: both ends recognize each other by keys that they use with no other device.
public struct Pairing: Sendable, Equatable {
    /// The role of this device.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        case requester, approver
    }

    /// The app that it belongs to.
    public let app: NearbyAppID
    /// The role of this device.
    public let role: Role
    /// The name that the other device claimed then.
    public let peerName: PeerName
    /// The account that requests are approved for, in the app's own words; approvers only.
    public let account: String?
    /// The date of the pairing.
    public let made: Date
    /// The date of the last link that it led to.
    public package(set) var lastUsed: Date
    /// The latest hosts of the other device, the latest first. A requester looks for it there first; an approver takes
    /// another device with its name for an imitation unless it comes from one of them.
    package private(set) var hosts: [String]

    package let own: LinkKeyPair
    package let peer: LinkPublicKey

    package init(
        app: NearbyAppID, role: Role, own: LinkKeyPair, peer: LinkPublicKey, peerName: PeerName, account: String?,
        made: Date, lastUsed: Date, hosts: [String] = []
    ) {
        self.app = app
        self.role = role
        self.own = own
        self.peer = peer
        self.peerName = peerName
        self.account = account
        self.made = made
        self.lastUsed = lastUsed
        self.hosts = hosts
    }

    /// Records where the other device was reached.
    package mutating func noteHost(_ host: String) {
        guard !host.isEmpty else { return }
        hosts = [host] + hosts.filter { $0 != host }.prefix(Self.mostHosts - 1)
    }

    /// The maximum number of hosts that are stored.
    private static let mostHosts = 4

    /// Its identifier, derived from the public keys of both ends, so that it is the same at both.
    public var id: PairingID {
        let keys = role == .requester ? own.publicKey.bytes + peer.bytes : peer.bytes + own.publicKey.bytes
        let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
        return PairingID(String(LinkDigest(.pairingName, keys).bytes.prefix(10).map { letters[Int($0) & 31] }))
    }

    /// Compares everything but the keys, which the id covers.
    public static func == (left: Pairing, right: Pairing) -> Bool {
        left.id == right.id && left.app == right.app && left.role == right.role && left.peerName == right.peerName
            && left.account == right.account && left.made == right.made && left.lastUsed == right.lastUsed
            && left.hosts == right.hosts
    }
}
