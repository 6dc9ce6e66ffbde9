public import Countersign

/// What the approver's end of a link wants done, in this order.
package enum ApproverEffect: Sendable, Equatable {
    /// A message leaves.
    case send(LinkMessage)
    /// The requester has asked and waits for its turn.
    case joinLine
    /// The person is asked whether the screen is in front of them.
    case prompt(NearbyPrompt)
    /// The person is asked for the digits.
    case askForCode(NearbyPrompt)
    /// The app decides.
    case askForDecision(ReceivedRequest)
    /// What the person is being asked has no answer any more.
    case stopAsking
    /// The person is told that the digits were wrong.
    case tellMissed
    /// A nonce leaves: a guess, unless it is forgiven.
    case countGuess
    /// The requester was authenticated, so that the last nonce was no guess.
    case forgiveGuess
    /// A code went wrong.
    case countMiss
    /// The two remember each other from now on.
    case keepPairing(named: PeerName)
    /// The last effect of all.
    case end(ApproverOutcome)

    /// Whether something leaves.
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
    /// Too many codes went wrong.
    case missesUsedUp
    /// A wait has taken too long.
    case timedOut
    /// The requester has sent what it may not.
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
    /// Another device has answered.
    case answeredElsewhere

    /// What the requester is told.
    var reason: EndReason {
        switch self {
        case .issuerUnknown: .issuerUnknown
        case .serverRefused: .serverRefused
        case .answeredElsewhere: .answeredElsewhere
        }
    }
}
