import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes

@testable import CountersignRequester

/// An app that signs in at a ``ScriptedServer``, with both kinds of redirect URI.
struct AppUnderTest {
    static let native = "fsoauthexample://authorized"
    static let universal = "https://app.example.com/signed-in"

    let server: ScriptedServer
    let opener: ScriptedOpener
    let store: any TokenStore
    let signIn: AppToAppSignIn

    init(
        _ tokens: ScriptedTransport.Reply...,
        at profile: ProviderProfile? = nil,
        scope: Scope = Scope([.openid, .offlineAccess]),
        redirects: AppRedirects = AppRedirects(native: native, universal: universal),
        client: String? = nil,
        secret: ClientSecret? = nil,
        opener: ScriptedOpener = ScriptedOpener(),
        store: any TokenStore = MemoryTokenStore(),
        seed: UInt64 = 1,
        binding: TokenBinding = .whenOffered,
        options: AppToAppOptions = AppToAppOptions(),
        _ change: (inout AuthorizationServerMetadata) -> Void = { _ in }
    ) throws {
        server = try ScriptedServer()
        if !tokens.isEmpty { server.transport.reply(at: "/token", with: tokens) }
        var metadata = server.metadata
        metadata.authorizationEndpoint = server.issuer.appending("authorize")
        metadata.deviceAuthorizationEndpoint = nil
        change(&metadata)
        server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
        self.opener = opener
        self.store = store
        var options = options
        options.network.binding = binding
        signIn = AppToAppSignIn(
            at: profile ?? ProviderProfile(discoveredAt: server.issuer),
            as: client.map { ClientID($0) } ?? server.client,
            secret: secret,
            returningTo: redirects,
            for: scope,
            opening: opener,
            keepingTokensIn: store,
            options: options,
            in: RequesterContext(
                over: server.transport, clock: server.clock.skipping, random: SeededRandom(seed: seed).source)
        )
    }

    /// Starts, and returns the parameters of the address that was opened.
    func started() async throws -> [String: String] {
        _ = try await signIn.start()
        guard let address = opener.opened.last else { throw NothingOpened() }
        return address.parameters
    }

    struct NothingOpened: Error {}

    /// An address of the app with these parameters and the state of the last request.
    func address(_ query: String, state: String?, at redirect: String = AppUnderTest.universal) -> String {
        "\(redirect)?\(query)\(state.map { "&state=\($0)" } ?? "")"
    }

    /// Answers the code with tokens whose ID token repeats `nonce`.
    func grant(nonce: String?) throws {
        var claims = server.claims
        claims.nonce = nonce
        server.transport.reply(at: "/token", with: ScriptedServer.granted(try server.idToken(claims)))
    }

    /// The token requests that were sent.
    var redeemed: [Form] { server.transport.sent(to: "/token").map(\.form) }
}
