internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The result of a token request.
enum TokenResult: Sendable {
    /// Tokens; the whole answer, as JSON.
    case issued([UInt8])
    /// The answer to an earlier request of the same client, again.
    case repeated([UInt8])
    /// The request for sign-in is not decided yet.
    case pending(PendingRequest)
    /// A ``PollError``, another error of the protocol, or an unexpected one.
    case refused(any Error)
    /// The result at the end of a wait that honored the client's preference.
    indirect case waited(WaitPreference, TokenResult)
}

/// The next step of a token request.
enum TokenStep: Sendable {
    case done(TokenResult)
    /// The client waits for the decision.
    case hold(HeldPoll)
    /// The store has to be changed first.
    case later(@Sendable () async -> TokenResult)

    /// Takes the step in the task of the request.
    func result(in context: ServerRequestContext) async -> TokenResult {
        switch self {
        case .done(let result): result
        case .hold(let poll): await poll.wait(in: context)
        case .later(let work): await work()
        }
    }
}

/// A request for sign-in that is not decided yet, as its client sees it.
struct PendingRequest: Sendable {
    let id: SignInRequest.ID
    /// The shortest time between two polls, in seconds.
    let interval: Int
    let deadline: Date
    /// Whether the request is approved over a link that the client has not named yet; waiting is pointless then.
    let awaitsLink: Bool
    /// The number that the screen has to show; `nil` for none.
    let number: VerificationNumber?
    /// The link, if the screen shows a new one each minute.
    let link: FreshLink?

    init(_ stored: SignInExchangeRecord, at now: Date) {
        id = stored.id
        interval = stored.interval
        deadline = stored.exchange.request.deadline
        awaitsLink = stored.exchange.grant != nil
        number = stored.numberToShow(at: now)
        link = stored.terms.freshLink
    }

    /// The values that the screen has to show at `now`.
    func screen(at now: Date) -> PendingScreen { PendingScreen(number: number, link: link?.mark(at: now)) }
}

/// The reason why a poll gets no tokens; each dialect has its own word for it.
struct PollError: ReasonedError {
    enum Code: Sendable, Hashable, CustomStringConvertible {
        /// The client has no such code, or redeemed it before.
        case unknown
        case denied
        /// The person has no way to authenticate as the client demands.
        case unmet
        case expired
        /// The poll came too early; the next one is due after so many seconds.
        case slowDown(retryIn: Int)

        /// Standard: RFC 8628 §3.5.
        var oauth: OAuthError.Code {
            switch self {
            case .unknown: .invalidGrant
            case .denied: .accessDenied
            case .unmet: .unmetAuthenticationRequirements
            case .expired: .expiredToken
            case .slowDown: .slowDown
            }
        }

        var description: String { "\(oauth)" }
    }

    let code: Code
    let reason: String

    init(_ code: Code, because reason: String) {
        self.code = code
        self.reason = reason
    }
}
