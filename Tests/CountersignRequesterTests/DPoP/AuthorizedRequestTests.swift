import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignRequester

@Suite("A request to a resource server")
struct AuthorizedRequestTests {
    private let server: ScriptedServer
    private let store = MemoryTokenStore()
    private let key = DPoPKey(drawingFrom: SeededRandom(seed: 3).source)
    private let request = HTTPRequest(
        method: .get,
        scheme: "https",
        authority: "api.example.com",
        path: "/stations?near=me"
    )

    init() throws { server = try ScriptedServer() }

    @Test func `carries a bearer token where the token is bound to no key`() async throws {
        let sent = try await tokens(bound: false).authorized(request)
        #expect(sent.headerFields[.authorization] == "Bearer access-1")
        #expect(sent.headerFields[.dpop] == nil)
        #expect(sent.path == "/stations?near=me")
    }

    @Test func `carries a new proof for this request and token where the token is bound`() async throws {
        let tokens = try await tokens(bound: true)
        let (first, second) = (try await tokens.authorized(request), try await tokens.authorized(request))
        #expect(first.headerFields[.authorization] == "DPoP access-1")
        let proofs = try [first, second].map { try proof(in: $0) }
        #expect(proofs.allSatisfy { $0.thumbprint == key.thumbprint })
        #expect(proofs[0] != proofs[1])
    }

    @Test func `is made once more with the server's nonce, which later requests have at once`() async throws {
        let tokens = try await tokens(bound: true)
        let first = try await tokens.authorized(request)
        let refusal = Self.refusal(#"DPoP error="use_dpop_nonce""#, nonce: "n-1")
        let again = try #require(try await tokens.authorized(first, after: refusal))
        #expect(try proof(in: again).nonce == DPoPNonce(rawValue: "n-1"))
        // The same nonce once more: sending again is of no use.
        #expect(try await tokens.authorized(again, after: refusal) == nil)
        let fine = HTTPResponse(status: .ok, headerFields: [.dpopNonce: "n-2"])
        #expect(try await tokens.authorized(again, after: fine) == nil)
        #expect(try proof(in: try await tokens.authorized(request)).nonce == DPoPNonce(rawValue: "n-2"))
        // Another server's nonces are its own.
        var elsewhere = request
        elsewhere.authority = "other.example.com"
        let other = try await tokens.authorized(elsewhere)
        #expect(try proof(in: other, at: "https://other.example.com/stations").nonce == nil)
    }

    @Test func `is made once more although another answer brought the nonce meanwhile`() async throws {
        let tokens = try await tokens(bound: true)
        let both = [try await tokens.authorized(request), try await tokens.authorized(request)]
        let refusal = Self.refusal(#"DPoP error="use_dpop_nonce""#, nonce: "n-1")
        for sent in both {
            let again = try #require(try await tokens.authorized(sent, after: refusal))
            #expect(try proof(in: again).nonce == DPoPNonce(rawValue: "n-1"))
        }
    }

    @Test(arguments: [true, false])
    func `is made once more with a new token when the token is refused`(isBound: Bool) async throws {
        let tokens = try await tokens(bound: isBound)
        let first = try await tokens.authorized(request)
        server.transport.reply(at: "/token", with: .renewed(bound: isBound))
        let refusal = Self.refusal(#"\#(isBound ? "DPoP" : "Bearer") realm="x", error="invalid_token""#)
        let again = try #require(try await tokens.authorized(first, after: refusal))
        #expect(again.headerFields[.authorization]?.hasSuffix(" access-2") == true)
        if isBound { _ = try proof(in: again, of: "access-2") }
        let asked = try #require(server.transport.sent(to: "/token").last)
        let proof = try UnverifiedDPoPProof(in: asked.request.headerFields)
        #expect(proof?.key == (isBound ? key.publicKey : nil))
    }

    @Test(arguments: ["Basic realm=x", #"Bearer error="insufficient_scope""#, ""])
    func `is not repeated for other refusals`(challenge: String) async throws {
        let tokens = try await tokens(bound: true)
        let first = try await tokens.authorized(request)
        #expect(try await tokens.authorized(first, after: Self.refusal(challenge)) == nil)
        #expect(server.transport.sent(to: "/token").isEmpty)
    }

    @Test func `keeps a token away from plain http and from what is no address`() async throws {
        let tokens = try await tokens(bound: true)
        var insecure = request
        insecure.scheme = "http"
        await #expect(throws: SignInError(.insecureEndpoint, because: "")) { try await tokens.authorized(insecure) }
        for authority in [nil, "", "a b", "me@api.example.com"] {
            var odd = request
            odd.authority = authority
            await #expect(throws: SignInError(.badAnswer, because: "")) { try await tokens.authorized(odd) }
        }
    }

    @Test func `does not accept that a renewed token is bound to no key any more`() async throws {
        let tokens = try await tokens(bound: true)
        server.transport.reply(at: "/token", with: .renewed(bound: false))
        await #expect(throws: SignInError(.badAnswer, because: "")) { try await tokens.refresh() }
    }
}

extension AuthorizedRequestTests {
    private func tokens(bound: Bool) async throws -> TokenRefresher {
        try await store.save(server.tokens(for: 300, key: bound ? key : nil), for: server.signInKey)
        let random = SeededRandom(seed: 4).source
        let context = RequesterContext(over: server.transport, clock: server.clock.skipping, random: random)
        return server.refresher(of: store, in: context)
    }

    private func proof(
        in request: HTTPRequest,
        at address: String = "https://api.example.com/stations",
        of token: String = "access-1"
    ) throws -> VerifiedDPoPProof {
        let proof = try #require(try UnverifiedDPoPProof(in: request.headerFields))
        return try proof.verified(
            for: try #require(DPoPTarget(.get, address)),
            presenting: AccessToken(revealing: token),
            freshBy: .byNonce(isRequired: false) { _ in server.clock.date },
            at: server.clock.date
        )
    }

    private static func refusal(_ challenge: String, nonce: String? = nil) -> HTTPResponse {
        var fields: HTTPFields = [.wwwAuthenticate: challenge]
        fields[.dpopNonce] = nonce
        return HTTPResponse(status: .unauthorized, headerFields: fields)
    }
}

extension ScriptedTransport.Reply {
    fileprivate static func renewed(bound: Bool) -> Self {
        .json(
            TokenResponse(
                accessToken: AccessToken(revealing: "access-2"),
                tokenType: bound ? "DPoP" : "Bearer",
                expiresIn: 300,
                refreshToken: RefreshToken(revealing: "refresh-2")
            )
        )
    }
}
