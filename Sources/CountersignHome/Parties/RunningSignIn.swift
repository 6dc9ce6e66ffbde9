internal import Countersign
internal import CountersignRequester
internal import CountersignWire

/// A sign-in as its requester has it, from the answer of the server on.
final class RunningSignIn {
    /// The secret that a requester polls with.
    enum PolledCode {
        case device(DeviceCode)
        case backchannel(AuthenticationRequestID)

        /// The secret.
        var revealed: String {
            switch self {
            case .device(let code): code.revealed
            case .backchannel(let id): id.revealed
            }
        }
    }

    /// The state of the requester.
    enum Requester {
        /// It waits for a decision.
        case polling(PolledSignIn, PolledCode)
        /// It waits for a browser that brings the answer.
        case browsing(CodeVerifier, state: String)
        /// It has a credential to redeem, and repeats the request until it is answered.
        case redeeming(TokenRequest)
        /// It gave up, and repeats that until the server answers.
        case givingUp(PolledCode)
        /// It is a browser that asks for a session.
        case visiting(AskingBrowser)
        case ended
    }

    let number: Int
    /// The story in which it began.
    let thread: Int
    /// The way in, for the trace.
    let way: String
    let screen: HomeScreen
    var requester: Requester
    /// The identifier of its token requests, by which a lost answer is repeated.
    let requestID: TokenRequestID
    /// The digest by which the server finds the request; `nil` before a code came back.
    var requestCode: SecretDigest?
    /// The code that the screen shows, and its link.
    var codes: DeviceAuthorizationResponse?
    /// The verifier of a request for phones nearby.
    var verifier: NearbyVerifier?
    /// The links that carried the request.
    var links = NearbyLinks()
    /// The way back from the browser of the screen's own device; `nil` for none.
    var browserReturn: BrowserReturn?
    /// The person whose code was typed there, and who alone may answer; `nil` for everybody.
    var addressee: HomePerson?
    /// The query of the authorization request.
    var authorization: String?
    var outcome = HomeOutcome.waiting
    /// The number of outcomes that the screen has shown.
    var endings = 0
    /// The tokens that it holds; `nil` before, and after a sign-out.
    var tokens: TokenResponse?
    /// The refresh tokens that it replaced.
    var earlierTokens: [RefreshToken] = []
    /// The grant of its tokens; `nil` before there are any.
    var grant: Grant?
    /// Whether an answer with a decision may have been lost.
    var hasLostAnswers = false
    /// Whether its app or browser was killed, and nothing waits for it any more.
    private(set) var isKilled = false

    init(
        number: Int,
        thread: Int,
        way: String,
        screen: HomeScreen,
        requester: Requester,
        requestID: TokenRequestID
    ) {
        self.number = number
        self.thread = thread
        self.way = way
        self.screen = screen
        self.requester = requester
        self.requestID = requestID
    }

    /// The name in the trace.
    var label: String { "\(way) \(number)" }
    var isWaiting: Bool { if case .waiting = outcome { !isKilled } else { false } }

    /// Forgets all that an app or a browser does not store.
    func kill() {
        requester = .ended
        isKilled = true
    }

    /// The number that the screen shows; `nil` for none.
    var shownNumber: VerificationNumber? {
        switch requester {
        case .polling(let machine, _): machine.number
        case .visiting(let browser): browser.number
        case .browsing, .redeeming, .givingUp, .ended: nil
        }
    }

    /// The path for the browser of the screen's own device; `nil` for a sign-in without one.
    var browserPath: String? { codes?.browserURI.flatMap { Self.path(of: $0) } }

    /// The path of its link on the server; `nil` for a sign-in without one.
    var linkPath: String? {
        codes?.verificationURIComplete.flatMap { Self.path(of: $0) }
    }

    /// The path of an address of the page for codes.
    private static func path(of address: String) -> String? {
        address.firstRange(of: "/activate").map { String(address[$0.lowerBound...]) }
    }
}
