import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// The modules that are about authorization requests, named as in the plan without their common beginning
/// (`fapi2-security-profile-final-`).
@Suite("The OpenID Foundation's plan for FAPI 2.0: authorization requests", .server(withApps: true))
struct FAPI2RequestPlanTests {
    let server = TestServer.current

    @Test func `discovery-end-point-verification`() async throws {
        _ = try await FAPIApp.add(to: server)
        let metadata = try await server.get("/.well-known/openid-configuration")
            .json(AuthorizationServerMetadata.self)
        #expect(metadata.pushedAuthorizationRequestEndpoint != nil)
        #expect(metadata.authorizationResponseIssParameterSupported == true)
        #expect(metadata.codeChallengeMethodsSupported == ["S256"])
        #expect(metadata.tokenEndpointAuthMethodsSupported?.contains("private_key_jwt") == true)
        #expect(metadata.dpopSigningAlgValuesSupported?.contains("ES256") == true)
    }

    @Test func `happy-flow`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let query = try await fapi.app.pushedQuery()
        let response = try await fapi.anna.authorize(query: query)
        #expect(response.status == .seeOther)
        let answer = try #require(response.authorization)
        #expect(answer.issuer == server.issuer.text)
        #expect(answer.state == "a state")
        let tokens = try await fapi.redeem(try #require(answer.code)).json(TokenResponse.self)
        #expect(tokens.tokenType == "DPoP")
        #expect(try await server.honours(tokens.accessToken, provenBy: fapi.key))
        let idToken = try await server.read(try #require(tokens.idToken).revealed)
        #expect(idToken.header.algorithm == "ES256")
        #expect(idToken.text("nonce") == "a nonce")
    }

    @Test func `user-rejects-authentication`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let query = try await fapi.app.pushedQuery()
        let answer = try await fapi.anna.authorize(query: query, answering: "deny").authorization
        #expect(answer?.error == .accessDenied)
        #expect(answer?.state == "a state")
        #expect(answer?.issuer == server.issuer.text)
    }

    @Test func `ensure-unsigned-authorization-request-without-using-par-fails`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let answer = try await fapi.anna.authorize(fapi.request).authorization
        #expect(answer?.error == .invalidRequest)
    }

    @Test func `ensure-signed-authorization-request-without-using-par-fails`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let query = try fapi.app.query(try fapi.app.object())
        #expect(try await fapi.anna.get("authorize?\(query)").authorization?.error == .invalidRequest)
    }

    @Test func `par-attempt-reuse-request_uri`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let query = try await fapi.app.pushedQuery()
        _ = try await fapi.anna.authorize(query: query)
        #expect(try await fapi.anna.get("authorize?\(query)").status == .badRequest)
    }

    @Test func `par-attempt-to-use-expired-request_uri`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let answer = try await fapi.app.push(fapi.request.form).json(PushedAuthorizationResponse.self)
        let lifetime = try #require(answer.expiresIn)
        #expect((5..<600).contains(lifetime))
        server.clock.advance(by: .seconds(lifetime))
        let query = Form(dictionaryLiteral: ("client_id", fapi.app.id), ("request_uri", answer.requestURI))
        #expect(try await fapi.anna.get("authorize?\(query.encoded)").status == .badRequest)
    }

    @Test func `par-attempt-to-use-request_uri-for-different-client`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        var other = SigningApp(server: fapi.server)
        other.id = "other"
        try await other.register { $0.redirects.profile = .fapi2 }
        let query = try await fapi.app.pushedQuery().replacing("client_id=signer", with: "client_id=other")
        #expect(try await fapi.anna.get("authorize?\(query)").status == .badRequest)
    }

    @Test func `par-attempt-invalid-http-method`() async throws {
        _ = try await FAPIApp.add(to: server)
        let answer = try await server.get("/par")
        #expect(answer.status == .methodNotAllowed)
    }

    @Test func `par-authorization-request-containing-request_uri`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        var form = fapi.request.form
        form["request_uri"] = "urn:ietf:params:oauth:request_uri:a"
        let answer = try await fapi.app.push(form)
        #expect(answer.error == .invalidRequest)
    }

    @Test func `par-ensure-pkce-required, par-ensure-pkce-code-verifier-required`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        var form = fapi.request.form
        (form["code_challenge"], form["code_challenge_method"]) = (nil, nil)
        let answer = try await fapi.app.push(form)
        #expect(answer.error == .invalidRequest)
        let code = try await fapi.code()
        let proof = try server.proof(by: fapi.key)
        #expect(try await fapi.app.redeem(code, verifier: nil, headers: proof).error == .invalidGrant)
    }

    @Test func `par-plain-pkce-rejected`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        var form = fapi.request.form
        form["code_challenge"] = TestApps.verifier.revealed
        form["code_challenge_method"] = "plain"
        let answer = try await fapi.app.push(form)
        #expect(answer.error == .invalidRequest)
    }

    @Test func `incorrect-pkce-code-verifier-rejected`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let code = try await fapi.code()
        let other = CodeVerifier(revealing: String(repeating: "a", count: 43))
        let proof = try server.proof(by: fapi.key)
        #expect(try await fapi.app.redeem(code, verifier: other, headers: proof).error == .invalidGrant)
    }

    @Test(arguments: [nil, "https://signer.example/other", "http://signer.example/done"])
    func `par-ensure-redirect_uri-in-request, ensure-registered-redirect-uri`(address: String?) async throws {
        let fapi = try await FAPIApp.add(to: server)
        var form = fapi.request.form
        form["redirect_uri"] = address
        form["scope"] = "play"
        let answer = try await fapi.app.push(form)
        #expect(answer.error == .invalidRequest)
    }

    @Test(arguments: ["token", "code id_token", "id_token"])
    func `ensure-response-type-code-only`(type: String) async throws {
        let fapi = try await FAPIApp.add(to: server)
        var form = fapi.request.form
        form["response_type"] = type
        let answer = try await fapi.app.push(form)
        #expect(answer.error == .unsupportedResponseType)
    }

    @Test func `state-only-outside-request-object-not-used, different-nonce-inside-and-outside`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let object = try fapi.app.object(changing: ["state": nil])
        let query = try await fapi.app.pushedQuery(["request": object, "state": "outside", "nonce": "outside"])
        let answer = try await fapi.anna.authorize(query: query + "&state=browser").authorization
        #expect(answer?.state == nil)
        let tokens = try await fapi.redeem(try #require(answer?.code)).json(TokenResponse.self)
        #expect(try await server.read(try #require(tokens.idToken).revealed).text("nonce") == "a nonce")
    }

    @Test(arguments: ["exp", "nbf"])
    func `ensure-request-object-without-exp-fails, -without-nbf-fails`(claim: String) async throws {
        let fapi = try await FAPIApp.add(to: server)
        let object = try fapi.app.object(changing: [claim: nil])
        #expect(try await fapi.app.push(["request": object]).error == .invalidRequestObject)
    }

    @Test(arguments: [("exp", 3601), ("nbf", -3600), ("exp", -60), ("nbf", 61)])
    func `ensure-request-object-with-exp-over-60-fails, -nbf-over-60-fails, -expired`(
        claim: String,
        offset: Int
    ) async throws {
        let fapi = try await FAPIApp.add(to: server)
        let instant = Int(server.clock.date.timeIntervalSince1970) + offset
        let object = try fapi.app.object(changing: [claim: "\(instant)"])
        #expect(try await fapi.app.push(["request": object]).error == .invalidRequestObject)
    }

    @Test func `ensure-request-object-with-bad-aud-fails, -invalid-signature-fails, -alg-none-fails`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let objects = [
            try fapi.app.object(changing: ["aud": "\"https://other.example\""]),
            try SigningApp(server: fapi.server).object(),
            try fapi.app.object(header: #"{"alg":"none"}"#),
        ]
        for object in objects {
            #expect(try await fapi.app.push(["request": object]).error == .invalidRequestObject)
        }
    }

    @Test func `ensure-request-object-with-multiple-aud-succeeds`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        let audiences = "[\"\(server.issuer.text)\",\"https://other.example\"]"
        let object = try fapi.app.object(changing: ["aud": audiences])
        #expect(try await fapi.app.push(["request": object]).status == .created)
    }

    @Test func `test-claims-parameter-idtoken-identity-claims`() async throws {
        let fapi = try await FAPIApp.add(to: server)
        var form = fapi.request.form
        form["claims"] = #"{"id_token":{"email":{"essential":true},"acr":{"essential":true}}}"#
        let tokens = try await fapi.redeem(try await fapi.code(form)).json(TokenResponse.self)
        let idToken = try await server.read(try #require(tokens.idToken).revealed)
        #expect(idToken.text("email") == "anna@example.org")
        #expect(idToken.text("acr") == "urn:countersign:acr:password")
    }
}
