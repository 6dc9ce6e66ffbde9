/// A message on the encrypted link.
package enum LinkMessage: Sendable, Equatable {
    /// 01, from the requester: its name, and a digest of its request.
    case ask(Ask)
    /// 02, from the requester: a commitment to its nonce.
    case commit(CodeAttempt, LinkDigest)
    /// 03, from the approver: so many others are served first.
    case wait(place: Int)
    /// 04, from the approver: its nonce; the person has the screen in front of them.
    case ready(CodeAttempt, LinkNonce)
    /// 05, from the approver: a commitment to the digits that were typed.
    case typed(CodeAttempt, LinkDigest)
    /// 06, from the requester: its nonce.
    case reveal(CodeAttempt, LinkNonce)
    /// 07, from the approver: opens its commitment; the code was right.
    case open(CodeAttempt, LinkNonce)
    /// 08, from both: the run is void.
    case missed(CodeAttempt)
    /// 09, from the approver: the two are paired, and no code is needed.
    case trusted
    /// 0a, from the requester: the kind of grant.
    case request(salt: LinkNonce, body: [UInt8])
    /// 0b, from the approver: yes or no, and how long the grant is.
    case decision(Decision)
    /// 0c, from the approver: the next bytes of the grant.
    case part([UInt8])
    /// 0d, from the requester: it has the whole grant.
    case done(paired: Bool)
    /// 0e, from both: keep-alive.
    case alive
    /// 0f, from both: ends the link, with a reason.
    case end(EndReason)

    /// The requester's name, the kind of grant that it asks for, and a digest of its request.
    package struct Ask: Sendable, Equatable {
        /// The requested kind of grant.
        package let kind: NearbyRequestKind
        /// Whether the requester wants to pair with the approver.
        package let wantsPairing: Bool
        /// The digest of the request, which is sent only to an authenticated approver.
        package let requestDigest: LinkDigest
        /// The name that the requester claims.
        package let name: PeerName

        /// An `ask` message.
        package init(kind: NearbyRequestKind, wantsPairing: Bool, requestDigest: LinkDigest, name: PeerName) {
            self.kind = kind
            self.wantsPairing = wantsPairing
            self.requestDigest = requestDigest
            self.name = name
        }
    }

    /// The approver's answer; the bytes that it grants follow in parts.
    package struct Decision: Sendable, Equatable {
        /// Whether the person said yes.
        package let approves: Bool
        /// Whether the person wants to pair with the requester.
        package let pairs: Bool
        package let name: PeerName
        /// The number of bytes of the grant.
        package let total: Int
        /// The digest of these bytes.
        package let digest: LinkDigest

        /// A `decision` message.
        package init(approves: Bool, pairs: Bool, name: PeerName, total: Int, digest: LinkDigest) {
            self.approves = approves
            self.pairs = pairs
            self.name = name
            self.total = total
            self.digest = digest
        }
    }

    /// The most bytes that a grant has.
    package static let longestGrant = 16 << 20
    /// The most bytes of a grant that fit into one message.
    package static let longestPart = 65_518
    /// The least length in bytes of a part that another one follows, so that a grant has few parts.
    package static let leastPart = 16_384

    /// The kinds of message; each begins with the byte of its kind.
    enum Kind: UInt8 {
        /// The types, in the order of their numbers.
        case ask = 0x01, commit, wait, ready, typed, reveal, open, missed, trusted, request, decision, part, done
        /// The types that both ends send at any time.
        case alive, end
    }
}
