package import Countersign

/// What the requester's end of a link wants done, in this order.
package enum RequesterEffect: Sendable, Equatable {
    /// A message leaves.
    case send(LinkMessage)
    /// The code goes on the screen.
    case showCode(LinkCode)
    /// To be done before anything after it is sent.
    case takeCodeAway
    /// The person is told something.
    case tell(RequesterNews)
    /// A code was shown for nothing.
    case countMiss
    /// The request leaves next: from now on, tokens are asked for by the name of this link.
    case prepareRequest
    /// The grant is here: keep the pairing if both want that, then call ``RequesterLink/settled(remembering:at:)``.
    case settle(keepingPairing: Bool, named: PeerName)
    /// The last effect of all.
    case end(RequesterOutcome)

    /// Whether something leaves.
    var speaks: Bool {
        if case .send = self { true } else { false }
    }
}

/// What the person at the requester is told.
package enum RequesterNews: Sendable, Equatable {
    /// As many others are served first.
    case waiting(place: Int)
    /// The code did not work; so many may still be shown.
    case missed(codesLeft: Int)
    /// Now the approver decides.
    case askedForDecision
}

/// How a requester's link has ended.
package enum RequesterOutcome: Sendable, Equatable {
    /// The approver has granted.
    case granted(NearbyGrant, from: PeerName, by: NearbyProof)
    /// The person said no, at an approver that is authenticated; its name, if it said one.
    case declined(by: PeerName?)
    /// An authenticated approver can't go on.
    case refused(EndReason)
    /// The other end has gone; what it said, if anything, is not to be believed.
    case gone(said: EndReason?)
    /// Too many codes were shown for nothing.
    case missesUsedUp
    /// A wait has taken too long.
    case timedOut
    /// The approver has sent what it may not.
    case brokeProtocol
    /// It claimed to have the code, and does not.
    case notAuthentic
    /// This end has left.
    case left(EndReason)
}

/// What an approver gives.
public enum NearbyGrant: Sendable, Equatable {
    /// Bytes of the app, up to 16 MiB.
    case bytes([UInt8])
    /// The requester's own request was approved at the server.
    case atServer
}
