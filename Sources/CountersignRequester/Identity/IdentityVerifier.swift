public import Countersign
public import CountersignWire

/// Verifies the ID tokens of one provider, for a program that does not run the sign-in itself: the server of an app, to
/// which the app hands its code (``RedeemableCode/handover``) or an ID token.
///
/// ```swift
/// let verifier = IdentityVerifier(at: .apple, for: [ClientID("com.example.app")])
/// let person = try await verifier.identity(
///     in: token,
///     repeating: handover.nonce,
///     beside: tokens.accessToken,
///     redeemedFrom: handover.code
/// )
/// ```
///
/// Keep one for each provider: it fetches the provider's keys when the first token comes, keeps them, and fetches them
/// again when a token names a new key, or behind its callers when they are five minutes old. While the provider cannot
/// be reached, they are used for an hour.
///
/// Standard: OpenID Connect Core 1.0 §3.1.3.7, §3.1.3.8; OpenID Connect Discovery 1.0 §4.
public struct IdentityVerifier: Sendable {
    private let clients: [ClientID]
    private let parties: [ClientID]
    private let server: DiscoveredServer
    private let keys: JWKSFetcher<SignInError>
    private let clock: TimeSource

    /// Prepares a verifier; nothing is sent before the first token.
    ///
    /// - Parameters:
    ///   - provider: The issuer of the tokens: a provider with metadata, or one whose description names its keys.
    ///   - clients: The client ids of your apps at the provider; the token's audience must contain one of them.
    ///   - parties: Further client ids of yours that may have been given a token for one of `clients` (`azp`), as the
    ///     ids of apps on Android are at Google; none by default.
    ///   - options: Limits and attempts of requests; the standard ones suit most programs.
    ///   - context: The network and the clock.
    public init(
        at provider: ProviderProfile,
        for clients: [ClientID],
        givenTo parties: [ClientID] = [],
        options: SignInOptions = SignInOptions(),
        in context: RequesterContext = .system
    ) {
        self.clients = clients
        self.parties = parties
        clock = context.clock
        let server = DiscoveredServer(of: provider, options: options, in: context)
        self.server = server
        let notYet = SignInError(.notReachable, because: "the keys were not fetched yet")
        keys = JWKSFetcher(before: notYet) { () async throws(SignInError) in try await server.keySet() }
    }

    /// The person who signed in, from an ID token after its verification: form, algorithm, signature by a published key
    /// of the provider, issuer, audience, times, and all the given conditions.
    ///
    /// - Parameters:
    ///   - token: The token as it arrived.
    ///   - nonce: The nonce that the token must repeat: that of the request, as the app handed it over. `nil` only
    ///     where no request had one; a stolen token then cannot be distinguished from the app's own.
    ///   - accessToken: The access token that came with it; its hash must fit if the token has one (`at_hash`).
    ///   - code: The code that the token was redeemed from; its hash must fit if the token has one (`c_hash`).
    /// - Returns: The person. Know them by issuer and subject together.
    /// - Throws: ``SignInError``: `identity_refused` when the token is not good, another code when the provider's keys
    ///   are not known and cannot be fetched now.
    public func identity(
        in token: UnverifiedIDToken,
        repeating nonce: String?,
        beside accessToken: AccessToken? = nil,
        redeemedFrom code: AuthorizationCode? = nil
    ) async throws(SignInError) -> VerifiedIdentity {
        var demands = ParsedIDToken.Demands(issuer: try await server.issuer(), clients: clients, nonce: nonce)
        demands.parties = parties
        demands.accessToken = accessToken
        demands.code = code
        return try await IDTokenVerifier(demands: demands).verify(token, by: clock) { read async throws(SignInError) in
            try await keys.key(for: read.algorithm, named: read.keyID, at: clock.now())
        }
    }
}
