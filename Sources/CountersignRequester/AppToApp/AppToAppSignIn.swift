public import Countersign
internal import CountersignWire
internal import NIOConcurrencyHelpers

/// Signs an app in by the provider's own app, or by the browser, on the same device.
///
/// ```swift
/// let signIn = AppToAppSignIn(
///     at: ProviderProfile(discoveredAt: issuer),
///     as: ClientID("recipes"),
///     returningTo: AppRedirects(native: "com.example.recipes:/signed-in"),
///     for: Scope([.openid, .profile, .offlineAccess]),
///     opening: opener,
///     keepingTokensIn: store
/// )
/// let start = try await signIn.start()  // the person is in another app now
/// let answer = try await signIn.finish(with: address)  // with the address that this app is opened with afterwards
/// ```
///
/// The app may be ended in between: the request is stored, and the next start finishes it. Every request has a PKCE
/// challenge, a `state` of 256 random bits and, with the scope `openid`, a `nonce`. An answer that does not belong to a
/// request of this app has no effect.
///
/// Standard: RFC 6749 §4.1, RFC 7636, RFC 8252, RFC 9207, RFC 9700; OpenID Connect Core 1.0 §3.1.
public struct AppToAppSignIn: Sendable {
    let client: RequesterClient
    let redirects: AppRedirects
    let scope: Scope
    let opener: any AppOpener
    let store: any TokenStore
    let options: AppToAppOptions
    /// The server, once discovered.
    private let found = NIOLockedValueBox<VerifiedServer?>(nil)

    /// Prepares a sign-in; nothing is sent or opened before ``start(offeringStore:)``.
    ///
    /// - Parameters:
    ///   - provider: The provider that signs the person in.
    ///   - client: The app's client id at the provider.
    ///   - secret: The client secret, for a program that its owner runs. An app that others install has none, for they
    ///     could read it: it redeems as a public client, or by a backend.
    ///   - redirects: The redirect URIs for the answer; registered with the provider.
    ///   - scope: The requested scope; with `openid` the identity of the person is verified.
    ///   - opener: Opens other apps and the browser.
    ///   - store: The store of pending requests and tokens.
    ///   - options: Lifetimes and limits; the standard ones suit most apps.
    ///   - context: The network, the clock and the source of secrets.
    ///
    /// Standard: RFC 8252 §4.1.
    public init(
        at provider: ProviderProfile,
        as client: ClientID,
        secret: ClientSecret? = nil,
        returningTo redirects: AppRedirects,
        for scope: Scope,
        opening opener: any AppOpener,
        keepingTokensIn store: any TokenStore,
        options: AppToAppOptions = AppToAppOptions(),
        in context: RequesterContext = .system
    ) {
        self.client = RequesterClient(
            provider: provider,
            identity: ClientIdentity(client, secret: secret),
            options: options.network,
            context: context
        )
        self.redirects = redirects
        self.scope = scope
        self.opener = opener
        self.store = store
        self.options = options
    }

    /// Receives the answer and, after an approval, redeems its code: ``receive(_:)`` and ``redeem(_:)`` in one.
    ///
    /// - Parameter address: The whole address that the system opened this app with.
    /// - Returns: The provider's answer, with the completion of the code where there was one.
    /// - Throws: ``SignInError`` when the store cannot be used.
    ///
    /// Standard: RFC 6749 §4.1.2 to §4.1.4.
    public func finish(with address: String) async throws(SignInError) -> AuthorizationAnswer<CodeCompletion> {
        await (try await receive(address)).map { await redeem($0) }
    }

    /// Finds the server, once.
    func server() async throws(SignInError) -> VerifiedServer {
        if let known = found.withLockedValue(\.self) { return known }
        let server = try await client.server(for: .authorizationCode, needsKeys: asksIdentity)
        found.withLockedValue { $0 = server }
        return server
    }

    /// The conversation with the server.
    ///
    /// - Parameter key: The key that tokens are bound to; `nil`, the default, for none.
    func conversation(with server: VerifiedServer, proving key: DPoPKey? = nil) -> ServerConversation {
        client.conversation(with: server, proving: key, requestID: TokenRequestID(drawingFrom: client.context.random))
    }

    /// The requests that it sends.
    var requests: CodeRequests { CodeRequests(client: client, scope: scope, options: options) }

    /// Whether the scope asks who the person is.
    var asksIdentity: Bool { scope.contains(.openid) }
}
