import Countersign
import Crypto
import Foundation
import Testing

@testable import CountersignWire

/// Standard: OpenID CIBA Core 1.0 §7.1; RFC 9493 §3.2.
@Suite("A login hint token")
struct UnverifiedLoginHintTokenTests {
    let key = P256.Signing.PrivateKey()
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let claims = """
        {"iss":"desk","aud":"https://id.example.com","exp":1800000060,"sub_id":{"format":"opaque","id":"anna"}}
        """

    private func person(_ claims: String, header: String = #"{"alg":"ES256","kid":"one"}"#) throws
        -> UnverifiedLoginHintToken.Person
    {
        let bytes = Array(key.publicKey.rawRepresentation)
        let text = try CompactJWS.text(
            header: Array(header.utf8),
            payload: Array(claims.utf8),
            signedBy: { Array(try key.signature(for: Data($0)).rawRepresentation) }
        )
        return try UnverifiedLoginHintToken(text).person(
            signedBy: JSONWebKeySet(keys: [
                .p256(id: JSONWebKey.ID("one"), x: bytes.prefix(32), y: bytes.suffix(32))
            ]),
            of: ClientID("desk"),
            for: "https://id.example.com",
            at: now
        )
    }

    @Test func `names a person by their name, or by the server's identifier for them`() throws {
        #expect(try person(claims) == .login("anna"))
        let subject = claims.replacing(
            #"{"format":"opaque","id":"anna"}"#,
            with: #"{"format":"iss_sub","iss":"https://id.example.com","sub":"248289761001"}"#
        )
        #expect(try person(subject) == .subject(Subject("248289761001")))
    }

    @Test func `is told when it has expired, and only that is wrong`() throws {
        let expired = claims.replacing("1800000060", with: "1799999000")
        #expect(throws: OAuthError(.expiredLoginHintToken, because: "")) { try person(expired) }
        let another = expired.replacing(#""aud":"https://id.example.com""#, with: #""aud":"https://b.example""#)
        #expect(throws: OAuthError(.invalidRequest, because: "")) { try person(another) }
    }

    @Test(arguments: [
        (#""iss":"desk""#, #""iss":"other""#), (#""aud":"https://id.example.com""#, #""aud":"https://b.example""#),
        (#""exp":1800000060,"#, ""), (#""exp":1800000060"#, #""exp":1900000000"#),
        (#""format":"opaque""#, #""format":"email""#), (#""id":"anna""#, #""sub":"anna""#),
        (#"{"format":"opaque","id":"anna"}"#, #"{"format":"iss_sub","iss":"https://b.example","sub":"1"}"#),
        (#","sub_id":{"format":"opaque","id":"anna"}"#, ""),
    ])
    func `is refused otherwise`(good: String, bad: String) {
        #expect(claims.contains(good))
        #expect(throws: OAuthError(.invalidRequest, because: "")) { try person(claims.replacing(good, with: bad)) }
    }

    @Test(arguments: [#"{"alg":"none"}"#, #"{"alg":"HS256"}"#, #"{"alg":"ES256","typ":"at+jwt"}"#])
    func `is signed, and of its type`(header: String) {
        #expect(throws: OAuthError(.invalidRequest, because: "")) { try person(claims, header: header) }
    }
}
