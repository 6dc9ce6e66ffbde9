internal import Countersign
internal import CountersignWire

/// The way to a token: which step comes next, as far as the answers so far say.
///
///     identifying ──identified──▶ asItself ──kept──▶ ended
///       ▲                │            └─▶ throughPerson ──kept──▶ ended
///       │                └──────────────────▲
///       └────── the provider does not know this device: once
///
/// A person's approval whose answer was lost on the way can still be had by the identity alone: that is tried once.
/// A value without network or store: whoever drives it does each step and hands in what came of it.
/// Standard: ETSI TS 103 407 §8.
struct TokenAcquisition: Sendable, Equatable {
    /// Where it stands.
    private enum State: Sendable, Equatable {
        case identifying
        /// A token is asked for by the identity alone.
        case asItself(ProviderIdentity)
        /// A person is asked.
        case throughPerson(ProviderIdentity)
        case ended
    }

    /// The next thing to do.
    enum Step: Sendable, Equatable {
        /// Load this device's identity or register it; not the one that the provider has removed.
        case identify(insteadOf: ClientID?)
        /// Request a token by the identity alone, and store it.
        case askAsItself(ProviderIdentity)
        /// Associate, wait for the person, and store the token.
        case askPerson(ProviderIdentity)
        /// The token is there.
        case finish(CrossPlatformToken)
        /// There is no token.
        case fail(SignInError)
    }

    private let wanted: CrossPlatformToken.TokenType
    private var state = State.identifying
    private var hasBegunAnew = false
    private var hasLookedForLostAnswer = false

    init(of wanted: CrossPlatformToken.TokenType) {
        self.wanted = wanted
    }

    /// The first step.
    var first: Step { .identify(insteadOf: nil) }

    /// The device's identity is known, with the token that it holds for the service.
    ///
    /// A device that holds a person's token renews it by itself; otherwise the person is asked.
    mutating func identified(_ identity: ProviderIdentity, holding held: CrossPlatformToken?) -> Step {
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

    /// The step failed.
    mutating func failed(_ error: SignInError) -> Step {
        let identity: ProviderIdentity
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
        guard error.isUnknownClient, !hasBegunAnew else {
            state = .ended
            return .fail(error)
        }
        hasBegunAnew = true
        state = .identifying
        return .identify(insteadOf: identity.client)
    }

    /// The outcome of an event that no state expects.
    private var ended: Step { .fail(SignInError(.badAnswer, because: "an answer that nobody awaits")) }
}
