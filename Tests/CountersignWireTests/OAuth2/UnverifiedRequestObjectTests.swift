import Countersign
import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import CountersignWire

/// Standard: RFC 9101 §4, §6; RFC 8725 §3.1, §3.11.
@Suite("A request object")
struct UnverifiedRequestObjectTests {
    let key = P256.Signing.PrivateKey()
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let claims = """
        {"iss":"app","aud":"https://id.example.com","exp":1800000060,"nbf":1800000000,"client_id":"app",\
        "response_type":"code","max_age":600,"claims":{"id_token":{"acr":null}},"state":"\\u00e9","nonce":null}
        """
    private let header = #"{"alg":"ES256","kid":"one","typ":"oauth-authz-req+jwt"}"#

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

    private func verified(
        _ claims: String,
        header: String? = nil,
        demanding demand: UnverifiedRequestObject.Demand = .validity
    ) throws -> VerifiedRequestObject {
        try UnverifiedRequestObject(text(claims, header: header)).verified(
            by: keys,
            of: ClientID("app"),
            for: "https://id.example.com",
            demanding: demand,
            at: now
        )
    }

    @Test func `contains the parameters of a request, and those that are no texts as JSON`() throws {
        let parameters = try verified(claims).parameters
        #expect(parameters["response_type"] == "code")
        #expect(parameters["max_age"] == "600")
        #expect(parameters["claims"] == #"{"id_token":{"acr":null}}"#)
        #expect(parameters["state"] == "é")
        #expect(parameters["nonce"] == nil)
        for name in ["iss", "aud", "exp", "nbf"] { #expect(parameters[name] == nil) }
    }

    /// Standard: RFC 9101 §10.8; RFC 8725 §2.8.
    @Test func `would be an assertion of the client if it named it as its subject, and is refused then`() throws {
        let assertion = claims.replacing(#""iss":"app""#, with: #""iss":"app","sub":"app","jti":"1""#)
        #expect(throws: OAuthError(.invalidRequestObject, because: "")) { try verified(assertion) }
        let other = claims.replacing(#""iss":"app""#, with: #""iss":"app","sub":"anna""#)
        #expect(try verified(other).parameters["sub"] == nil)
    }

    @Test(arguments: [
        (#""aud":"https://id.example.com""#, #""aud":"https://other.example""#, "aud"),
        (#""exp":1800000060"#, #""exp":1700000000"#, "exp"),
        (#""client_id":"app""#, #""client_id":"other""#, "client_id"),
        (#""nbf":1800000000,"#, "", "nbf"),
    ])
    func `is refused with the name of the claim`(good: String, bad: String, name: String) throws {
        let error = #expect(throws: OAuthError.self) { try verified(claims.replacing(good, with: bad)) }
        #expect(error?.description?.contains(name) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        #"{"alg":"ES256"}"#, #"{"alg":"ES256","typ":"JWT"}"#, #"{"alg":"ES256","typ":"OAuth-Authz-Req+JWT"}"#,
        #"{"alg":"ES256","typ":"application/oauth-authz-req+jwt"}"#,
    ])
    func `may name its type or not`(header: String) throws {
        #expect(try verified(claims, header: header).parameters["client_id"] == "app")
    }

    @Test func `may be for several servers`() throws {
        let several = claims.replacing("\"https://id.example.com\"", with: "[\"a\",\"https://id.example.com\"]")
        #expect(try verified(several).parameters["client_id"] == "app")
    }

    @Test(arguments: [
        ("\"iss\":\"app\"", "\"iss\":\"web\""), ("\"iss\":\"app\",", ""),
        ("\"client_id\":\"app\"", "\"client_id\":\"web\""), ("\"client_id\":\"app\",", ""),
        ("https://id.example.com", "https://id.example.org"), ("\"aud\":\"https://id.example.com\",", ""),
        ("1800000060", "1799999970"), ("\"nbf\":1800000000", "\"nbf\":1800000031"),
        ("\"exp\":1800000060,", ""), ("\"nbf\":1800000000,", ""), ("1800000060", "1800003601"),
        ("\"max_age\":600", "\"request\":\"a.b.c\""), ("\"max_age\":600", "\"request_uri\":\"https://a.example\""),
        ("\"max_age\":600", "\"response_type\":\"code\""), ("\"max_age\":600", "\"max_age\":600,"),
        ("\"state\":\"\\u00e9\"", "\"state\":\"\\u0000\""), ("{", "["),
    ])
    func `is refused with other claims`(part: String, other: String) throws {
        let changed = claims.replacing(part, with: other, maxReplacements: 1)
        #expect(changed != claims)
        #expect(throws: OAuthError(.invalidRequestObject, because: "")) { try verified(changed) }
    }

    @Test func `need not say how long it is valid, unless that is demanded`() throws {
        let timeless = claims.replacing("\"exp\":1800000060,\"nbf\":1800000000,", with: "")
        #expect(try verified(timeless, demanding: .signature).parameters["client_id"] == "app")
        #expect(throws: OAuthError(.invalidRequestObject, because: "")) { try verified(timeless) }
    }

    @Test(arguments: [
        #"{"alg":"none"}"#, #"{"alg":"HS256","kid":"one"}"#, #"{"alg":"ES256","kid":"two"}"#,
        #"{"alg":"ES256","typ":"dpop+jwt"}"#, #"{"alg":"ES256","typ":"client-authentication+jwt"}"#,
        #"{"alg":"ES256","typ":"application/dpop+jwt"}"#,
        #"{"alg":"RS256"}"#, #"{"alg":"ES256","crit":["b64"],"b64":false}"#, #"{}"#,
    ])
    func `is refused with another header`(header: String) throws {
        #expect(throws: OAuthError(.invalidRequestObject, because: "")) { try verified(claims, header: header) }
    }

    @Test func `is refused without a signature`() throws {
        let signed = try text(claims, header: #"{"alg":"none"}"#)
        let bare = signed.prefix(through: try #require(signed.lastIndex(of: ".")))
        #expect(throws: OAuthError(.invalidRequestObject, because: "")) { try UnverifiedRequestObject(String(bare)) }
    }

    @Test(arguments: [("PS256", true), ("RS256", false)])
    func `is signed by RSA, too, where that is allowed`(algorithm: String, isForFAPI: Bool) throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let numbers = try key.publicKey.getKeyPrimitives()
        var registered = JSONWebKey.rsa(
            id: JSONWebKey.ID("r"), modulus: numbers.modulus, exponent: numbers.publicExponent)
        registered.algorithm = nil
        let keys = JSONWebKeySet(keys: [registered])
        let object = try CompactJWS.text(
            header: Array(#"{"alg":"\#(algorithm)"}"#.utf8),
            payload: Array(claims.utf8),
            signedBy: {
                let padding = algorithm == "PS256" ? _RSA.Signing.Padding.PSS : .insecurePKCS1v1_5
                return Array(try key.signature(for: Data($0), padding: padding).rawRepresentation)
            }
        )
        func verified(_ algorithms: ClientAlgorithms) throws -> VerifiedRequestObject {
            try UnverifiedRequestObject(object).verified(
                by: keys, of: ClientID("app"), for: "https://id.example.com", signedBy: algorithms,
                demanding: .validity, at: now)
        }
        #expect(try verified(.all).parameters["client_id"] == "app")
        if isForFAPI {
            #expect(try verified(.fapi2).parameters["client_id"] == "app")
        } else {
            #expect(throws: OAuthError(.invalidRequestObject, because: "")) { try verified(.fapi2) }
        }
    }
}
