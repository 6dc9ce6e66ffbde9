/// An action that the requester's end of a link asks its caller for; actions are carried out in their order.
enum RequesterEffect: LinkEffect, Equatable {
    /// The message is sent.
    case send(LinkMessage)
    /// The code is shown on the screen.
    case showCode(LinkCode)
    /// The code is removed from the screen, before any later message is sent.
    case takeCodeAway
    /// The person is notified.
    case tell(RequesterProgress)
    /// A code was shown without success.
    case countMiss
    /// The approver has proved that the code was typed right: it counts no longer.
    case giveCodeBack
    /// The request is sent next: from now on, polls for tokens name this link.
    case prepareRequest
    /// The grant is complete: store the pairing if both want that, then call
    /// ``RequesterLink/settled(pairing:at:)``.
    case settle(keepingPairing: Bool, named: PeerName)
    /// The last effect of all.
    case end(RequesterOutcome)

    /// Whether a message is sent.
    var speaks: Bool {
        if case .send = self { true } else { false }
    }
}

/// A step that is reported to the person at the requester.
enum RequesterProgress: Sendable, Equatable {
    /// So many others are served first.
    case waiting(place: Int)
    /// The code did not work; so many may still be shown.
    case missed(codesLeft: Int)
    /// The approver's app decides now.
    case askedForDecision
}

/// The outcome of a requester's link.
enum RequesterOutcome: LinkOutcome, Equatable {
    /// The approver has granted.
    case granted(NearbyGrant, from: PeerName, by: NearbyProof)
    /// The person said no, at an approver that is authenticated; its name, if it gave one.
    case declined(by: PeerName?)
    /// An authenticated approver refused.
    case refused(EndReason)
    /// The peer has disconnected; the reason that it gave, if any, is not verified.
    case gone(said: EndReason?)
    /// Too many codes failed.
    case missesUsedUp
    /// A wait has taken too long.
    case timedOut
    /// The approver violated the protocol.
    case brokeProtocol
    /// It claimed to have the code, but does not.
    case notAuthentic
    /// This end has ended the link.
    case left(EndReason)
}

/// A grant of an approver.
public enum NearbyGrant: Sendable, Equatable, Redacted {
    /// Bytes of the app, up to 16 MiB.
    case bytes([UInt8])
    /// The requester's own request was approved at the server.
    case atServer
}
