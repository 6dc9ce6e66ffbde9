import Countersign
import Crypto
import Foundation
import Testing

@testable import CountersignWire

/// Standard: RFC 7523 §3; OpenID Connect Core 1.0 §9.
@Suite("A client's signed statement")
struct UnverifiedClientAssertionTests {
    let key = P256.Signing.PrivateKey()
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let claims = """
        {"iss":"bank","sub":"bank","aud":"https://id.example.com","jti":"a","exp":1800000060,"iat":1800000000}
        """
    private let header = #"{"alg":"ES256","kid":"one"}"#

    private var keys: JSONWebKeySet {
        let bytes = Array(key.publicKey.rawRepresentation)
        return JSONWebKeySet(keys: [.p256(id: JSONWebKey.ID("one"), x: bytes.prefix(32), y: bytes.suffix(32))])
    }

    private func text(_ claims: String, header: String? = nil) throws -> String {
        try CompactJWS.text(
            header: Array((header ?? self.header).utf8),
            payload: Array(claims.utf8),
            signedBy: { Array(try key.signature(for: Data($0)).rawRepresentation) }
        )
    }

    private func verified(_ claims: String, header: String? = nil) throws -> VerifiedClientAssertion {
        try UnverifiedClientAssertion(text(claims, header: header))
            .verified(by: keys, for: ["https://id.example.com", "https://id.example.com/token"], at: now)
    }

    @Test func `is verified by a registered key`() throws {
        #expect(try verified(claims).client == ClientID("bank"))
        #expect(try verified(claims, header: #"{"alg":"ES256","typ":"JWT"}"#).client == ClientID("bank"))
        #expect(try verified(claims.replacing("example.com", with: "example.com/token")).client == ClientID("bank"))
    }

    @Test func `may name its audience as a list, where that is accepted`() throws {
        let list = claims.replacing(#""https://id.example.com""#, with: #"["https://id.example.com"]"#)
        #expect(try verified(list).client == ClientID("bank"))
        #expect(throws: OAuthError(.invalidClient, because: "")) {
            try UnverifiedClientAssertion(text(list))
                .verified(by: keys, for: ["https://id.example.com"], acceptingLists: false, at: now)
        }
    }

    @Test(arguments: [
        ("\"sub\":\"bank\"", "\"sub\":\"shop\""), ("https://id.example.com", "https://id.example.org"),
        ("\"https://id.example.com\"", "[\"https://id.example.com\",\"https://id.example.org\"]"),
        (",\"exp\":1800000060", ""),
        ("1800000060", "1799999970"), ("1800000060", "1800003661"), (",\"jti\":\"a\"", ""),
        ("\"iat\":1800000000", "\"iat\":1800000031"), ("\"iat\":1800000000", "\"nbf\":1800000031"),
        ("\"jti\":\"a\"", "\"jti\":\"\""),
    ])
    func `is refused with other claims`(part: String, other: String) throws {
        let changed = claims.replacing(part, with: other)
        #expect(changed != claims)
        #expect(throws: OAuthError(.invalidClient, because: "")) { try verified(changed) }
    }

    @Test(arguments: [
        #"{"alg":"none"}"#, #"{"alg":"HS256","kid":"one"}"#, #"{"alg":"ES256","kid":"two"}"#,
        #"{"alg":"ES256","typ":"dpop+jwt"}"#, #"{"alg":"ES256","crit":["b64"],"b64":false}"#, #"{}"#,
    ])
    func `is refused with another header`(header: String) throws {
        #expect(throws: OAuthError(.invalidClient, because: "")) { try verified(claims, header: header) }
    }

    @Test func `is refused with a signature by another key`() throws {
        let assertion = try UnverifiedClientAssertion(text(claims))
        let bytes = Array(P256.Signing.PrivateKey().publicKey.rawRepresentation)
        let others = JSONWebKeySet(keys: [.p256(id: JSONWebKey.ID("one"), x: bytes.prefix(32), y: bytes.suffix(32))])
        #expect(throws: OAuthError(.invalidClient, because: "")) {
            try assertion.verified(by: others, for: ["https://id.example.com"], at: now)
        }
    }

    @Test func `names the client in a request`() throws {
        var form = Form()
        form["client_assertion"] = try text(claims)
        #expect(throws: OAuthError(.invalidClient, because: "")) {
            try PresentedCredentials(authorization: nil, form: form)
        }
        form["client_assertion_type"] = UnverifiedClientAssertion.type
        let presented = try PresentedCredentials(authorization: nil, form: form)
        #expect(presented.client == ClientID("bank"))
        #expect(presented.method == .privateKeyJWT)
        #expect(presented.assertion != nil)
        form["client_id"] = "bank"
        #expect(try PresentedCredentials(authorization: nil, form: form) == presented)
        form["client_id"] = "shop"
        #expect(throws: OAuthError(.invalidClient, because: "")) {
            try PresentedCredentials(authorization: nil, form: form)
        }
        form["client_id"] = nil
        form["client_secret"] = "a"
        #expect(throws: OAuthError(.invalidRequest, because: "")) {
            try PresentedCredentials(authorization: nil, form: form)
        }
        form["client_secret"] = nil
        #expect(throws: OAuthError(.invalidRequest, because: "")) {
            try PresentedCredentials(authorization: "Basic YTpi", form: form)
        }
    }
}
