public import Countersign
public import CountersignWire

/// Signs a screen in over every way that it and the server have: a phone nearby, the browser of this device, the devices
/// of a remembered person, or a code that a person approves elsewhere.
///
/// ```swift
/// let signIn = SignIn(at: issuer, as: "kitchen-radio", for: scope)
/// for try await event in signIn { screen.show(event) }
/// ```
///
/// All ways lead to one request at the server, which is decided once, whichever is first. Proofs that need no other
/// person are presented before that: ``SignInScreen/proofs``. At a server without codes, the browser signs in by an
/// authorization code.
///
/// Each iteration is one sign-in. It ends with ``SignInEvent/signedIn(_:)``, or throws a ``SignInError``. Cancelling its
/// task, or leaving the loop, stops every way at once, and withdraws the request at the server.
///
/// A request whose answer with the tokens is lost on the way is repeated, so that the person need not approve twice:
/// Countersign answers it again until the tokens were used, or the code has expired.
///
/// Standard: RFC 8628, RFC 8414; OpenID Connect Core 1.0 §3.1.3.7 with scope `openid`.
public struct SignIn: AsyncSequence, Sendable {
    /// The events of a sign-in.
    public typealias Element = SignInEvent

    /// The answer of the person at the screen to "Continue as …?".
    public enum Confirmation: Sendable, Hashable {
        /// The person is the one who was signed in.
        case `continue`
        /// Another person was signed in: all tokens are revoked.
        case notMe
    }

    /// Asks the person at the screen whether it is they who were signed in; called once, with a verified identity.
    public typealias Confirm = @Sendable (VerifiedIdentity) async -> Confirmation

    let issuer: Issuer
    /// The app as the server's client; each run reports its temporary failures.
    var client: RequesterClient
    let scope: Scope
    let screen: SignInScreen
    /// The choice among the people of the screen; `nil` for a sign-in that takes the place of the one before.
    var choice: Household.Choice?
    /// Hands the events to all screens that watch.
    let announcer = SignInAnnouncer()

    /// Creates a sign-in; nothing is sent or opened before it is iterated.
    ///
    /// ```swift
    /// let signIn = SignIn(at: try Issuer("https://id.example.com"), as: "kitchen-radio", for: Scope([.openid]))
    /// ```
    ///
    /// - Parameters:
    ///   - issuer: The server's address, such as `https://id.example.com`; everything else is discovered.
    ///   - client: The app's client id at the server, with its secret where it can keep one.
    ///   - scope: The requested scope; with `openid` the person is asked to confirm who they are.
    ///   - screen: The screen's name, abilities and token store; by default those of this system, and no store.
    ///   - options: The ways, lifetimes and limits; the standard ones suit an ordinary network.
    ///   - context: The network, the clock and the source of secrets.
    ///
    /// Standard: RFC 8628 §3.1; RFC 8414 §3.
    public init(
        at issuer: Issuer,
        as client: ClientIdentity,
        for scope: Scope,
        on screen: SignInScreen = .system,
        options: SignInOptions = SignInOptions(),
        in context: RequesterContext = .system
    ) {
        self.issuer = issuer
        self.client = RequesterClient(
            provider: ProviderProfile(discoveredAt: issuer), identity: client, options: options, context: context)
        self.scope = scope
        self.screen = screen
    }

    /// The events for further screens to show: the present state, then each change, until the current or next sign-in
    /// ends. Unlike an iteration, it starts nothing.
    public var events: SignInEvents { announcer.watch() }

    /// Starts a sign-in with the first call of `next()`.
    public func makeAsyncIterator() -> Iterator { Iterator(SignInConsumer(of: self)) }

    /// The events of one sign-in. It stops when its task is cancelled or the iterator is dropped.
    public struct Iterator: AsyncIteratorProtocol {
        private let consumer: SignInConsumer

        fileprivate init(_ consumer: SignInConsumer) { self.consumer = consumer }

        /// Returns the next event; `nil` after the last one.
        ///
        /// - Throws: ``SignInError``: `denied` and `expired` by the person; `not_reachable`, `not_trusted`,
        ///   `server_trouble` by network and server; `way_unusable` for a way that the screen cannot take; `not_me` and
        ///   `another_person` for a person who is not meant; `cancelled` when the task is cancelled; others for what the
        ///   server refuses and the store cannot do. Received tokens that are not returned are revoked.
        public mutating func next() async throws -> SignInEvent? { try await consumer.next() }
    }
}

extension SignIn {
    /// Signs in, and asks by a closure instead of an event whether the person is the right one.
    ///
    /// With scope `openid`, `confirm` is called with the person whom the server names, before the tokens are stored or
    /// used; if the answer is ``Confirmation/notMe``, the tokens are revoked.
    ///
    /// ```swift
    /// let signedIn = try await signIn.run { identity in
    ///     await screen.ask("Continue as \(identity.displayName)?") ? .continue : .notMe
    /// }
    /// ```
    ///
    /// - Parameter confirm: Asks the person at the screen whether it is they.
    /// - Throws: ``SignInError``, as ``Iterator/next()``.
    ///
    /// Standard: RFC 8628 §3.3 to §3.5; OpenID Connect Core 1.0 §3.1.3.7.
    public func run(confirming confirm: @escaping Confirm) async throws(SignInError) -> CompletedSignIn {
        let consumer = SignInConsumer(of: self)
        while let event = try await consumer.next() {
            switch event {
            case .confirming(let question):
                // Without an answer the sign-in was cancelled, which the next event says.
                let answer = try? await Interruptible.value { await confirm(question.identity) }
                if let answer { question.answer(answer) }
            case .signedIn(let signedIn): return signedIn
            default: break
            }
        }
        throw SignInError.taskCancelled
    }
}
