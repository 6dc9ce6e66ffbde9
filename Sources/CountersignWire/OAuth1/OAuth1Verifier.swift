/// Verifies the requests that a server gets: signature, time and nonce.
///
/// ```swift
/// let verifier = OAuth1Verifier(accepting: [.hmacSHA1, .hmacSHA256], clock: .system) { client, token in
///     try await accounts.keys(of: client, token)
/// }
/// let verified = try await verifier.verify(request, authorization: fields[.authorization])
/// ```
///
/// Standard: RFC 5849 §3.2.
public struct OAuth1Verifier: Sendable {
    private let methods: Set<OAuth1SignatureMethod>
    private let window: Duration
    private let clock: TimeSource
    private let keys: @Sendable (ClientID, OAuth1Token?) async throws -> OAuth1VerificationKeys?
    private let nonces: any OAuth1NonceStore

    /// Makes a verifier that has seen no request, and remembers requests in the memory of this process. Several
    /// processes that answer for one server need a store that they share.
    ///
    /// - Parameters:
    ///   - methods: The signature methods that are accepted.
    ///   - window: The greatest difference between the time in a request and that of the server; 5 minutes by default.
    ///   - remembering: The number of requests that are remembered at least: more than come in twice the window.
    ///     100,000 by default, which is 160 a second.
    ///   - clock: The source of the time.
    ///   - keys: Returns the known secrets and keys of a client and a token; `nil` for a client that is not known.
    public init(
        accepting methods: Set<OAuth1SignatureMethod>,
        window: Duration = .seconds(300),
        remembering: Int = 100_000,
        clock: TimeSource,
        keys: @escaping @Sendable (ClientID, OAuth1Token?) async throws -> OAuth1VerificationKeys?
    ) {
        self.init(
            accepting: methods,
            window: window,
            rememberingIn: OAuth1ProcessNonceStore(capacity: remembering),
            clock: clock,
            keys: keys
        )
    }

    /// Makes a verifier that remembers requests in a store.
    ///
    /// - Parameters:
    ///   - methods: The signature methods that are accepted.
    ///   - window: The greatest difference between the time in a request and that of the server; 5 minutes by default.
    ///   - nonces: The store of requests, shared by all processes that answer for the server.
    ///   - clock: The source of the time.
    ///   - keys: Returns the known secrets and keys of a client and a token; `nil` for a client that is not known.
    public init(
        accepting methods: Set<OAuth1SignatureMethod>,
        window: Duration = .seconds(300),
        rememberingIn nonces: any OAuth1NonceStore,
        clock: TimeSource,
        keys: @escaping @Sendable (ClientID, OAuth1Token?) async throws -> OAuth1VerificationKeys?
    ) {
        self.methods = methods
        self.window = window
        self.nonces = nonces
        self.clock = clock
        self.keys = keys
    }

    /// Verifies a request, and remembers it.
    ///
    /// - Parameters:
    ///   - request: The request with its query and its form.
    ///   - authorization: The value of its `Authorization` header; `nil` when there is none.
    /// - Returns: The request, which is accepted this one time.
    /// - Throws: ``OAuth1Error`` when it is not accepted, or the error of the key lookup or the nonce store.
    public func verify(_ request: OAuth1Request, authorization: String?) async throws -> VerifiedOAuth1Request {
        let unverified = try UnverifiedOAuth1Request(request, authorization: authorization)
        let known = try await keys(unverified.client, unverified.token)
        let now = clock.now()
        let verified = try unverified.verified(by: known, accepting: methods, window: window / .seconds(1), at: now)
        if let nonce = verified.nonce { try await nonces.use(nonce, at: now).requireNew() }
        return verified
    }
}
