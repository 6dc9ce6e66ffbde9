/// An action that the approver's end of a link asks its caller for; actions are carried out in their order.
enum ApproverEffect: LinkEffect, Equatable {
    /// The message is sent.
    case send(LinkMessage)
    /// The requester has asked and waits for its turn.
    case joinLine
    /// The person is asked whether the screen is in front of them.
    case prompt(NearbyPrompt)
    /// The person is asked for the digits.
    case askForCode(NearbyPrompt)
    /// The app decides.
    case askForDecision(ReceivedRequest)
    /// The question that the person sees is withdrawn.
    case stopAsking
    /// The person is notified that the digits were wrong.
    case tellMissed
    /// A code was wrong.
    case countMiss
    /// The pairing with the requester is stored.
    case keepPairing(named: PeerName)
    /// The last effect of all.
    case end(ApproverOutcome)

    /// Whether a message is sent.
    var speaks: Bool {
        if case .send = self { true } else { false }
    }
}

/// The outcome of an approver's link.
public enum ApproverOutcome: LinkOutcome, Equatable {
    /// The requester has all of the grant.
    case approved(NearbyProof, paired: Bool)
    /// The person said no.
    case declined
    /// The requester has disconnected; with the reason that it gave, if any.
    case gone(said: EndReason?)
    /// Too many codes were wrong.
    case missesUsedUp
    /// A wait has taken too long.
    case timedOut
    /// The requester violated the protocol.
    case brokeProtocol
    /// This end has ended the link.
    case left(EndReason)

    /// The outcome, with what became of the pairing that was to be stored.
    func pairing(_ isKept: Bool) -> Self {
        if case .approved(let proof, paired: true) = self { .approved(proof, paired: isKept) } else { self }
    }
}

/// The app's answer to a request.
public enum NearbyDecision: Sendable, Equatable {
    /// Yes. `pairs` only when the person switched it on.
    case approve(NearbyGrant, pairs: Bool)
    /// The person said no.
    case decline
    /// No decision now; the requester may ask another approver.
    case notNow
    /// A paired requester must show a code first, because the app requires it; at most once.
    case askForCode
    /// The app can't answer.
    case refuse(NearbyRefusal)
}

/// The reason that an app can't answer a request.
public enum NearbyRefusal: Sendable, Equatable {
    /// It is not signed in to the server that the requester names.
    case issuerUnknown
    /// The server did not accept the approval.
    case serverRefused
    /// Another device has answered.
    case answeredElsewhere

    /// The reason that is sent to the requester.
    var reason: EndReason {
        switch self {
        case .issuerUnknown: .issuerUnknown
        case .serverRefused: .serverRefused
        case .answeredElsewhere: .answeredElsewhere
        }
    }
}
