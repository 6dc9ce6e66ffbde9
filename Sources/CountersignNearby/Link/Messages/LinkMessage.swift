/// A message inside the sealed link.
package enum LinkMessage: Sendable, Equatable {
    case ask(Ask)
    case commit(LinkRun, LinkDigest)
    case wait(place: Int)
    case ready(LinkRun, LinkNonce)
    case typed(LinkRun, LinkDigest)
    case reveal(LinkRun, LinkNonce)
    case open(LinkRun, LinkNonce)
    case missed(LinkRun)
    case trusted
    case request(salt: LinkNonce, body: [UInt8])
    case decision(Decision)
    case part([UInt8])
    case done(remembered: Bool)
    case alive
    case end(EndReason)

    /// Who asks, what kind of thing for, and a digest of what.
    package struct Ask: Sendable, Equatable {
        package let kind: NearbyRequestKind
        package let wantsToBeRemembered: Bool
        package let requestDigest: LinkDigest
        package let name: PeerName

        package init(
            kind: NearbyRequestKind, wantsToBeRemembered: Bool, requestDigest: LinkDigest, name: PeerName
        ) {
            self.kind = kind
            self.wantsToBeRemembered = wantsToBeRemembered
            self.requestDigest = requestDigest
            self.name = name
        }
    }

    /// The approver's answer; the bytes that it grants follow in parts.
    package struct Decision: Sendable, Equatable {
        package let approves: Bool
        package let remembers: Bool
        package let name: PeerName
        package let total: Int
        package let digest: LinkDigest

        package init(approves: Bool, remembers: Bool, name: PeerName, total: Int, digest: LinkDigest) {
            self.approves = approves
            self.remembers = remembers
            self.name = name
            self.total = total
            self.digest = digest
        }
    }

    /// The most bytes that a grant has.
    package static let longestGrant = 16 << 20
    /// The most bytes of a grant that fit into one message.
    package static let longestPart = 65_518

    /// The byte with which each kind of message begins.
    enum Kind: UInt8 {
        case ask = 0x01, commit, wait, ready, typed, reveal, open, missed, trusted, request, decision, part, done
        case alive, end
    }
}
