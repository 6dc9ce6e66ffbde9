public import Countersign
public import CountersignWire

/// The people who share one screen, each with their own tokens.
///
/// ```swift
/// let household = Household(at: issuer, as: "tv", keepingTokensIn: store)
/// let person = await screen.askWhoIsWatching(try await household.people())  // nil for somebody else
/// for try await event in household.signIn(as: person, for: scope) { screen.show(event) }
/// ```
///
/// Everybody is stored in the item that a ``TokenRefresher`` of the same app uses: it has the tokens of the current person,
/// whoever that is at the time. Each change is one write, while no other process changes the item. People are told apart
/// by their identity, so the scope has `openid`.
public struct Household: Sendable {
    private let issuer: Issuer
    private let client: RequesterClient
    private let store: any TokenStore
    private let screen: SignInScreen

    /// The people of a screen; nothing is read or sent yet.
    ///
    /// - Parameters:
    ///   - issuer: The server's address.
    ///   - client: The app's client id at the server, with its secret where it can keep one.
    ///   - store: The store of everybody's tokens.
    ///   - screen: The screen's name and abilities; its store is replaced, and its remembered person by a chosen one.
    ///   - options: The ways, lifetimes and limits.
    ///   - context: The network, the clock and the source of secrets.
    public init(
        at issuer: Issuer,
        as client: ClientIdentity,
        keepingTokensIn store: any TokenStore,
        on screen: SignInScreen = .system,
        options: SignInOptions = SignInOptions(),
        in context: RequesterContext = .system
    ) {
        self.issuer = issuer
        self.client = RequesterClient(
            provider: ProviderProfile(discoveredAt: issuer), identity: client, options: options, context: context)
        self.store = store
        self.screen = screen
    }

    /// The people who are signed in or remembered here. A guest's entry disappears at the end that they chose.
    ///
    /// - Returns: The current person first, then the others by name.
    /// - Throws: ``TokenStoreError`` when they cannot be read, or an entry that is over cannot be removed.
    public func people() async throws(TokenStoreError) -> [Person] {
        let now = client.context.clock.now()
        if try await store.household(for: client.key).all.contains(where: { $0.isOver(at: now) }) {
            do {
                try await store.changeHousehold(for: client.key) { $0.endSignIns(at: now) }
            } catch {
                throw error as? TokenStoreError ?? TokenStoreError(.notWritten, because: String(describing: error))
            }
        }
        return try await store.people(for: client.key, at: now)
    }

    /// Signs in a person of the screen, or somebody else, who is added; the current person stays, without being current.
    ///
    /// A person whose tokens work is current at once, without a question, unless the options ask for more than they may
    /// show (``SignInOptions/acrValues``, ``SignInOptions/maxAge``). One who is remembered is asked on their devices;
    /// a code is shown only after that request has expired, where the options have ``SignInOptions/renewals``. Everybody
    /// else signs in over every way of the screen. If another person answers than the chosen one, by whatever way, their
    /// tokens are revoked, and that is the error `another_person`.
    ///
    /// - Parameters:
    ///   - person: The person, as ``people()`` returned them; `nil`, the default, for somebody else.
    ///   - scope: The requested scope, with `openid`; without it a person who has to answer is the error `way_unusable`.
    ///     Stored tokens keep the scope that they were granted; ``CompletedSignIn/notGranted`` has the rest.
    /// - Returns: The sign-in, which nothing is sent for before it is iterated.
    public func signIn(as person: Person? = nil, for scope: Scope) -> SignIn {
        var screen = screen
        screen.store = store
        if let person {
            screen.rememberedPerson = person.rememberedPerson
            // A proof of this screen may be another person's.
            screen.proofs = []
        }
        var signIn = SignIn(
            at: issuer, as: client.identity, for: scope, on: screen, options: client.options, in: client.context)
        signIn.choice = person.map { .person($0.identity.subject) } ?? .somebodyElse
        return signIn
    }

    /// The tokens of a person, whether or not they are the current one.
    ///
    /// - Parameter person: The person, as ``people()`` returned them.
    public func tokens(of person: Person) -> TokenRefresher {
        TokenRefresher(of: .person(person.identity.subject), as: client, keepingTokensIn: store)
    }

    /// Signs a person out, as ``TokenRefresher/signOut(endingSessionIn:forgetting:)`` does; one who is signed out already
    /// can be forgotten.
    ///
    /// - Parameters:
    ///   - person: The person, as ``people()`` returned them.
    ///   - browser: The browser whose session at the server ends, too; `nil`, the default, for none.
    ///   - forgets: Whether the screen forgets a person whom it remembers; `false` by default.
    /// - Throws: ``SignInError`` `signed_out` when there are no tokens, and nothing to forget; what the store throws.
    @discardableResult
    public func signOut(
        _ person: Person,
        endingSessionIn browser: (any SignInBrowser)? = nil,
        forgetting forgets: Bool = false
    ) async throws(SignInError) -> SignOutResult {
        do throws(SignInError) {
            return try await tokens(of: person).signOut(endingSessionIn: browser, forgetting: forgets)
        } catch {
            guard error.code == .signedOut, forgets else { throw error }
            let subject = person.identity.subject
            try await SignInError.storing {
                try await store.changeHousehold(for: client.key) { $0.signOut(.person(subject), forgetting: true) }
            }
            return SignOutResult(isRevoked: true, session: .untouched)
        }
    }
}
