import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignRequester

/// An app that hands its codes to its server, which redeems them with a secret and verifies the ID token: at one source
/// of accounts, whose addresses the network leads to the fake provider.
struct AppWithServer {
    static let client = ClientID("com.example.recipes")
    static let secret = ClientSecret(revealing: "the secret of the server")
    static let redirect = "com.example.recipes:/signed-in"

    let clock = ManualClock()
    let provider: OpenIDProvider
    let verifier: IdentityVerifier
    let network: LimitedTransport
    private let signIn: AppToAppSignIn
    private let opener = ScriptedOpener(apps: ["http:", "https:"])

    init(at source: AccountSource) async throws {
        guard case .provider(let profile, let scope) = source.way else { throw NoProvider() }
        provider = try await OpenIDProvider.start(clock: clock.source, drawingFrom: SeededRandom(seed: 3).source)
        provider.issuer = profile.name
        provider.register(Self.client, secret: Self.secret, returningTo: [Self.redirect])
        network = LimitedTransport(RoutedTransport(base: provider.base))
        var options = AppToAppOptions()
        options.network.attempts = 1
        signIn = AppToAppSignIn(
            at: profile,
            as: Self.client,
            returningTo: AppRedirects(native: Self.redirect),
            for: scope,
            opening: opener,
            keepingTokensIn: MemoryTokenStore(),
            options: options,
            in: RequesterContext(over: network, clock: clock.skipping, random: SeededRandom(seed: 4).source)
        )
        verifier = IdentityVerifier(
            at: profile,
            for: [Self.client],
            options: options.network,
            in: RequesterContext(over: network, clock: clock.skipping, random: .system)
        )
    }

    /// Opens the provider with Anna in front of it, and takes her answer; what the app hands to its server, as it
    /// travels.
    func handover() async throws -> CodeHandover {
        _ = try await signIn.start()
        let opened = try #require(opener.opened.last)
        let answer = try await signIn.receive(provider.answer(to: opened.absoluteString))
        guard case .granted(let code) = answer else { throw NotGranted(answer: "\(answer)") }
        return try JSONDecoder().decode(CodeHandover.self, from: try JSONEncoder().encode(code.handover))
    }

    /// The tokens that the server gets for a code.
    func tokens(for handover: CodeHandover) async throws -> TokenResponse {
        var form = TokenRequest.authorizationCode(
            handover.code, redirectURI: handover.redirectURI, verifier: handover.verifier
        ).form
        form["client_id"] = handover.client.rawValue
        form["client_secret"] = Self.secret.revealed
        var request = try Endpoint("\(provider.base)/token").request(.post)
        request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        let answer = try await network.send(request, body: Array(form.encoded.utf8), within: .seconds(30))
        return try JSONDecoder().decode(TokenResponse.self, from: Data(answer.body))
    }

    /// The whole way, to the person whom the server knows at its end.
    func person(
        repeating nonce: (CodeHandover) -> String? = { $0.nonce }
    ) async throws -> VerifiedIdentity {
        let handover = try await handover()
        let tokens = try await tokens(for: handover)
        return try await verifier.identity(
            in: try #require(tokens.idToken),
            repeating: nonce(handover),
            beside: tokens.accessToken,
            redeemedFrom: handover.code
        )
    }

    /// The error on that way; `nil` if there is none.
    func failure() async throws -> SignInError.Code? {
        do {
            _ = try await person()
            return nil
        } catch let error as SignInError {
            return error.code
        }
    }

    /// The count of fetches of the keys.
    var keyFetches: Int { provider.received.count { $0.path == "/jwks" } }

    struct NoProvider: Error {}
    struct NotGranted: Error {
        let answer: String
    }
}

/// The network of this machine, with the fake provider in place of the hosts of known ones.
private struct RoutedTransport: HTTPTransport {
    let base: String

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        var request = request
        if request.authority?.hasPrefix("127.0.0.1:") != true {
            request.scheme = "http"
            request.authority = String(base.dropFirst("http://".count))
            request.path = Self.path(request.path ?? "/")
        }
        return try await SystemTransport.make().send(request, body: body, within: limit)
    }

    private static func path(_ path: String) -> String {
        switch path {
        case _ where path.contains("openid-configuration"): "/.well-known/openid-configuration"
        // None of them has metadata there.
        case _ where path.contains("oauth-authorization-server"): "/nothing"
        case "/.well-known/oauth/openid/jwks/": "/jwks"
        default: path
        }
    }
}
