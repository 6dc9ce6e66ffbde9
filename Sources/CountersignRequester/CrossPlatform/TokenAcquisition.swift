internal import Countersign
internal import CountersignWire

/// The state machine that gets a token: which step is next, after the answers so far.
///
///     identifying ──identified──▶ asItself ──kept──▶ ended
///       ▲              │              └─▶ throughPerson ──kept──▶ ended
///       │              └──────────────────▲
///       └────── the provider does not know this device: once
///
/// A person's approval whose answer was lost can still be redeemed by the identity alone: that is tried once. It is a
/// value without store or network: its driver performs each step and passes in the result.
/// Standard: ETSI TS 103 407 §8.
struct TokenAcquisition: Sendable, Equatable {
    /// The state of the acquisition.
    private enum State: Sendable, Equatable {
        /// The device's identity is loaded or registered.
        case identifying
        /// A token is requested by the identity alone.
        case asItself(CrossPlatformIdentity)
        /// A person is asked.
        case throughPerson(CrossPlatformIdentity)
        case ended
    }

    /// The next thing to do.
    enum Step: Sendable, Equatable {
        /// Load this device's identity or register it; not the one that the provider has removed.
        case identify(insteadOf: ClientID?)
        /// Request a token by the identity alone, and store it.
        case askAsItself(CrossPlatformIdentity)
        /// Associate, wait for the person, and store the token.
        case askPerson(CrossPlatformIdentity)
        /// The token is available.
        case finish(CrossPlatformToken)
        /// There is no token.
        case fail(SignInError)
    }

    /// The subject of the token.
    private let wanted: CrossPlatformToken.TokenType
    private var state = State.identifying
    /// Whether a new identity was registered already: that happens once.
    private var hasReregistered = false
    /// Whether a lost answer was looked for already: that happens once.
    private var hasLookedForLostAnswer = false

    init(of wanted: CrossPlatformToken.TokenType) {
        self.wanted = wanted
    }

    var first: Step { .identify(insteadOf: nil) }

    /// The device's identity is known, with the token that it holds for the service.
    ///
    /// A device that holds a person's token renews it without the person; otherwise the person is asked.
    mutating func identified(_ identity: CrossPlatformIdentity, holding held: CrossPlatformToken?) -> Step {
        guard case .identifying = state else { return ended }
        let holdsPersons = held.map { $0.type == .user && $0.client == identity.client } ?? false
        guard wanted == .client || holdsPersons else {
            state = .throughPerson(identity)
            return .askPerson(identity)
        }
        state = .asItself(identity)
        return .askAsItself(identity)
    }

    /// A token was issued and stored.
    mutating func kept(_ token: CrossPlatformToken) -> Step {
        switch state {
        case .asItself(let identity) where wanted == .user && token.type == .client:
            // The person has signed this device out in the meantime.
            state = .throughPerson(identity)
            return .askPerson(identity)
        case .asItself, .throughPerson:
            state = .ended
            return .finish(token)
        case .identifying, .ended:
            return ended
        }
    }

    mutating func failed(_ error: SignInError) -> Step {
        let identity: CrossPlatformIdentity
        switch state {
        case .asItself(let used), .throughPerson(let used): identity = used
        case .identifying, .ended:
            state = .ended
            return .fail(error)
        }
        if error.code == .answerLost, !hasLookedForLostAnswer {
            hasLookedForLostAnswer = true
            state = .asItself(identity)
            return .askAsItself(identity)
        }
        guard error.isUnknownClient, !hasReregistered else {
            state = .ended
            return .fail(error)
        }
        hasReregistered = true
        state = .identifying
        return .identify(insteadOf: identity.client)
    }

    /// The outcome of an event that no state expects.
    private var ended: Step { .fail(SignInError(.badAnswer, because: "an answer to no request")) }
}
