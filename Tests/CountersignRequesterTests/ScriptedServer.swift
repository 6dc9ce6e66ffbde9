import Countersign
import CountersignTesting
import CountersignWire
import Crypto
import CryptoExtras
import HTTPTypes

@testable import CountersignRequester

import FoundationEssentialsCompat

/// A server that does what each test says, with the app and the person of most tests.
struct ScriptedServer {
    static let path = "/.well-known/oauth-authorization-server"
    static let secondPath = "/.well-known/openid-configuration"

    /// The page for a browser on the screen's own device.
    static let page = "https://id.example.com/activate/here?request=r-1"

    let clock = ManualClock()
    let transport = ScriptedTransport()
    let key = P256.Signing.PrivateKey()
    let issuer: Issuer
    let client = ClientID("kitchen-radio")

    /// A server that knows everything but the answers to token requests; the last of those is repeated.
    init(_ tokens: ScriptedTransport.Reply...) throws {
        issuer = try Issuer("https://id.example.com")
        transport.reply(at: Self.path, with: .json(metadata))
        transport.reply(at: "/device_authorization", with: .json(codes()))
        transport.reply(at: "/jwks", with: .json(JSONWebKeySet(keys: [publicKey])))
        transport.reply(at: "/revoke", with: .status(.ok))
        // The list is empty when a test writes its answers down later.
        if !tokens.isEmpty { transport.reply(at: "/token", with: tokens) }
    }

    var metadata: AuthorizationServerMetadata {
        var metadata = AuthorizationServerMetadata(issuer: issuer.text)
        metadata.tokenEndpoint = issuer.appending("token")
        metadata.deviceAuthorizationEndpoint = issuer.appending("device_authorization")
        metadata.revocationEndpoint = issuer.appending("revoke")
        metadata.keysURI = issuer.appending("jwks")
        return metadata
    }

    func codes(
        _ code: String = "first-code",
        lifetime: Int = 600,
        interval: Int = 5,
        ways: Set<SignInWay>? = nil
    ) -> DeviceAuthorizationResponse {
        DeviceAuthorizationResponse(
            deviceCode: DeviceCode(revealing: code),
            userCode: UserCodeText("WDJB-MJHT"),
            verificationURI: issuer.appending("activate"),
            verificationURIComplete: issuer.appending("activate?user_code=WDJB-MJHT"),
            expiresIn: lifetime,
            interval: interval,
            ways: ways,
            browserURI: ways?.contains(.browser) == true ? Self.page : nil
        )
    }

    /// The network of this server, its clock, and the system's generator.
    var context: RequesterContext {
        RequesterContext(over: transport, clock: clock.skipping, random: .system)
    }

    /// The key of the app's sign-in at this server.
    var signInKey: TokenStoreKey { .signIn(at: issuer, as: client) }

    /// Tokens that the app holds, such as `access-1` and `refresh-1`, until so many seconds from now.
    func tokens(
        _ name: String = "1",
        for seconds: TimeInterval = 0,
        scope: Scope = .none,
        key: DPoPKey? = nil
    ) -> CompletedSignIn {
        CompletedSignIn(
            accessToken: AccessToken(revealing: "access-\(name)"),
            refreshToken: RefreshToken(revealing: "refresh-\(name)"),
            expires: clock.date + seconds,
            scope: scope,
            identity: nil,
            key: key
        )
    }

    /// What the next start of the app makes.
    func refresher(
        of store: any TokenStore,
        attempts: Int? = nil,
        in context: RequesterContext? = nil
    ) -> TokenRefresher {
        var options = SignInOptions()
        if let attempts { options.attempts = attempts }
        return TokenRefresher(
            at: issuer, as: client, keepingTokensIn: store, options: options, in: context ?? self.context)
    }

    func signIn(
        for scope: Scope = .none,
        secret: ClientSecret? = nil,
        keepingTokensIn store: (any TokenStore)? = nil,
        clock: TimeSource? = nil,
        _ change: (inout SignInOptions) -> Void = { _ in }
    ) -> SignIn {
        signIn(
            for: scope, secret: secret, on: SignInScreen(name: "Kitchen radio", keepingTokensIn: store), clock: clock,
            change)
    }

    /// A sign-in on a screen with other abilities.
    func signIn(
        for scope: Scope = .none,
        secret: ClientSecret? = nil,
        on screen: SignInScreen,
        clock: TimeSource? = nil,
        _ change: (inout SignInOptions) -> Void = { _ in }
    ) -> SignIn {
        var options = SignInOptions()
        options.wait = nil
        (options.showsNumber, options.renewsLink) = (false, false)
        change(&options)
        return SignIn(
            at: issuer,
            as: ClientIdentity(client, secret: secret),
            for: scope,
            on: screen,
            options: options,
            in: RequesterContext(over: transport, clock: clock ?? self.clock.skipping, random: .system)
        )
    }
}

extension ScriptedServer {
    static let openid = Scope([.openid])

    var publicKey: JSONWebKey {
        let bytes = Array(key.publicKey.rawRepresentation)
        return .p256(id: JSONWebKey.ID("a-key"), x: bytes.prefix(32), y: bytes.suffix(32))
    }

    var claims: IDTokenClaims {
        let now = Int(clock.date.timeIntervalSince1970)
        var claims = IDTokenClaims(
            issuer: issuer.text,
            subject: Subject("anna-1"),
            audience: Audience([client.rawValue]),
            expires: now + 900,
            issued: now
        )
        claims.name = "Anna"
        claims.preferredUsername = "anna"
        return claims
    }

    /// An ID token with these claims, signed by this server's key unless another way to sign is given.
    func idToken(
        _ claims: IDTokenClaims,
        header: String = #"{"alg":"ES256","kid":"a-key","typ":"JWT"}"#,
        signedBy sign: (([UInt8]) throws -> [UInt8])? = nil
    ) throws -> UnverifiedIDToken {
        let payload = try JSONEncoder().encode(claims)
        let sign = sign ?? { Array(try key.signature(for: $0).rawRepresentation) }
        return UnverifiedIDToken(
            revealing: try CompactJWS.text(header: Array(header.utf8), payload: Array(payload), signedBy: sign)
        )
    }

    /// The answer to a token request whose grant is redeemed.
    static func granted(_ idToken: UnverifiedIDToken? = nil) -> ScriptedTransport.Reply {
        .json(
            TokenResponse(
                accessToken: AccessToken(revealing: "access-1"),
                expiresIn: 300,
                refreshToken: RefreshToken(revealing: "refresh-1"),
                idToken: idToken
            )
        )
    }

    /// The tokens that were given back, in this order.
    var revoked: [String?] {
        transport.sent(to: "/revoke").map { $0.form["token"] }
    }
}

extension SignIn {
    /// Runs to the end and tells what came of it and what a screen was told.
    func run(
        answering confirmation: Confirmation = .continue
    ) async -> (result: Result<CompletedSignIn, SignInError>, events: [SignInEvent]) {
        let events = events
        let watching = Task {
            var all: [SignInEvent] = []
            for await event in events { all.append(event) }
            return all
        }
        let result: Result<CompletedSignIn, SignInError>
        do throws(SignInError) {
            result = .success(try await run { _ in confirmation })
        } catch {
            result = .failure(error)
        }
        return (result, await watching.value)
    }
}
