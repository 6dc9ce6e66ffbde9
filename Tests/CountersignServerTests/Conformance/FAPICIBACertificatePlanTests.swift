import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignHTTP
@testable import CountersignServer

/// The modules of the plan for authorization servers with certificates, in both of its variants: the client
/// authenticates by its certificate (`client_auth_type=mtls`) or by a signed statement (`private_key_jwt`), and its
/// tokens are bound to the certificate either way. The modules are named as in the plan without their common beginning
/// (`fapi-ciba-id1-`).
///
/// `FAPICIBAPlanTests` has those that are about signed requests alone. `ClientCertificateTests` has the connections.
/// Standard: FAPI-CIBA §5.2.2; RFC 8705 §2, §3.
@Suite("The OpenID Foundation's plan for FAPI-CIBA with certificates")
struct FAPICIBACertificatePlanTests {
    /// The authentication method of a plan's client (`client_auth_type`).
    enum ClientAuthentication: String, Sendable, CaseIterable {
        case mtls
        case privateKeyJWT = "private_key_jwt"
    }

    /// A client with the profile `fapi2` whose tokens are bound to its certificate.
    struct Bank: Sendable {
        let requests: FAPICIBAPlanTests.Bank
        let connections: CertificateConnections
        let authentication: ClientAuthentication
        let authority: TestAuthority
        let certificate: PresentedCertificate

        var server: TestServer { requests.server }

        func credentials() throws -> Form {
            switch authentication {
            case .mtls: ["client_id": requests.app.id]
            case .privateKeyJWT: try requests.app.credentials()
            }
        }

        func send(_ form: Form, holding certificate: PresentedCertificate?) async throws -> TestResponse {
            try await connections.post("/bc-authorize", try form.with(try credentials()), holding: certificate)
        }

        func asked(_ changes: [String: String?] = [:]) async throws -> BackchannelAuthenticationResponse {
            let answer = try await send(["request": try requests.request(changes)], holding: certificate)
            #expect(answer.status == .ok, "\(answer.text)")
            return try answer.json(BackchannelAuthenticationResponse.self)
        }

        func redeem(_ form: Form, holding certificate: PresentedCertificate?) async throws -> TestResponse {
            try await connections.post("/token", try form.with(try credentials()), holding: certificate)
        }

        func poll(
            _ asked: BackchannelAuthenticationResponse,
            holding certificate: PresentedCertificate?
        ) async throws -> TestResponse {
            try await redeem(TokenRequest.backchannelAuthentication(asked.request).form, holding: certificate)
        }

        /// The whole sign-in of Anna.
        func signedIn(_ anna: TestBrowser) async throws -> TokenResponse {
            let asked = try await asked()
            try await anna.answerQuestion("approve")
            return try await poll(asked, holding: certificate).json(TokenResponse.self)
        }

        /// A certificate of the same authority and name, with another key.
        func another() async throws -> PresentedCertificate {
            try #require(
                await authority.verifier().verified([try authority.issue()], at: server.clock.date))
        }
    }

    private func open(
        _ authentication: ClientAuthentication,
        _ mode: BackchannelDeliveryMode = .poll,
        _ test: @escaping @Sendable (Bank, TestBrowser) async throws -> Void
    ) async throws {
        let authority = try TestAuthority("ours")
        let bytes = try authority.issue()
        let certificate = try #require(await authority.verifier().verified([bytes], at: TestAuthority.noon))
        try await TestServer.open { server in
            #expect(server.clock.date == TestAuthority.noon)
            let app = SigningApp(server: server)
            try await app.register { client in
                if authentication == .mtls {
                    client.kind = .certificate(.registered([certificate.thumbprint]), signing: app.key.set)
                }
                client.grantTypes = [.backchannelAuthentication, .refreshToken]
                client.redirects.profile = .fapi2
                client.dpop = .certificate
                client.backchannel = BackchannelRegistration(
                    deliveryMode: mode,
                    notificationEndpoint: mode.isNotified ? "https://signer.example\(TestBackchannelClient.path)" : nil
                )
                #expect(client.redirects.profile?.objection(to: client) == nil)
                #expect(client.backchannel.objection(to: client) == nil)
            }
            try await CertificateConnections.open(beside: server) { connections in
                try await test(
                    Bank(
                        requests: FAPICIBAPlanTests.Bank(app: app),
                        connections: connections,
                        authentication: authentication,
                        authority: authority,
                        certificate: certificate
                    ),
                    try await server.browser(of: .anna)
                )
            }
        }
    }

    private static let variants = ClientAuthentication.allCases.flatMap { authentication in
        [BackchannelDeliveryMode.poll, .ping].map { (authentication, $0) }
    }

    @Test(arguments: variants)
    func `(happy path)`(authentication: ClientAuthentication, mode: BackchannelDeliveryMode) async throws {
        try await open(authentication, mode) { bank, anna in
            let asked = try await bank.asked()
            #expect(try await bank.poll(asked, holding: bank.certificate).error == .authorizationPending)
            try await anna.answerQuestion("approve")
            if mode == .ping {
                let network = ScriptedTransport.answeringNotifications()
                try await bank.server.delivery(over: network).deliver()
                #expect(try network.notifications() == [.decided(asked.request)])
            }
            bank.server.clock.advance(by: .seconds(5))
            let tokens = try await bank.poll(asked, holding: bank.certificate).json(TokenResponse.self)
            #expect(tokens.tokenType == "Bearer")
            let idToken = try await bank.server.read(try #require(tokens.idToken).revealed)
            #expect(idToken.text("aud") == "signer")
            #expect(try await bank.connections.userInfo(tokens.accessToken, holding: bank.certificate).status == .ok)
        }
    }

    /// The token of another certificate, and of none, is no good; `/introspect` names the certificate.
    @Test(arguments: ClientAuthentication.allCases)
    func `ensure-mtls-holder-of-key-required`(authentication: ClientAuthentication) async throws {
        try await open(authentication) { bank, anna in
            let asked = try await bank.asked()
            try await anna.answerQuestion("approve")
            let other = try await bank.another()
            // Without its certificate the client is another one, or may not redeem; with another one likewise.
            let none = try await bank.poll(asked, holding: nil)
            #expect(none.error == (authentication == .mtls ? .invalidClient : .invalidRequest), "\(none.text)")
            if authentication == .mtls {
                #expect(try await bank.poll(asked, holding: other).error == .invalidClient)
            }
            // The address for everybody asks for no certificate.
            let form = try TokenRequest.backchannelAuthentication(asked.request).form.with(try bank.credentials())
            let elsewhere = try await bank.server.post("/token", form)
            #expect(elsewhere.error == none.error)
            // A key that a proof shows is no certificate.
            let proved = try await bank.connections.post(
                "/token", form.with([:]), holding: nil, headers: try bank.server.proof(by: bank.requests.key))
            #expect(proved.status == .badRequest || proved.status == .unauthorized, "\(proved.text)")

            let tokens = try await bank.poll(asked, holding: bank.certificate).json(TokenResponse.self)
            for wrong in [nil, other] {
                let answer = try await bank.connections.userInfo(tokens.accessToken, holding: wrong)
                #expect(answer.status == .unauthorized)
                #expect(answer.headers[.wwwAuthenticate]?.contains("invalid_token") == true)
            }
            let everywhere = try await bank.server.get(
                "/userinfo", headers: [.authorization: BearerHeader.value(for: tokens.accessToken)])
            #expect(everywhere.status == .unauthorized)
            let token: Form = ["token": tokens.accessToken.revealed]
            let told = try await bank.connections.post(
                "/introspect", try token.with(try bank.credentials()), holding: bank.certificate)
            let thumbprint = bank.certificate.thumbprint.rawValue
            #expect(told.text.contains(#""cnf":{"x5t#S256":"\#(thumbprint)"}"#), "\(told.text)")
        }
    }

    @Test(arguments: ClientAuthentication.allCases)
    func `ensure-backchannel-authorization-request-with-wrong-or-no-client-certificate-fails`(
        authentication: ClientAuthentication
    ) async throws {
        try await open(authentication) { bank, anna in
            let stranger = try TestAuthority("ours")
            let pretender = try #require(
                await bank.authority.verifier().verified([try stranger.issue()], at: bank.server.clock.date))
            for wrong in [nil, try await bank.another(), pretender] {
                let answer = try await bank.send(["request": try bank.requests.request()], holding: wrong)
                // By its signed statement the client authenticates without one; only the tokens need it.
                #expect(answer.error == (authentication == .mtls ? .invalidClient : nil), "\(answer.text)")
            }
            if authentication == .mtls { #expect(try await anna.question() == nil) }
            // A certificate authenticates nobody who signed up with keys, and a signed statement nobody with a
            // certificate.
            let swapped: Form =
                switch authentication {
                case .mtls: try bank.requests.app.credentials()
                case .privateKeyJWT: ["client_id": bank.requests.app.id]
                }
            let form: Form = ["request": try bank.requests.request()]
            let answer = try await bank.connections.post(
                "/bc-authorize", try form.with(swapped), holding: bank.certificate)
            #expect(answer.error == .invalidClient)
        }
    }

    @Test(arguments: ClientAuthentication.allCases)
    func `refresh-token`(authentication: ClientAuthentication) async throws {
        try await open(authentication) { bank, anna in
            let tokens = try await bank.signedIn(anna)
            let form: Form = ["grant_type": "refresh_token", "refresh_token": tokens.refreshToken?.revealed ?? ""]
            #expect(try await bank.redeem(form, holding: nil).status != .ok)
            let renewed = try await bank.redeem(form, holding: bank.certificate).json(TokenResponse.self)
            #expect(try await bank.connections.userInfo(renewed.accessToken, holding: bank.certificate).status == .ok)
            #expect(try await bank.connections.userInfo(renewed.accessToken, holding: nil).status == .unauthorized)
            // It is the client's alone.
            let other = TestBackchannelClient(server: bank.server)
            try await other.register()
            let stolen = try await bank.connections.post(
                "/token", try form.with(other.credentials), holding: bank.certificate)
            #expect(stolen.error == .invalidGrant)
        }
    }

    /// A client that authenticates by its certificate signs its requests all the same, with the keys that it
    /// registered.
    @Test(arguments: ClientAuthentication.allCases)
    func `ensure-request-object-signature-…-fails, -signed-by-other-client-fails, -is-used-once`(
        authentication: ClientAuthentication
    ) async throws {
        try await open(authentication) { bank, _ in
            let unsigned = try await bank.send(["scope": "openid", "login_hint": "anna"], holding: bank.certificate)
            #expect(unsigned.error == .invalidRequest)
            let strange = try bank.requests.request(signedBy: AssertionKey())
            #expect(try await bank.send(["request": strange], holding: bank.certificate).error == .invalidRequest)
            for header in [#"{"alg":"none"}"#, #"{"alg":"RS256","kid":"one"}"#, #"{"alg":"ES256","kid":"unknown"}"#] {
                let text = try bank.requests.request(header: header)
                #expect(try await bank.send(["request": text], holding: bank.certificate).error == .invalidRequest)
            }
            let good = try bank.requests.request()
            #expect(try await bank.send(["request": good], holding: bank.certificate).status == .ok)
            #expect(try await bank.send(["request": good], holding: bank.certificate).error == .invalidRequest)
        }
    }

    @Test(arguments: ClientAuthentication.allCases)
    func `user-rejects-authentication, auth-req-id-expired, ensure-wrong-client-id-in-token-endpoint-request-fails`(
        authentication: ClientAuthentication
    ) async throws {
        try await open(authentication) { bank, anna in
            let denied = try await bank.asked()
            let other = TestBackchannelClient(server: bank.server)
            try await other.register()
            #expect(try await other.poll(denied).error == .invalidGrant)
            try await anna.answerQuestion("deny")
            #expect(try await bank.poll(denied, holding: bank.certificate).error == .accessDenied)
            let late = try await bank.asked(["requested_expiry": "30"])
            bank.server.clock.advance(by: .seconds(31))
            #expect(try await bank.poll(late, holding: bank.certificate).error == .expiredToken)
        }
    }

    /// A certificate that is over authenticates nobody, also on a connection that was opened before.
    @Test func `with an expired certificate is refused`() async throws {
        try await open(.mtls) { bank, anna in
            let asked = try await bank.asked()
            try await anna.answerQuestion("approve")
            bank.server.clock.advance(by: .seconds(2 * 86_400))
            #expect(try await bank.poll(asked, holding: bank.certificate).error == .invalidClient)
        }
    }

    @Test func `needs keys for its requests, of which one is not RS256's`() async throws {
        let app = AssertionKey()
        func client(signing keys: JSONWebKeySet?) -> Client {
            Client(
                id: ClientID("pay"),
                name: "Pay",
                kind: .certificate(.issued(.dns("pay.example")), signing: keys),
                grantTypes: [.backchannelAuthentication],
                scope: Scope([.openid]),
                tokenFormat: .opaque,
                redirects: RedirectRegistration(profile: .fapi2),
                dpop: .certificate,
                created: TestAuthority.noon
            )
        }
        let good = client(signing: app.set)
        #expect(SecurityProfile.fapi2.objection(to: good) == nil && good.backchannel.objection(to: good) == nil)
        let none = client(signing: nil)
        #expect(none.backchannel.objection(to: none) != nil)
        var key = JSONWebKey.rsa(
            id: JSONWebKey.ID("rsa"), modulus: [UInt8](repeating: 3, count: 256), exponent: [1, 0, 1])
        key.algorithm = "RS256"
        #expect(SecurityProfile.fapi2.objection(to: client(signing: JSONWebKeySet(keys: [key]))) != nil)
    }
}
