import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// The modules of the plan for authorization servers, named as in the plan without their common beginning
/// (`fapi-ciba-id1-`).
///
/// The plan runs with `private_key_jwt` and certificates; tokens are bound by DPoP here, as the profile `fapi2` of this
/// server demands. Standard: FAPI-CIBA §5.2.2; OpenID CIBA Core 1.0.
@Suite("The OpenID Foundation's plan for FAPI-CIBA")
struct FAPICIBAPlanTests {
    /// A client with the profile `fapi2` that asks over the back channel.
    struct Bank: Sendable {
        let app: SigningApp
        let key = DPoPKey(drawingFrom: .system)

        var server: TestServer { app.server }

        /// The claims of a signed request, each as JSON; `changes` replace them, and `nil` takes one away.
        func request(
            _ changes: [String: String?] = [:],
            signedBy key: AssertionKey? = nil,
            header: String = #"{"alg":"ES256","kid":"one"}"#
        ) throws -> String {
            let now = Int(server.clock.date.timeIntervalSince1970)
            var claims: [String: String] = [
                "iss": "\"signer\"", "aud": "\"\(server.issuer.text)\"", "jti": "\"\(UUID().uuidString)\"",
                "iat": "\(now)", "nbf": "\(now)", "exp": "\(now + 300)", "scope": "\"openid profile\"",
                "login_hint": "\"anna\"", "client_notification_token": "\"\(TestBackchannelClient.token)\"",
                "binding_message": "\"1234\"",
            ]
            for (name, value) in changes { claims[name] = value }
            let json = claims.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
            return try (key ?? app.key).signed("{\(json)}", header: header)
        }

        func send(_ form: Form, credentials: Form? = nil) async throws -> TestResponse {
            try await server.post("/bc-authorize", try form.with(try credentials ?? app.credentials()))
        }

        func ask(_ changes: [String: String?] = [:]) async throws -> TestResponse {
            try await send(["request": try request(changes)])
        }

        func asked(_ changes: [String: String?] = [:]) async throws -> BackchannelAuthenticationResponse {
            let answer = try await ask(changes)
            #expect(answer.status == .ok, "\(answer.text)")
            return try answer.json(BackchannelAuthenticationResponse.self)
        }

        func poll(
            _ request: AuthenticationRequestID,
            credentials: Form? = nil,
            headers: HTTPFields? = nil
        ) async throws -> TestResponse {
            let form = try TokenRequest.backchannelAuthentication(request).form
                .with(try credentials ?? app.credentials())
            return try await server.post("/token", form, headers: try headers ?? server.proof(by: key))
        }
    }

    private func open(
        _ mode: BackchannelDeliveryMode = .poll,
        _ test: @escaping @Sendable (Bank, TestBrowser) async throws -> Void
    ) async throws {
        try await TestServer.open { server in
            let app = SigningApp(server: server)
            try await app.register { client in
                client.grantTypes = [.backchannelAuthentication, .refreshToken]
                client.redirects.profile = .fapi2
                client.backchannel = BackchannelRegistration(
                    deliveryMode: mode,
                    notificationEndpoint: mode.isNotified ? "https://signer.example\(TestBackchannelClient.path)" : nil
                )
                #expect(client.redirects.profile?.objection(to: client) == nil)
                #expect(client.backchannel.objection(to: client) == nil)
            }
            try await test(Bank(app: app), try await server.browser(of: .anna))
        }
    }

    @Test(arguments: [BackchannelDeliveryMode.poll, .ping])
    func `(happy path)`(mode: BackchannelDeliveryMode) async throws {
        try await open(mode) { bank, anna in
            let asked = try await bank.asked()
            try await anna.answerQuestion("approve")
            if mode == .ping {
                let network = ScriptedTransport.answeringNotifications()
                try await bank.server.delivery(over: network).deliver()
                #expect(try network.notifications() == [.decided(asked.request)])
            }
            let tokens = try await bank.poll(asked.request).json(TokenResponse.self)
            #expect(tokens.tokenType == "DPoP")
            let idToken = try await bank.server.read(try #require(tokens.idToken).revealed)
            #expect(idToken.text("aud") == "signer")
            #expect(idToken.text("sub") == TestPerson.anna.subject.rawValue)
            #expect(try await bank.server.honours(tokens.accessToken, provenBy: bank.key))
        }
    }

    @Test func `discovery-end-point-verification`() async throws {
        try await open { bank, _ in
            let metadata = try await bank.server.get("/.well-known/openid-configuration")
                .json(AuthorizationServerMetadata.self)
            #expect(metadata.backchannelAuthenticationEndpoint?.hasSuffix("/bc-authorize") == true)
            let modes = try #require(metadata.backchannelTokenDeliveryModesSupported)
            #expect(Set(modes).isSuperset(of: ["poll", "ping"]))
            let algorithms = try #require(metadata.backchannelAuthenticationRequestSigningAlgValuesSupported)
            #expect(algorithms.contains("ES256") && algorithms.contains("PS256") && !algorithms.contains("none"))
            #expect(metadata.grantTypesSupported?.contains(.backchannelAuthentication) == true)
        }
    }

    /// Not in the plan: what was used stays used when the server is started again.
    @Test func `(a signed request that comes again)`() async throws {
        try await open { bank, _ in
            let form: Form = ["request": try bank.request()]
            #expect(try await bank.send(form).status == .ok)
            #expect(try await bank.send(form).error == .invalidRequest)
            try await bank.server.restarted { again in
                let answer = try await again.post("/bc-authorize", try form.with(try bank.app.credentials()))
                #expect(answer.error == .invalidRequest)
            }
        }
    }

    @Test func `user-rejects-authentication`() async throws {
        try await open { bank, anna in
            let asked = try await bank.asked()
            try await anna.answerQuestion("deny")
            #expect(try await bank.poll(asked.request).error == .accessDenied)
        }
    }

    @Test func `multiple-call-to-token-endpoint`() async throws {
        try await open { bank, anna in
            let asked = try await bank.asked()
            for _ in 0..<3 {
                #expect(try await bank.poll(asked.request).error == .authorizationPending)
                bank.server.clock.advance(by: .seconds(try #require(asked.interval)))
            }
            #expect(try await bank.poll(asked.request).error == .authorizationPending)
            #expect(try await bank.poll(asked.request).error == .slowDown)
            try await anna.answerQuestion("approve")
            #expect(try await bank.poll(asked.request).status == .ok)
            bank.server.clock.advance(by: .seconds(11))
            #expect(try await bank.poll(asked.request).error == .invalidGrant)
        }
    }

    @Test func `auth-req-id-expired`() async throws {
        try await open { bank, _ in
            let asked = try await bank.asked(["requested_expiry": "30"])
            #expect(asked.expiresIn == 30)
            bank.server.clock.advance(by: .seconds(31))
            #expect(try await bank.poll(asked.request).error == .expiredToken)
        }
    }

    @Test func `refresh-token`() async throws {
        try await open { bank, anna in
            let asked = try await bank.asked()
            try await anna.answerQuestion("approve")
            let tokens = try await bank.poll(asked.request).json(TokenResponse.self)
            let answer = try await bank.app.refresh(
                tokens.refreshToken, headers: try bank.server.proof(by: bank.key))
            #expect(answer.status == .ok)
            // It is the client's alone.
            let other = TestBackchannelClient(server: bank.server)
            try await other.register()
            let form: Form = [
                "grant_type": "refresh_token", "refresh_token": tokens.refreshToken?.revealed ?? "",
            ]
            #expect(try await bank.server.post("/token", form.with(other.credentials)).error == .invalidGrant)
        }
    }

    // MARK: Requests

    @Test func `ensure-authorization-request-with-binding-message-succeeds`() async throws {
        try await open { bank, anna in
            _ = try await bank.asked(["binding_message": #""1234""#])
            #expect(try await anna.openQuestion().text.contains("1234"))
        }
    }

    /// Standard: FAPI-CIBA §5.2.2, second item: no request here has a context of its own that is unique.
    @Test func `ensure-authorization-request-without-binding-message-fails`() async throws {
        try await open { bank, anna in
            let answer = try await bank.ask(["binding_message": nil])
            #expect(answer.error == .invalidRequest)
            #expect(try await anna.question() == nil)
        }
    }

    @Test func `ensure-other-scope-order-succeeds`() async throws {
        try await open { bank, anna in
            let asked = try await bank.asked(["scope": #""profile openid""#])
            try await anna.answerQuestion("approve")
            let tokens = try await bank.poll(asked.request).json(TokenResponse.self)
            #expect(tokens.idToken != nil)
        }
    }

    @Test func `ensure-authorization-request-with-requested-expiry-as-string-succeeds`() async throws {
        try await open { bank, _ in
            let asked = try await bank.asked(["requested_expiry": #""30""#])
            #expect(asked.expiresIn == 30)
        }
    }

    @Test func `ensure-authorization-request-with-potentially-bad-binding-message`() async throws {
        try await open { bank, _ in
            let good = try await bank.ask(["binding_message": #""1234 품질이 좋은""#])
            #expect(good.status == .ok, "\(good.text)")
            let bad = try await bank.ask(["binding_message": "\"\(String(repeating: "1234 ", count: 100))\""])
            #expect(bad.error == .invalidBindingMessage)
        }
    }

    @Test func `ensure-authorization-request-with-multiple-hints-fails`() async throws {
        try await open { bank, _ in
            let several = try await bank.ask(["id_token_hint": #""x""#])
            #expect(several.error == .invalidRequest)
            let none = try await bank.ask(["login_hint": nil])
            #expect(none.error == .invalidRequest)
        }
    }

    @Test func `ensure-backchannel-authorization-request-without-request-fails`() async throws {
        try await open { bank, _ in
            let answer = try await bank.send(["scope": "openid", "login_hint": "anna"])
            #expect(answer.status == .badRequest && answer.error == .invalidRequest)
            // Nothing stands beside the object.
            let both = try await bank.send(["request": try bank.request(), "scope": "openid"])
            #expect(both.error == .invalidRequest)
        }
    }

    @Test(
        arguments: [
            ("missing-aud", ["aud": nil]), ("bad-aud", ["aud": #""https://other.example""#]),
            ("missing-exp", ["exp": nil]), ("expired-exp", ["exp": "1000000000"]), ("missing-iat", ["iat": nil]),
            ("missing-iss", ["iss": nil]), ("bad-iss", ["iss": #""other""#]), ("missing-jti", ["jti": nil]),
            ("missing-nbf", ["nbf": nil]), ("nbf-over-60-in-the-past", ["nbf": "1000000000"]),
            ("bad-nbf", ["nbf": "4000000000", "exp": "4000000060"]),
            ("client-id-of-another", ["client_id": #""other""#]),
            ("exp-over-60", ["exp": "4000000000"]),
        ] as [(String, [String: String?])])
    func `ensure-request-object-…-fails`(name: String, changes: [String: String?]) async throws {
        try await open { bank, _ in
            let answer = try await bank.ask(changes)
            #expect(answer.status == .badRequest && answer.error == .invalidRequest, "\(name): \(answer.text)")
        }
    }

    @Test func `ensure-request-object-signature-algorithm-is-none-fails, -is-bad-fails, -is-RS256-fails`()
        async throws
    {
        try await open { bank, _ in
            for header in [
                #"{"alg":"none"}"#, #"{"alg":"RS256","kid":"one"}"#, #"{"alg":"HS256"}"#,
                #"{"alg":"ES256","kid":"unknown"}"#,
            ] {
                let answer = try await bank.send(["request": try bank.request(header: header)])
                #expect(answer.error == .invalidRequest, "\(header)")
            }
            let good = try bank.request()
            let broken = try await bank.send(["request": String(good.dropLast(4)) + "AAAA"])
            #expect(broken.error == .invalidRequest)
        }
    }

    @Test func `ensure-request-object-signed-by-other-client-fails`() async throws {
        try await open { bank, _ in
            let answer = try await bank.send(["request": try bank.request(signedBy: AssertionKey())])
            #expect(answer.error == .invalidRequest)
        }
    }

    @Test func `ensure-request-object-is-used-once`() async throws {
        try await open { bank, _ in
            let request = try bank.request()
            #expect(try await bank.send(["request": request]).status == .ok)
            #expect(try await bank.send(["request": request]).error == .invalidRequest)
        }
    }

    // MARK: Clients

    @Test func `ensure-client-assertion-in-backchannel-authorization-request-…`() async throws {
        try await open { bank, _ in
            let request = try bank.request()
            #expect(
                try await bank.send(["request": request], credentials: ["client_id": "signer"]).error == .invalidClient)
            let elsewhere = try bank.app.credentials(to: "https://other.example")
            #expect(try await bank.send(["request": request], credentials: elsewhere).error == .invalidClient)
            let stranger = try AssertionKey().form("signer", to: bank.server.issuer.text, at: bank.server.clock.date)
            #expect(try await bank.send(["request": request], credentials: stranger).error == .invalidClient)
            #expect(try await bank.send(["request": request]).status == .ok)
        }
    }

    /// The issuer, the token endpoint and this one are accepted, as CIBA demands, though FAPI 2.0 wants the issuer
    /// alone.
    ///
    /// Standard: OpenID CIBA Core 1.0 §7.1.
    @Test(arguments: ["", "token", "bc-authorize"])
    func `client-assertion-audience-is-the-endpoint`(name: String) async throws {
        try await open { bank, _ in
            let audience = name.isEmpty ? bank.server.issuer.text : bank.server.issuer.appending(name)
            let credentials = try bank.app.credentials(to: audience)
            let answer = try await bank.send(["request": try bank.request()], credentials: credentials)
            #expect(answer.status == .ok, "\(answer.text)")
            var plain = SigningApp(server: bank.server)
            plain.id = "plain"
            try await plain.register { $0.grantTypes = [.backchannelAuthentication] }
            let form: Form = ["scope": "openid", "login_hint": "anna"]
            let other = try await bank.server.post(
                "/bc-authorize", try form.with(try plain.credentials(to: audience)))
            #expect(other.status == .ok, "\(other.text)")
        }
    }

    @Test(arguments: ["", "token"])
    func `client-assertion-with-iss-aud-to-token-endpoint-succeeds`(name: String) async throws {
        try await open { bank, anna in
            let asked = try await bank.asked()
            try await anna.answerQuestion("approve")
            let audience = name.isEmpty ? bank.server.issuer.text : bank.server.issuer.appending(name)
            let answer = try await bank.poll(asked.request, credentials: try bank.app.credentials(to: audience))
            #expect(answer.status == .ok, "\(answer.text)")
        }
    }

    @Test func `ensure-authorization-request-…-without-client-assertion-in-token-endpoint-fails`() async throws {
        try await open { bank, anna in
            let asked = try await bank.asked()
            try await anna.answerQuestion("approve")
            let nameOnly: Form = ["client_id": bank.app.id]
            #expect(try await bank.poll(asked.request, credentials: nameOnly).error == .invalidClient)
            let elsewhere = try bank.app.credentials(to: "https://other.example")
            #expect(try await bank.poll(asked.request, credentials: elsewhere).error == .invalidClient)
            #expect(try await bank.poll(asked.request).status == .ok)
        }
    }

    @Test func `ensure-client-assertion-signature-algorithm-in-…-is-RS256-fails`() async throws {
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let numbers = try rsa.publicKey.getKeyPrimitives()
        var key = JSONWebKey.rsa(
            id: JSONWebKey.ID("rsa"), modulus: numbers.modulus, exponent: numbers.publicExponent)
        key.algorithm = nil
        let registered = key
        try await open { bank, anna in
            try await bank.server.change { repositories in
                var client = try #require(try repositories.clients.find(bank.app.client))
                client.kind = .keys(JSONWebKeySet(keys: bank.app.key.set.keys + [registered]))
                try repositories.clients.update(client)
            }
            func credentials(_ algorithm: String) throws -> Form {
                let now = Int(bank.server.clock.date.timeIntervalSince1970)
                let claims = """
                    {"iss":"signer","sub":"signer","aud":"\(bank.server.issuer.text)","jti":"\(UUID())","exp":\(now + 60)}
                    """
                let padding = algorithm == "PS256" ? _RSA.Signing.Padding.PSS : .insecurePKCS1v1_5
                let assertion = try CompactJWS.text(
                    header: Array("{\"alg\":\"\(algorithm)\",\"kid\":\"rsa\"}".utf8),
                    payload: Array(claims.utf8),
                    signedBy: { Array(try rsa.signature(for: Data($0), padding: padding).rawRepresentation) }
                )
                return ["client_assertion_type": UnverifiedClientAssertion.type, "client_assertion": assertion]
            }
            let request = try bank.request()
            let bad = try await bank.send(["request": request], credentials: try credentials("RS256"))
            #expect(bad.error == .invalidClient)
            let good = try await bank.send(["request": request], credentials: try credentials("PS256"))
            let asked = try good.json(BackchannelAuthenticationResponse.self)
            try await anna.answerQuestion("approve")
            #expect(
                try await bank.poll(asked.request, credentials: try credentials("RS256")).error == .invalidClient)
            #expect(try await bank.poll(asked.request, credentials: try credentials("PS256")).status == .ok)
        }
    }

    @Test func `ensure-wrong-client-id-in-token-endpoint-request-fails`() async throws {
        try await open { bank, anna in
            let asked = try await bank.asked()
            try await anna.answerQuestion("approve")
            let other = TestBackchannelClient(server: bank.server)
            try await other.register()
            #expect(try await other.poll(asked).error == .invalidGrant)
            #expect(try await bank.poll(asked.request).status == .ok)
        }
    }

    @Test func `ensure-wrong-authentication-request-id-in-token-endpoint-request-fails`() async throws {
        try await open { bank, _ in
            let asked = try await bank.asked()
            let wrong = AuthenticationRequestID(revealing: String(asked.request.revealed.dropLast()) + "_")
            #expect(try await bank.poll(wrong).error == .invalidGrant)
        }
    }

    @Test func `ensure-holder-of-key-required`() async throws {
        try await open { bank, anna in
            let asked = try await bank.asked()
            try await anna.answerQuestion("approve")
            #expect(try await bank.poll(asked.request, headers: [:]).error == .invalidDPoPProof)
            #expect(try await bank.poll(asked.request).status == .ok)
        }
    }

    // MARK: Ping

    @Test(arguments: [
        (
            "notification-endpoint-returns-401-and-require-server-does-not-retry",
            ScriptedTransport.Reply.status(.unauthorized)
        ),
        ("notification-endpoint-returns-403-and-require-server-does-not-retry", .status(.forbidden)),
        ("notification-endpoint-returns-redirect-request", .status(.found, fields: [.location: "https://b.example/x"])),
        ("notification-endpoint-response-has-body", .json("{}")),
    ])
    func `ping-…`(name: String, reply: ScriptedTransport.Reply) async throws {
        try await open(.ping) { bank, anna in
            let asked = try await bank.asked()
            try await anna.answerQuestion("approve")
            let network = ScriptedTransport.answeringNotifications(reply)
            try await bank.server.delivery(over: network).deliver()
            #expect(network.sent().map(\.request.authority) == ["signer.example"])
            let isOver = name.hasSuffix("body") || name.hasSuffix("not-retry")
            #expect(try await bank.server.notices().isEmpty == isOver)
            // Whatever its endpoint answers, the client can ask.
            #expect(try await bank.poll(asked.request).status == .ok)
        }
    }
}
