import Countersign
import CountersignTesting
import CountersignWire
import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// The modules that are about authentication of clients, codes and tokens, named as in the plan without their common
/// beginning (`fapi2-security-profile-final-`).
@Suite("The OpenID Foundation's plan for FAPI 2.0: clients and tokens", .server(withApps: true))
struct FAPI2TokenPlanTests {
    let server = TestServer.current

    // MARK: Assertions

    @Test(arguments: [("RS256", false), ("PS256", true)])
    func `ensure-signed-client-assertion-with-RS256-fails`(algorithm: String, isGood: Bool) async throws {
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let numbers = try rsa.publicKey.getKeyPrimitives()
        var key = JSONWebKey.rsa(
            id: JSONWebKey.ID("rsa"),
            modulus: numbers.modulus,
            exponent: numbers.publicExponent
        )
        key.algorithm = algorithm
        let fapi = try await FAPIApp.add(to: server) { client in
            if case .keys(let keys) = client.kind { client.kind = .keys(JSONWebKeySet(keys: keys.keys + [key])) }
        }
        let now = Int(server.clock.date.timeIntervalSince1970)
        let claims = """
            {"iss":"signer","sub":"signer","aud":"\(server.issuer.text)","jti":"1","exp":\(now + 60)}
            """
        let padding = algorithm == "PS256" ? _RSA.Signing.Padding.PSS : .insecurePKCS1v1_5
        let assertion = try CompactJWS.text(
            header: Array("{\"alg\":\"\(algorithm)\",\"kid\":\"rsa\"}".utf8),
            payload: Array(claims.utf8),
            signedBy: { Array(try rsa.signature(for: Data($0), padding: padding).rawRepresentation) }
        )
        let answer = try await fapi.push(
            with: ["client_assertion_type": UnverifiedClientAssertion.type, "client_assertion": assertion]
        )
        #expect(answer.status == (isGood ? .created : .unauthorized))
        #expect(isGood || answer.error == .invalidClient)
    }

    @Test func `ensure-client-assertion-in-token-endpoint`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let code = try await fapi.code()
        let nameOnly: Form = ["client_id": fapi.app.id]
        let refused = try await fapi.redeem(code, credentials: nameOnly)
        #expect(refused.status == .unauthorized)
        #expect(refused.error == .invalidClient)
        #expect(try await fapi.redeem(code).status == .ok)
    }

    @Test func `par-without-client-authentication-fails`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let answer = try await server.post("/par", fapi.request.form)
        #expect(answer.error == .invalidClient)
    }

    @Test func `ensure-client-assertion-with-iss-aud-succeeds`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let answer = try await fapi.push(with: try fapi.credentials(changing: [:]))
        #expect(answer.status == .created)
    }

    @Test(arguments: [
        ("aud", "\"http://localhost:8080/token\""), ("aud", "\"http://localhost:8080/par\""),
        ("aud", "[\"http://localhost:8080\"]"), ("aud", "[\"http://localhost:8080\",\"https://other.example\"]"),
        ("aud", "\"https://other.example\""), ("aud", nil), ("iss", "\"other\""), ("iss", nil), ("sub", "\"other\""),
        ("sub", nil), ("exp", nil), ("jti", nil),
    ])
    func `ensure-client-assertion-with-bad-aud, -iss, -sub, -without-exp, -jti-fails`(
        claim: String,
        value: String?
    ) async throws {
        let fapi = try await FAPIApp.add(to: server)
        let answer = try await fapi.push(with: try fapi.credentials(changing: [claim: value]))
        #expect(answer.status == .unauthorized)
        #expect(answer.error == .invalidClient)
    }

    @Test(arguments: [
        ("exp", -60, false), ("nbf", 8, true), ("iat", 8, true), ("nbf", 61, false), ("iat", 61, false),
        ("nbf", -10, true),
    ])
    func `ensure-client-assertion-expired-fails, -nbf-iat-8-seconds-in-the-future-succeeds, -over-60-fails`(
        claim: String,
        offset: Int,
        isGood: Bool
    ) async throws {
        let fapi = try await FAPIApp.add(to: server)
        let instant = Int(server.clock.date.timeIntervalSince1970) + offset
        let answer = try await fapi.push(with: try fapi.credentials(changing: [claim: "\(instant)"]))
        #expect(answer.status == (isGood ? .created : .unauthorized))
    }

    @Test func `client-assertion-reuse-fails`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let credentials = try fapi.credentials(changing: [:])
        #expect(try await fapi.push(with: credentials).status == .created)
        #expect(try await fapi.push(with: credentials).error == .invalidClient)
    }

    // MARK: Codes

    @Test func `ensure-authorization-code-is-bound-to-client`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        var other = SigningApp(server: fapi.server)
        other.id = "other"
        let address = fapi.app.redirectURI
        try await other.register {
            $0.redirects.profile = .fapi2
            $0.redirects.redirectURIs = [address]
        }
        let code = try await fapi.code()
        let stolen = try await fapi.redeem(code, credentials: try other.credentials())
        #expect(stolen.error == .invalidGrant)
        #expect(try await fapi.redeem(code).status == .ok)
    }

    @Test(arguments: [1, 30])
    func `attempt-reuse-authorization-code-after-one-second, -after-30-seconds`(seconds: Int) async throws {
        let fapi = try await FAPIApp.add(to: server)
        let code = try await fapi.code()
        let tokens = try await fapi.redeem(code).json(TokenResponse.self)
        server.clock.advance(by: .seconds(seconds))
        #expect(try await fapi.redeem(code).error == .invalidGrant)
        #expect(try await !server.honours(tokens.accessToken, provenBy: fapi.key))
    }

    @Test func `ensure-authorization-code-expires-after-60-seconds`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let code = try await fapi.code()
        server.clock.advance(by: .seconds(60))
        #expect(try await fapi.redeem(code).error == .invalidGrant)
    }

    // MARK: Holders of keys

    @Test func `ensure-holder-of-key-required`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let code = try await fapi.code()
        #expect(try await fapi.app.redeem(code).error == .invalidDPoPProof)
        let tokens = try await fapi.redeem(code).json(TokenResponse.self)
        #expect(try await fapi.app.refresh(tokens.refreshToken).error == .invalidDPoPProof)
        #expect(try await !server.honours(tokens.accessToken))
        let thief = DPoPKey(drawingFrom: .system)
        #expect(try await !server.honours(tokens.accessToken, provenBy: thief))
    }

    @Test func `dpop-code-binding`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        for isByProof in [true, false] {
            var form = fapi.request.form
            if !isByProof { form["dpop_jkt"] = fapi.key.thumbprint.rawValue }
            let headers = isByProof ? try server.proof(by: fapi.key, at: "par") : [:]
            let query = try await fapi.app.pushedQuery(form, headers: headers)
            let page = try await fapi.anna.get("authorize?\(query)")
            let answer = page.status == .ok ? try await fapi.anna.authorize(query: query) : page
            let code = answer.authorization?.code
            let thief = try server.proof(by: DPoPKey(drawingFrom: .system))
            #expect(try await fapi.app.redeem(code, headers: thief).error == .invalidGrant)
            #expect(try await fapi.redeem(try #require(code)).status == .ok)
        }
        var form = fapi.request.form
        form["dpop_jkt"] = DPoPKey(drawingFrom: .system).thumbprint.rawValue
        let refused = try await fapi.app.push(form, headers: try server.proof(by: fapi.key, at: "par"))
        #expect(refused.error == .invalidDPoPProof)
    }

    @Test func `dpop-negative-tests, ensure-dpop-proof-…`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let code = try await fapi.code()
        let key = fapi.key
        let used = try server.proof(by: key)
        _ = try await fapi.app.refresh(RefreshToken(revealing: "none"), headers: used)
        var malformed = HTTPFields()
        malformed[.dpop] = "a.b.c"
        var twice = try server.proof(by: key)
        twice.append(HTTPField(name: .dpop, value: try #require(try server.proof(by: key)[.dpop])))
        let wrong = [
            try server.proof(by: key, at: "par"), try server.proof(by: key, for: .get), used, malformed, twice,
        ]
        for headers in wrong {
            #expect(try await fapi.app.redeem(code, headers: headers).error == .invalidDPoPProof)
        }
        let tokens = try await fapi.redeem(code).json(TokenResponse.self)
        // A proof without the token's digest, or for another token.
        let other = AccessToken(revealing: "another")
        for presented in [nil, other] {
            var headers = try server.proof(by: key, for: .get, at: "userinfo", presenting: presented)
            headers[.authorization] = DPoPHeader.value(for: tokens.accessToken)
            #expect(try await server.get("/userinfo", headers: headers).status == .unauthorized)
        }
    }

    @Test func `access-token-in-query-is-not-accepted`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let token = try await fapi.signedIn().accessToken
        #expect(try await server.get("/userinfo?access_token=\(token.revealed)").status == .unauthorized)
    }

    // MARK: Refresh tokens

    @Test func `refresh-token`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let first = try await fapi.signedIn()
        let refresh = try #require(first.refreshToken)
        // It stays, and may be used again when an answer was lost.
        for _ in 0..<3 {
            fapi.server.clock.advance(by: .seconds(60))
            let headers = try fapi.server.proof(by: fapi.key)
            let next = try await fapi.app.refresh(refresh, headers: headers).json(TokenResponse.self)
            #expect(next.refreshToken == nil)
            #expect(next.accessToken != first.accessToken)
            #expect(try await fapi.server.honours(next.accessToken, provenBy: fapi.key))
        }
        // It is worth nothing to another client.
        var other = SigningApp(server: fapi.server)
        other.id = "other"
        try await other.register { $0.redirects.profile = .fapi2 }
        let stolen = try await other.refresh(refresh, headers: try fapi.server.proof(by: fapi.key))
        #expect(stolen.error == .invalidGrant)
        #expect(try await fapi.app.refresh(refresh, headers: try fapi.server.proof(by: fapi.key)).status == .ok)
    }

    @Test func `refresh-token: it lives on by being used, and ends with its sign-in`() async throws {
        let fapi = try await FAPIApp.add(to: server, editing: { $0.lifetimes.refreshToken = 3600 })
        let first = try await fapi.signedIn()
        for _ in 0..<3 {
            server.clock.advance(by: .seconds(3000))
            let answer = try await fapi.app.refresh(
                first.refreshToken,
                headers: try server.proof(by: fapi.key)
            )
            #expect(answer.status == .ok)
        }
        let revoked = try await server.post(
            "/revoke",
            try Form(dictionaryLiteral: ("token", try #require(first.refreshToken).revealed))
                .with(try fapi.app.credentials())
        )
        #expect(revoked.status == .ok)
        let after = try await fapi.app.refresh(
            first.refreshToken,
            headers: try server.proof(by: fapi.key)
        )
        #expect(after.error == .invalidGrant)
    }
}
