import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignHTTP
@testable import CountersignServer

/// Standard: RFC 9449 §5, §6, §8.
@Suite("A token request with a DPoP proof", .server)
struct DPoPTokenTests {
    let server = TestServer.current
    let key = DPoPKey(drawingFrom: .system)
    let other = DPoPKey(drawingFrom: .system)

    @Test func `binds opaque tokens to the key`() async throws {
        let tokens = try await server.signedIn(proving: key)
        #expect(tokens.tokenType == "DPoP")
        let told = try await server.introspect(tokens.accessToken.revealed, as: .api)
        #expect(!told.active, "it is for another audience")
        let digest = tokens.accessToken.digest
        let record = try #require(try await server.store.read { try $0.accessTokens.find(digest) })
        #expect(record.key == .proof(key.thumbprint))
    }

    @Test func `binds JWTs to the key`() async throws {
        let tokens = try await server.signedIn(.radio, proving: key)
        let parts = try #require(CompactJWS(tokens.accessToken.revealed))
        struct Claims: Decodable { let cnf: KeyConfirmation }
        let claims = try JSONDecoder().decode(Claims.self, from: Data(parts.payload))
        #expect(claims.cnf == KeyConfirmation(.proof(key.thumbprint)))
    }

    @Test func `shows in introspection, by the router and without it`() async throws {
        var form = TestClients.console.form
        form["grant_type"] = "client_credentials"
        let bound = try await server.post("/token", form, headers: try server.proof(by: key))
            .json(TokenResponse.self)
        for _ in 0..<2 {
            let told = try await server.introspect(bound.accessToken.revealed, as: .api)
            #expect(told.active)
            #expect(told.tokenType == "DPoP")
            #expect(told.confirmation == KeyConfirmation(.proof(key.thumbprint)))
        }
        let free = try await server.post("/token", form).json(TokenResponse.self)
        let told = try await server.introspect(free.accessToken.revealed, as: .api)
        #expect(free.tokenType == "Bearer")
        #expect(told.tokenType == "Bearer")
        #expect(told.confirmation == nil)
    }

    @Test func `binds the refresh token of a public client to the key`() async throws {
        let first = try await server.signedIn(proving: key)
        let refused = [
            try await server.refresh(first.refreshToken),
            try await server.refresh(first.refreshToken, headers: try server.proof(by: other)),
        ]
        for answer in refused {
            #expect(answer.status == .badRequest)
            #expect(answer.error == .invalidGrant)
        }
        // A thief without the key ends nothing.
        let answer = try await server.refresh(first.refreshToken, headers: try server.proof(by: key))
        let second = try answer.json(TokenResponse.self)
        #expect(second.tokenType == "DPoP")
        #expect(try await server.honours(second.accessToken, provenBy: key))
    }

    @Test func `binds a refresh token that was not bound before`() async throws {
        let first = try await server.signedIn()
        let second = try await server.refresh(first.refreshToken, headers: try server.proof(by: key))
            .json(TokenResponse.self)
        #expect(second.tokenType == "DPoP")
        #expect(try await server.refresh(second.refreshToken).error == .invalidGrant)
    }

    @Test func `leaves the refresh token of a confidential client to its secret`() async throws {
        let first = try await server.signedIn(.console, proving: key)
        let second = try await server.refresh(
            first.refreshToken, as: .console, headers: try server.proof(by: other)
        ).json(TokenResponse.self)
        let third = try await server.refresh(second.refreshToken, as: .console).json(TokenResponse.self)
        #expect(second.tokenType == "DPoP")
        #expect(third.tokenType == "Bearer")
    }

    @Test func `gets a lost answer again with a new proof of the same key only`() async throws {
        let token = try await server.signedIn(proving: key).refreshToken
        let answer = try await server.refresh(token, headers: try server.proof(by: key))
        let again = try await server.refresh(token, headers: try server.proof(by: key))
        #expect(again.status == .ok)
        #expect(again.body == answer.body)
        #expect(try await server.refresh(token, headers: try server.proof(by: other)).error == .invalidGrant)
        #expect(try await server.refresh(token).error == .invalidGrant)
        let tokens = try answer.json(TokenResponse.self)
        #expect(try await server.honours(tokens.accessToken, provenBy: key))
    }

    @Test func `is refused when the proof was used before`() async throws {
        let first = try await server.signedIn(proving: key)
        let fields = try server.proof(by: key)
        let answer = try await server.refresh(first.refreshToken, headers: fields)
        let second = try answer.json(TokenResponse.self)
        for token in [first.refreshToken, second.refreshToken] {
            let replay = try await server.refresh(token, headers: fields)
            #expect(replay.status == .badRequest)
            #expect(replay.error == .invalidDPoPProof)
        }
    }

    @Test func `is refused with a proof that was used before a restart, and needs a nonce of after it`() async throws {
        let token = try await server.signedIn(proving: key).refreshToken
        let (used, old) = (try server.proof(by: key), try server.proof(by: key))
        let answer = try await server.refresh(token, headers: used)
        let next = try answer.json(TokenResponse.self).refreshToken
        server.clock.advance(by: .seconds(1))
        try await server.restarted { again in
            #expect(try await again.refresh(next, headers: used).error == .invalidDPoPProof)
            let stale = try await again.refresh(next, headers: try again.proof(by: key, nonce: answer.nonce))
            #expect(stale.error == .useDPoPNonce && stale.nonce != nil)
            let renewed = try await again.refresh(next, headers: old)
            #expect(renewed.status == .ok)
            let last = try await again.refresh(
                try renewed.json(TokenResponse.self).refreshToken,
                headers: try again.proof(by: key, nonce: renewed.nonce))
            #expect(last.status == .ok)
        }
    }

    @Test func `is refused with a proof that another node accepted, with a nonce too`() async throws {
        let shared = SharedStore(base: server.store)
        try await server.restarted(over: shared) { one in
            try await one.restarted(over: shared) { other in
                let tokens = try await one.signedIn(proving: key)
                let given = try await one.refresh(nil, headers: try one.proof(by: key)).nonce
                let nonce = try #require(given)
                let proof = try one.proof(
                    by: key, for: .get, at: "userinfo", presenting: tokens.accessToken, nonce: nonce)
                #expect(try await one.get("/userinfo", headers: proof).status == .ok)
                for node in [other, one] {
                    #expect(try await node.get("/userinfo", headers: proof).status == .unauthorized)
                }
                one.clock.advance(by: .seconds(299))
                #expect(try await other.get("/userinfo", headers: proof).status == .unauthorized)
                let fresh = try other.proof(
                    by: key, for: .get, at: "userinfo", presenting: tokens.accessToken, nonce: nonce)
                #expect(try await other.get("/userinfo", headers: fresh).status == .ok)
            }
        }
    }

    @Test func `is refused with a proof that is malformed, repeated, or for another address`() async throws {
        let token = try await server.signedIn(proving: key).refreshToken
        var twice = try server.proof(by: key)
        twice.append(HTTPField(name: .dpop, value: try server.proof(by: key)[.dpop] ?? ""))
        for fields in [twice, [.dpop: "a.b.c"], try server.proof(by: key, at: "revoke")] {
            let answer = try await server.refresh(token, headers: fields)
            #expect(answer.status == .badRequest)
            #expect(answer.error == .invalidDPoPProof)
            #expect(answer.nonce != nil)
        }
    }

    @Test(.server { $0.requiresDPoPNonce = true })
    func `is given a nonce with every answer, which works for five minutes`() async throws {
        let first = try await server.signedIn()
        let refused = try await server.refresh(first.refreshToken, headers: try server.proof(by: key))
        #expect(refused.status == .badRequest)
        #expect(refused.error == .useDPoPNonce)
        let nonce = try #require(refused.nonce)
        server.clock.advance(by: .seconds(299))
        let answer = try await server.refresh(
            first.refreshToken, headers: try server.proof(by: key, nonce: nonce))
        #expect(answer.status == .ok)
        let next = try #require(answer.nonce)
        #expect(next != nonce)
        server.clock.advance(by: .seconds(2))
        let token = try answer.json(TokenResponse.self).refreshToken
        let late = try await server.refresh(token, headers: try server.proof(by: key, nonce: nonce))
        #expect(late.error == .useDPoPNonce)
        let forged = try await server.refresh(
            token, headers: try server.proof(by: key, nonce: DPoPNonce(String(next.rawValue.reversed()))))
        #expect(forged.error == .useDPoPNonce)
        #expect(
            try await server.refresh(token, headers: try server.proof(by: key, nonce: next)).status == .ok)
    }

    @Test func `gives no nonce to those that send no proof`() async throws {
        let first = try await server.signedIn()
        #expect(try await server.refresh(first.refreshToken).headers[.dpopNonce] == nil)
    }

    @Test func `lets a client with a wrong clock in by a nonce`() async throws {
        let token = try await server.signedIn().refreshToken
        let target = try #require(DPoPTarget(.post, server.issuer.appending("token")))
        func fields(_ nonce: DPoPNonce?) throws -> HTTPFields {
            let wrong = server.clock.date - 86_400
            return [.dpop: try key.proof(for: target, nonce: nonce, at: wrong, drawingFrom: .system)]
        }
        let refused = try await server.refresh(token, headers: try fields(nil))
        #expect(refused.error == .useDPoPNonce)
        #expect(try await server.refresh(token, headers: try fields(refused.nonce)).status == .ok)
    }

    @Test(arguments: [Client.DPoPUse.required, .requiredWithNonce])
    func `is needed of a client that is registered so`(use: Client.DPoPUse) async throws {
        let first = try await server.signedIn()
        let codes = try await server.ask()
        try await server.change(.tv) { $0.dpop = use }
        #expect(try await server.refresh(first.refreshToken).error == .invalidDPoPProof)
        #expect(try await server.poll(codes).error == .invalidDPoPProof)
        let answer = try await server.refresh(first.refreshToken, headers: try server.proof(by: key))
        if use == .required {
            #expect(answer.status == .ok)
        } else {
            #expect(answer.error == .useDPoPNonce)
            let fields = try server.proof(by: key, nonce: answer.nonce)
            #expect(try await server.refresh(first.refreshToken, headers: fields).status == .ok)
        }
    }

    @Test func `is announced in the metadata`() async throws {
        let metadata = try await server.get("/.well-known/oauth-authorization-server")
            .json(AuthorizationServerMetadata.self)
        #expect(metadata.dpopSigningAlgValuesSupported == ["ES256", "RS256"])
        #expect(metadata.tokenEndpointAuthMethodsSupported?.contains("private_key_jwt") == true)
        #expect(metadata.tokenEndpointAuthSigningAlgValuesSupported == ["ES256", "PS256", "RS256"])
    }

    @Test func `is left to the router by the fast path`() throws {
        var head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/token")
        head.headerFields = [.contentType: "application/x-www-form-urlencoded", .contentLength: "3"]
        #expect(FastPathRequest.Head(of: head) != nil)
        head.headerFields[.dpop] = "a.b.c"
        #expect(FastPathRequest.Head(of: head) == nil)
    }
}

/// Standard: RFC 9449 §7.
@Suite("An endpoint that takes access tokens", .server)
struct DPoPUserInfoTests {
    let server = TestServer.current
    let key = DPoPKey(drawingFrom: .system)

    @Test func `takes a bound token with a proof of its key, once`() async throws {
        let token = try await server.signedIn(proving: key).accessToken
        let fields = try server.proof(by: key, for: .get, at: "userinfo", presenting: token)
        let answer = try await server.get("/userinfo", headers: fields)
        #expect(answer.status == .ok)
        #expect(answer.nonce != nil)
        let replay = try await server.get("/userinfo", headers: fields)
        #expect(replay.status == .unauthorized)
        #expect(
            replay.headers[values: .wwwAuthenticate].contains {
                $0.hasPrefix("DPoP algs=\"ES256 RS256\", error=\"invalid_dpop_proof\"")
            })
    }

    @Test func `refuses a bound token as that of a bearer`() async throws {
        let token = try await server.signedIn(proving: key).accessToken
        let answer = try await server.get(
            "/userinfo", headers: [.authorization: BearerHeader.value(for: token)])
        #expect(answer.status == .unauthorized)
        #expect(answer.headers[values: .wwwAuthenticate].contains { $0.contains("error=\"invalid_token\"") })
    }

    @Test func `refuses a bound token with a proof of another key, of another token, or with none`() async throws {
        let token = try await server.signedIn(proving: key).accessToken
        let other = DPoPKey(drawingFrom: .system)
        #expect(try await !server.honours(token, provenBy: other))
        var fields = try server.proof(by: key, for: .get, at: "userinfo")
        fields[.authorization] = DPoPHeader.value(for: token)
        #expect(try await server.get("/userinfo", headers: fields).status == .unauthorized)
        fields[.dpop] = nil
        #expect(try await server.get("/userinfo", headers: fields).status == .unauthorized)
        #expect(try await server.honours(token, provenBy: key))
    }

    @Test func `refuses a token that is not bound together with a proof`() async throws {
        let token = try await server.signedIn().accessToken
        #expect(try await !server.honours(token, provenBy: key))
        #expect(try await server.honours(token))
    }

    /// THREATS: a stranger fills the memory of proofs.
    @Test func `uses up no proof beside a token that is not good`() async throws {
        let token = try await server.signedIn(proving: key).accessToken
        let unknown = AccessToken(revealing: "nobody's-token")
        let fields = try server.proof(by: key, for: .get, at: "userinfo", presenting: unknown)
        for _ in 0..<2 {
            let answer = try await server.get("/userinfo", headers: fields)
            #expect(answer.status == .unauthorized)
            #expect(answer.headers[values: .wwwAuthenticate].contains { $0.contains("error=\"invalid_token\"") })
        }
        #expect(try await server.honours(token, provenBy: key))
    }

    @Test func `asks for a nonce where the client of the token is registered so`() async throws {
        let token = try await server.signedIn(proving: key).accessToken
        try await server.change(.tv) { $0.dpop = .requiredWithNonce }
        let fields = try server.proof(by: key, for: .get, at: "userinfo", presenting: token)
        let answer = try await server.get("/userinfo", headers: fields)
        #expect(answer.headers[values: .wwwAuthenticate].contains { $0.contains("error=\"use_dpop_nonce\"") })
        let again = try server.proof(by: key, for: .get, at: "userinfo", presenting: token, nonce: answer.nonce)
        #expect(try await server.get("/userinfo", headers: again).status == .ok)
    }

    @Test func `asks for a nonce where one is required`() async throws {
        let token = try await server.signedIn(proving: key).accessToken
        let target = try #require(DPoPTarget(.get, server.issuer.appending("userinfo")))
        let old = try key.proof(
            for: target, presenting: token, at: server.clock.date - 3600, drawingFrom: .system)
        let fields: HTTPFields = [.authorization: DPoPHeader.value(for: token), .dpop: old]
        let answer = try await server.get("/userinfo", headers: fields)
        #expect(answer.status == .unauthorized)
        #expect(answer.headers[values: .wwwAuthenticate].contains { $0.contains("error=\"use_dpop_nonce\"") })
        let again = try server.proof(
            by: key, for: .get, at: "userinfo", presenting: token, nonce: answer.nonce)
        #expect(try await server.get("/userinfo", headers: again).status == .ok)
    }
}

/// A store that several nodes share.
private struct SharedStore: ForwardingStore {
    let base: any Store
}
