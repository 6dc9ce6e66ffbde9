public import Countersign

/// What the approver's end of a link wants done, in this order.
package enum ApproverEffect: Sendable, Equatable {
    case send(LinkMessage)
    /// The requester has asked and waits for its turn.
    case joinLine
    case prompt(NearbyPrompt)
    case askForCode(NearbyPrompt)
    case askForDecision(ReceivedRequest)
    /// What the person is being asked has no answer any more.
    case stopAsking
    case tellMissed
    /// A nonce leaves: a guess, unless it is forgiven.
    case countGuess
    case forgiveGuess
    case countMiss
    case keepPairing(named: PeerName)
    /// The last effect of all.
    case end(ApproverOutcome)

    var speaks: Bool {
        if case .send = self { true } else { false }
    }
}

/// How an approver's link has ended.
public enum ApproverOutcome: Sendable, Equatable {
    /// The requester has all of the grant.
    case approved(NearbyProof, remembered: Bool)
    /// The person said no.
    case declined
    /// The requester has gone; what it said, if anything.
    case gone(said: EndReason?)
    case missesUsedUp
    case timedOut
    case brokeProtocol
    /// This end has left.
    case left(EndReason)
}

/// What an app answers to a request.
public enum NearbyDecision: Sendable, Equatable {
    /// Yes. `remembers` only when the person switched it on.
    case approve(NearbyGrant, remembers: Bool)
    /// The person said no.
    case decline
    /// No decision now; the requester may ask another approver.
    case notNow
    /// A paired requester is asked for the code first, since the app's rules want that; once.
    case askForCode
    /// The app can't.
    case refuse(NearbyRefusal)
}

/// Why an app can't answer a request.
public enum NearbyRefusal: Sendable, Equatable {
    /// It is not signed in to the server that the requester names.
    case issuerUnknown
    /// The server did not take the approval.
    case serverRefused
    /// Somebody else has answered.
    case answeredElsewhere

    var reason: EndReason {
        switch self {
        case .issuerUnknown: .issuerUnknown
        case .serverRefused: .serverRefused
        case .answeredElsewhere: .answeredElsewhere
        }
    }
}
