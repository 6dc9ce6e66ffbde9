import Countersign
import CountersignTesting
import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import CountersignWire

/// Standard: RFC 9449 §4.2, §4.3.
@Suite("A proof of possession")
struct DPoPProofTests {
    let key = DPoPKey(drawingFrom: .system)
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let target: DPoPTarget

    init() throws {
        target = try #require(DPoPTarget(.post, RFC9449.tokenEndpoint))
    }

    private func proof(
        at issued: Date? = nil,
        presenting token: AccessToken? = nil,
        nonce: DPoPNonce? = nil
    ) throws -> UnverifiedDPoPProof {
        let text = try key.proof(
            for: target, presenting: token, nonce: nonce, at: issued ?? now, drawingFrom: .system)
        return try UnverifiedDPoPProof(text)
    }

    /// A proof with this header and these claims, which the key signed.
    private func text(_ header: String, _ claims: String) throws -> String {
        let secret = try P256.Signing.PrivateKey(rawRepresentation: key.revealedBytes)
        return try CompactJWS.text(
            header: Array(header.utf8),
            payload: Array(claims.utf8),
            signedBy: { Array(try secret.signature(for: Data($0)).rawRepresentation) }
        )
    }

    private var header: String {
        let (x, y) = (key.publicKey.x ?? "", key.publicKey.y ?? "")
        return #"{"typ":"dpop+jwt","alg":"ES256","jwk":{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"}}"#
    }

    private let claims = """
        {"jti":"a","htm":"POST","htu":"https://server.example.com/token","iat":1800000000}
        """

    @Test func `is accepted as the standard has it, at a token endpoint`() throws {
        let now = Date(timeIntervalSince1970: RFC9449.issued + 1)
        let verified = try UnverifiedDPoPProof(RFC9449.proof).verified(for: target, freshBy: .byTime, at: now)
        #expect(verified.thumbprint.rawValue == RFC9449.thumbprint)
        #expect(verified.nonce == nil)
    }

    @Test func `is accepted as the standard has it, with an access token`() throws {
        let now = Date(timeIntervalSince1970: RFC9449.issued)
        let target = try #require(DPoPTarget(.get, RFC9449.resource + "?query"))
        let proof = try UnverifiedDPoPProof(RFC9449.proofWithToken)
        let token = AccessToken(revealing: RFC9449.token)
        #expect(DPoPProofClaims.digest(of: token) == RFC9449.tokenDigest)
        _ = try proof.verified(for: target, presenting: token, freshBy: .byTime, at: now)
        let other = AccessToken(revealing: RFC9449.token + "A")
        #expect(throws: OAuthError(.invalidDPoPProof, because: "")) {
            try proof.verified(for: target, presenting: other, freshBy: .byTime, at: now)
        }
    }

    /// A token of our mint has a digest of its own kind in our store; other programs know only the standard's.
    @Test func `names a token by the SHA-256 digest of its text, also one that begins with its instant`() throws {
        let token: AccessToken = CodeMint(drawingFrom: .system).secret()
        let digest = URLSafeText.encode(Array(SHA256.hash(data: Data(token.revealed.utf8))))
        let claims = try #require(try proof(presenting: token).claims.tokenDigest)
        #expect(claims == digest)
        let text = try text(header, self.claims.dropLast() + #","ath":"\#(digest)"}"#)
        _ = try UnverifiedDPoPProof(text).verified(for: target, presenting: token, freshBy: .byTime, at: now)
        let known = AccessToken(revealing: "tGzv3JOkF0XG5Qx2TlKWIA0123456789abcdefghijk")
        #expect(DPoPProofClaims.digest(of: known).hasPrefix("7CHNwFuKH-P9NVHk"))
    }

    @Test func `is made and read again`() throws {
        let token = AccessToken(revealing: "a token")
        let verified = try proof(presenting: token).verified(
            for: target, presenting: token, freshBy: .byTime, at: now)
        #expect(verified.thumbprint == key.thumbprint)
        let restored = try #require(DPoPKey(revealing: key.revealedBytes))
        #expect(restored.thumbprint == key.thumbprint)
        #expect(restored.publicKey == key.publicKey)
        #expect("\(key)" == "DPoPKey(redacted)")
    }

    @Test func `differs from every other`() throws {
        let first = try proof().verified(for: target, freshBy: .byTime, at: now)
        let second = try proof().verified(for: target, freshBy: .byTime, at: now)
        #expect(first.digest != second.digest)
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, RFC9449.tokenEndpoint), (.post, "https://server.example.com/token/"),
        (.post, "https://server.example.org/token"), (.post, "http://server.example.com/token"),
    ])
    func `is for one request`(method: HTTPRequest.Method, uri: String) throws {
        let other = try #require(DPoPTarget(method, uri))
        #expect(throws: OAuthError(.invalidDPoPProof, because: "")) {
            try proof().verified(for: other, freshBy: .byTime, at: now)
        }
    }

    @Test func `needs the digest of the token that it goes with`() throws {
        #expect(throws: OAuthError(.invalidDPoPProof, because: "")) {
            try proof().verified(
                for: target, presenting: AccessToken(revealing: "a"), freshBy: .byTime, at: now)
        }
    }

    @Test(arguments: [(-121, false), (-120, true), (0, true), (60, true), (61, false)])
    func `is fresh for two minutes, and a minute before its time`(offset: Double, isFresh: Bool) throws {
        let proof = try proof(at: now + offset)
        let result = Result { () throws(OAuthError) in
            try proof.verified(for: target, freshBy: .byTime, at: now)
        }
        #expect(((try? result.get()) != nil) == isFresh)
        if case .failure(let error) = result { #expect(error.code == .invalidDPoPProof) }
    }

    @Test func `is asked for a nonce where nonces are given, when its time is wrong or its nonce is not fresh`() throws
    {
        let good = DPoPNonce("good")
        let given = now - 10
        let freshness = DPoPFreshness.byNonce(isRequired: false) { $0 == good ? given : nil }
        let useNonce = OAuthError(.useDPoPNonce, because: "")
        #expect(throws: useNonce) { try proof(at: now - 3600).verified(for: target, freshBy: freshness, at: now) }
        #expect(throws: useNonce) {
            try proof(nonce: DPoPNonce("old")).verified(for: target, freshBy: freshness, at: now)
        }
        let late = try proof(at: now - 3600, nonce: good).verified(for: target, freshBy: freshness, at: now)
        #expect(late.nonce == good)
        #expect(late.made == given)
        #expect(try proof().verified(for: target, freshBy: freshness, at: now).nonce == nil)
        // A nonce serves a sender whose clock is wrong, unless its profile forbids times in the future.
        let early = try proof(at: now + 61, nonce: good)
        #expect(try early.verified(for: target, freshBy: freshness, at: now).nonce == good)
        let strict = DPoPFreshness.byNonce(isRequired: false, refusesFutureTimes: true) { $0 == good ? given : nil }
        #expect(throws: OAuthError(.invalidDPoPProof, because: "")) {
            try early.verified(for: target, freshBy: strict, at: now)
        }
        #expect(try proof(at: now + 60, nonce: good).verified(for: target, freshBy: strict, at: now).nonce == good)
        let required = DPoPFreshness.byNonce(isRequired: true) { $0 == good ? given : nil }
        #expect(throws: useNonce) { try proof().verified(for: target, freshBy: required, at: now) }
    }

    @Test(arguments: [
        (#""exp":1800000001"#, true), (#""exp":1800000000"#, false), (#""exp":1799999999"#, false),
        (#""nbf":1800000060"#, true), (#""nbf":1800000061"#, false), (#""nbf":1799990000,"exp":1800000100.5"#, true),
        (#""exp":null,"nbf":null"#, true),
    ])
    func `is refused once it has expired, and long before it is good, with a nonce too`(
        times: String, isGood: Bool
    ) throws {
        let nonce = DPoPNonce("good")
        let freshness = DPoPFreshness.byNonce(isRequired: false) { [now] in $0 == nonce ? now : nil }
        for (freshness, also) in [(DPoPFreshness.byTime, ""), (freshness, #","nonce":"good""#)] {
            let proof = try UnverifiedDPoPProof(try text(header, claims.dropLast() + ",\(times)\(also)}"))
            let result = Result { () throws(OAuthError) in
                try proof.verified(for: target, freshBy: freshness, at: now)
            }
            #expect(((try? result.get()) != nil) == isGood)
            if case .failure(let error) = result { #expect(error.code == .invalidDPoPProof) }
        }
    }

    @Test func `is refused with another signature`() throws {
        let other = DPoPKey(drawingFrom: .system)
        let mine = try key.proof(for: target, at: now, drawingFrom: .system).split(separator: ".")
        let theirs = try other.proof(for: target, at: now, drawingFrom: .system).split(separator: ".")
        let mixed = try UnverifiedDPoPProof("\(mine[0]).\(mine[1]).\(theirs[2])")
        #expect(throws: OAuthError(.invalidDPoPProof, because: "")) {
            try mixed.verified(for: target, freshBy: .byTime, at: now)
        }
    }

    @Test(arguments: [
        ("dpop+jwt", "JWT"), ("dpop+jwt", "at+jwt"), ("ES256", "none"), ("ES256", "HS256"), ("ES256", "RS256"),
        ("\"alg\"", "\"crit\":[\"b64\"],\"alg\""), ("\"kty\"", "\"d\":\"AA\",\"kty\""),
        ("\"kty\":\"EC\"", "\"kty\":\"oct\""),
        ("\"jwk\"", "\"key\""), ("P-256", "P-384"),
    ])
    func `is malformed with another header`(part: String, other: String) throws {
        _ = try UnverifiedDPoPProof(try text(header, claims))
        let changed = header.replacing(part, with: other)
        #expect(changed != header)
        #expect(throws: OAuthError(.invalidDPoPProof, because: "")) {
            try UnverifiedDPoPProof(try text(changed, claims))
        }
    }

    @Test(arguments: [
        ("\"jti\":\"a\",", ""), ("\"jti\":\"a\"", "\"jti\":\"\""), ("\"jti\":\"a\"", "\"jti\":1"),
        ("\"htm\":\"POST\",", ""), ("1800000000", "\"1800000000\""), ("1800000000", "1e300"), ("\"htu\"", "\"uri\""),
        ("1800000000", "1800000000,\"nonce\":\"a b\""), ("1800000000", "1800000000,\"nonce\":\"\""),
        ("1800000000", "1800000000,\"exp\":\"1800000100\""), ("1800000000", "1800000000,\"exp\":1e300"),
        ("1800000000", "1800000000,\"nbf\":true"),
    ])
    func `is malformed with other claims`(part: String, other: String) throws {
        let changed = claims.replacing(part, with: other)
        #expect(changed != claims)
        #expect(throws: OAuthError(.invalidDPoPProof, because: "")) {
            try UnverifiedDPoPProof(try text(header, changed))
        }
    }

    @Test func `stands in one header field`() throws {
        let text = try key.proof(for: target, at: now, drawingFrom: .system)
        var fields = HTTPFields()
        #expect(try UnverifiedDPoPProof(in: fields) == nil)
        fields.append(HTTPField(name: .dpop, value: text))
        #expect(try UnverifiedDPoPProof(in: fields)?.thumbprint == key.thumbprint)
        fields.append(HTTPField(name: .dpop, value: text))
        #expect(throws: OAuthError(.invalidDPoPProof, because: "")) { try UnverifiedDPoPProof(in: fields) }
    }

    @Test(arguments: ["", "a", "a.b.c", "..", String(repeating: "a", count: 4097)])
    func `is malformed as another text`(text: String) {
        #expect(throws: OAuthError(.invalidDPoPProof, because: "")) { try UnverifiedDPoPProof(text) }
    }

    @Test func `is read from any bytes without harm`() throws {
        var random = SeededRandom(seed: 9449)
        let good = Array(try key.proof(for: target, at: now, drawingFrom: .system).utf8)
        var read = 0
        for _ in 0..<2000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0x21...0x7E, using: &random)
            }
            guard let proof = try? UnverifiedDPoPProof(String(decoding: bytes, as: UTF8.self)) else { continue }
            read += 1
            let isGood = (try? proof.verified(for: target, freshBy: .byTime, at: now)) != nil
            #expect(!isGood || bytes == good)
        }
        #expect(read > 0)
    }
}
