internal import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Which pairing is meant, when the person forgets one. It is no secret.
public struct PairingID: Sendable, Hashable, CustomStringConvertible {
    /// Letters and digits that may stand in a command.
    public let rawValue: String

    /// Names a pairing as ``Pairing/id`` does.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The letters and digits.
    public var description: String { rawValue }
}

/// Another device that the person wanted remembered: both ends know it again by keys that they use with no other device.
public struct Pairing: Sendable, Equatable {
    /// Which part this device has in it.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        case requester, approver
    }

    /// Which app has it.
    public let app: NearbyAppID
    /// Which part this device has in it.
    public let role: Role
    /// What the other device called itself then.
    public let peerName: PeerName
    /// The account that was approved with, in the app's own words; approvers only.
    public let account: String?
    /// When it was made.
    public let made: Date
    /// When it last led to a link.
    public package(set) var lastUsed: Date

    package let own: LinkKeyPair
    package let peer: LinkPublicKey

    package init(
        app: NearbyAppID, role: Role, own: LinkKeyPair, peer: LinkPublicKey, peerName: PeerName, account: String?,
        made: Date, lastUsed: Date
    ) {
        self.app = app
        self.role = role
        self.own = own
        self.peer = peer
        self.peerName = peerName
        self.account = account
        self.made = made
        self.lastUsed = lastUsed
    }

    /// Which one it is: from the public keys of both ends, so both call it by the same name.
    public var id: PairingID {
        let keys = role == .requester ? own.publicKey.bytes + peer.bytes : peer.bytes + own.publicKey.bytes
        let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
        return PairingID(String(LinkDigest(.pairingName, keys).bytes.prefix(10).map { letters[Int($0) & 31] }))
    }

    /// Compares all but the keys, which follow from the id.
    public static func == (left: Pairing, right: Pairing) -> Bool {
        left.id == right.id && left.app == right.app && left.role == right.role && left.peerName == right.peerName
            && left.account == right.account && left.made == right.made && left.lastUsed == right.lastUsed
    }
}
