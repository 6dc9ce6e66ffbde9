import Countersign
import Crypto
import Foundation
import Testing

@testable import CountersignWire

@Suite("A foreign ID token")
struct ParsedIDTokenTests {
    private static let key = P256.Signing.PrivateKey()
    private static let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private static let accessToken = AccessToken(revealing: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")

    private var published: JSONWebKey {
        let bytes = Array(Self.key.publicKey.rawRepresentation)
        return .p256(id: JSONWebKey.ID("one"), x: bytes.prefix(32), y: bytes.suffix(32))
    }

    private static let usual: [String: String] = [
        "iss": #""https://id.example""#, "sub": #""248289761001""#, "aud": #""app""#, "exp": "1800000600",
        "iat": "1800000000", "nonce": #""n-0S6_WzA2Mj""#, "azp": #""app""#, "at_hash": #""77QmUPtjPfzWtF2AnpK9RQ""#,
    ]

    private func token(
        _ changes: [String: String?] = [:],
        header: String = #"{"alg":"ES256","kid":"one","typ":"JWT"}"#,
        signedBy sign: ([UInt8]) throws -> [UInt8] = { Array(try key.signature(for: $0).rawRepresentation) }
    ) throws -> UnverifiedIDToken {
        var claims = Self.usual
        for (name, value) in changes { claims[name] = value }
        let json = "{\(claims.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
        return UnverifiedIDToken(
            revealing: try CompactJWS.text(header: Array(header.utf8), payload: Array(json.utf8), signedBy: sign))
    }

    private func refusal(
        of token: UnverifiedIDToken,
        by key: JSONWebKey? = nil,
        demanding edit: (inout ParsedIDToken.Demands) -> Void = { _ in },
        at now: Date = noon
    ) -> IDTokenError? {
        var demands = ParsedIDToken.Demands(
            issuer: "https://id.example", clients: [ClientID("app")], nonce: "n-0S6_WzA2Mj")
        demands.accessToken = Self.accessToken
        edit(&demands)
        do throws(IDTokenError) {
            let read = try ParsedIDToken(token)
            let keys = JSONWebKeySet(keys: [key ?? published])
            let verified = try read.verified(
                by: keys.key(for: read.algorithm, named: read.keyID),
                meeting: demands,
                at: now
            )
            #expect(verified.claims.subject == Subject("248289761001"))
            return nil
        } catch {
            return error
        }
    }

    /// The hash is the example of OpenID Connect Core 1.0, Appendix A.3.
    @Test func `is accepted when everything fits`() throws {
        #expect(refusal(of: try token()) == nil)
        #expect(refusal(of: try token(["azp": nil, "at_hash": nil])) == nil)
        #expect(refusal(of: try token(["aud": #"["app","other"]"#])) == nil)
        #expect(refusal(of: try token(["nonce": nil]), demanding: { $0.nonce = .none }) == nil)
        #expect(refusal(of: try token(["nonce": nil]), demanding: { $0.nonce = .absent }) == nil)
        #expect(refusal(of: try token(), demanding: { $0.nonce = .absent }) == .nonce)
        #expect(refusal(of: try token(), demanding: { $0.nonce = .oneOf([]) }) == .nonce)
        #expect(refusal(of: try token(), demanding: { $0.nonce = .oneOf(["a", "b"]) }) == .nonce)
        #expect(refusal(of: try token(header: #"{"alg":"ES256"}"#)) == nil)
        for begin in ["1799999000", "1800000000", "1800000060"] {
            #expect(refusal(of: try token(["nbf": begin])) == nil)
        }
    }

    @Test(
        arguments: [
            (["iss": #""https://id.example/""#], IDTokenError.anotherIssuer),
            (["aud": #""other""#], .anotherAudience),
            (["aud": "[]"], .anotherAudience), (["azp": #""other""#], .anotherParty),
            (["aud": #"["app","other"]"#, "azp": nil], .anotherParty), (["exp": "1799999939"], .expired),
            (["iat": "1800000061"], .future),
            (["nbf": "1800000061"], .notYetValid), (["nbf": #""soon""#], .unreadableClaims),
            (["nonce": #""other""#], .nonce), (["nonce": nil], .nonce),
            (["at_hash": #""77QmUPtjPfzWtF2AnpK9RR""#], .accessToken), (["sub": #""""#], .noSubject),
            (["exp": nil], .unreadableClaims), (["sub": nil], .unreadableClaims), (["aud": "7"], .unreadableClaims),
            (["azp": "7"], .unreadableClaims), (["exp": #""soon""#], .unreadableClaims),
        ] as [([String: String?], IDTokenError)])
    func `is refused for a claim that does not fit`(changes: [String: String?], expected: IDTokenError) throws {
        #expect(refusal(of: try token(changes)) == expected)
    }

    @Test(arguments: ["null", "7", "true", "[null]", "{}", #""1800000000""#])
    func `is read though a claim that proves nothing is of another type`(value: String) throws {
        let names = ["auth_time", "acr", "amr", "sid", "name", "preferred_username", "email", "email_verified", "x"]
        for name in names { #expect(refusal(of: try token([name: value])) == nil, "\(name)") }
        let read = try ParsedIDToken(try token(["auth_time": #""1799999000""#, "email_verified": "[true]"]))
        let demands = ParsedIDToken.Demands(issuer: "https://id.example", clients: [ClientID("app")])
        let verified = try read.verified(by: VerificationKey(published), meeting: demands, at: Self.noon)
        #expect(verified.claims.authenticated == 1_799_999_000 && !verified.isEmailVerified)
    }

    @Test(arguments: ["iss", "sub", "aud", "exp", "iat", "nbf", "nonce", "azp", "at_hash", "c_hash"])
    func `is refused when a claim that proves something is of another type`(name: String) throws {
        for value in ["true", "{}", "[5]", "[null]"] {
            #expect(refusal(of: try token([name: value])) != nil, "\(value)")
        }
    }

    @Test(arguments: ["https://accounts.google.com", "accounts.google.com"])
    func `names one issuer however Google spells it, and that only where Google is meant`(spelling: String) throws {
        let google = try token(["iss": "\"\(spelling)\""])
        #expect(refusal(of: google, demanding: { $0.issuer = "https://accounts.google.com" }) == nil)
        let read = try ParsedIDToken(google)
        #expect(read.unverifiedIssuer == "https://accounts.google.com")
        let demands = ParsedIDToken.Demands(issuer: "https://accounts.google.com", clients: [ClientID("app")])
        let verified = try read.verified(by: VerificationKey(published), meeting: demands, at: Self.noon)
        #expect(verified.claims.issuer == "https://accounts.google.com")
        for other in ["https://id.example", "https://accounts.google.com/", "http://accounts.google.com"] {
            let others = ParsedIDToken.Demands(issuer: other, clients: [ClientID("app")])
            #expect(throws: IDTokenError.anotherIssuer) {
                try read.verified(by: VerificationKey(published), meeting: others, at: Self.noon)
            }
        }
    }

    @Test(arguments: ["id.example", "http://accounts.google.com", "Accounts.google.com", "accounts.google.com.evil"])
    func `names its issuer letter by letter otherwise`(spelling: String) throws {
        let other = try token(["iss": "\"\(spelling)\""])
        #expect(refusal(of: other) == .anotherIssuer)
        #expect(refusal(of: other, demanding: { $0.issuer = "https://accounts.google.com" }) == .anotherIssuer)
    }

    /// As an app on Android gets it at Google, for its server.
    @Test func `may have been given to another app of its receiver, if that is named`() throws {
        let changes: [String: String?] = ["azp": #""android""#]
        #expect(refusal(of: try token(changes)) == .anotherParty)
        #expect(refusal(of: try token(changes), demanding: { $0.parties = [ClientID("android")] }) == nil)
        #expect(refusal(of: try token(), demanding: { $0.parties = [ClientID("android")] }) == nil)
        // To be given to it is not to be meant for it.
        let meant = try token(["aud": #""android""#, "azp": #""android""#])
        #expect(refusal(of: meant, demanding: { $0.parties = [ClientID("android")] }) == .anotherAudience)
        let both = try token(["aud": #"["app","android"]"#, "azp": nil])
        #expect(refusal(of: both, demanding: { $0.parties = [ClientID("android")] }) == .anotherParty)
    }

    @Test func `is refused when it is too old for its receiver, or belongs to another code`() throws {
        let tooOld = refusal(of: try token(), demanding: { $0.longestAge = 60 }, at: Self.noon + 121)
        #expect(tooOld == .tooOld)
        #expect(refusal(of: try token(), demanding: { $0.longestAge = 60 }, at: Self.noon + 120) == nil)
        let code = AuthorizationCode(revealing: "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk")
        let hashed = try token(["c_hash": #""LDktKdoQak3Pk0cnXxCltA""#])
        #expect(refusal(of: hashed, demanding: { $0.code = code }) == nil)
        #expect(refusal(of: hashed, demanding: { $0.code = AuthorizationCode(revealing: "x") }) == .code)
    }

    @Test func `is refused without a signature of the issuer’s own key`() throws {
        let other = P256.Signing.PrivateKey()
        #expect(refusal(of: try token { Array(try other.signature(for: $0).rawRepresentation) }) == .signature)
        #expect(refusal(of: try token { _ in [] }) == .signature)
        #expect(refusal(of: try token(header: #"{"alg":"ES256","kid":"two"}"#)) == .unknownKey)
        // A key for another algorithm.
        #expect(refusal(of: try token(header: #"{"alg":"RS256","kid":"one"}"#)) == .unknownKey)
    }

    // MARK: Ed25519

    private static let edwards = Curve25519.Signing.PrivateKey()
    private static let edwardsPublished = JSONWebKey.ed25519(
        id: JSONWebKey.ID("one"), x: edwards.publicKey.rawRepresentation)
    /// The left half of SHA-512 of the access token.
    private static let edwardsHash = URLSafeText.encode(
        SHA512.hash(data: Data(accessToken.revealed.utf8)).prefix(32))

    private func edwardsToken(_ algorithm: String, _ changes: [String: String?] = [:]) throws -> UnverifiedIDToken {
        let changes = ["at_hash": "\"\(Self.edwardsHash)\""].merging(changes) { $1 }
        return try token(changes, header: #"{"alg":"\#(algorithm)","kid":"one"}"#) {
            Array(try Self.edwards.signature(for: $0))
        }
    }

    @Test(arguments: ["EdDSA", "Ed25519"])
    func `is accepted with a signature on Ed25519`(algorithm: String) throws {
        var key = Self.edwardsPublished
        key.algorithm = algorithm
        #expect(refusal(of: try edwardsToken(algorithm), by: key) == nil)
        key.algorithm = nil
        #expect(refusal(of: try edwardsToken(algorithm), by: key) == nil)
        // The half of another hash, and another token.
        for hash in [#""77QmUPtjPfzWtF2AnpK9RQ""#, #""\#(Self.edwardsHash.dropLast())A""#] {
            #expect(refusal(of: try edwardsToken(algorithm, ["at_hash": hash]), by: key) == .accessToken)
        }
    }

    @Test func `is refused when the key is none of that curve, or the signature is damaged`() throws {
        #expect(refusal(of: try edwardsToken("EdDSA")) == .unknownKey)
        #expect(refusal(of: try token(), by: Self.edwardsPublished) == .unknownKey)
        var key = Self.edwardsPublished
        key.curve = "Ed448"
        #expect(refusal(of: try edwardsToken("EdDSA"), by: key) == .signature)
        key = Self.edwardsPublished
        key.x = URLSafeText.encode(Array(repeating: 1, count: 31))
        #expect(refusal(of: try edwardsToken("EdDSA"), by: key) == .signature)
        let short = try token(header: #"{"alg":"EdDSA","kid":"one"}"#) {
            Array(try Self.edwards.signature(for: $0).dropLast())
        }
        #expect(refusal(of: short, by: Self.edwardsPublished) == .signature)
        let other = try token(header: #"{"alg":"EdDSA","kid":"one"}"#) {
            Array(try Curve25519.Signing.PrivateKey().signature(for: $0))
        }
        #expect(refusal(of: other, by: Self.edwardsPublished) == .signature)
    }

    @Test(arguments: ["none", "HS256", "HS512", "ES384", "es256", "eddsa", "Ed448", ""])
    func `is refused by any algorithm that needs no key pair, or is not known`(algorithm: String) throws {
        // With the published key as the secret, as attackers do it.
        let secret = SymmetricKey(data: Array(try JSONEncoder().encode(published)))
        let forged = try token(header: #"{"alg":"\#(algorithm)","kid":"one"}"#) {
            algorithm == "none" ? [] : Array(HMAC<SHA256>.authenticationCode(for: $0, using: secret))
        }
        #expect(refusal(of: forged) == .algorithm)
    }

    @Test func `is refused when it is another kind of token, or has extensions`() throws {
        #expect(refusal(of: try token(header: #"{"alg":"ES256","kid":"one","typ":"at+jwt"}"#)) == .anotherType)
        #expect(refusal(of: try token(header: #"{"alg":"ES256","kid":"one","crit":["b64"]}"#)) == .unknownExtension)
        #expect(refusal(of: try token(header: "[]")) == .unreadableHeader)
        #expect(refusal(of: UnverifiedIDToken(revealing: "a.b")) == .noToken)
        let long = try token(["name": "\"\(String(repeating: "x", count: 17_000))\""])
        #expect(refusal(of: long) == .noToken)
    }

    @Test(arguments: [("true", true), (#""true""#, true), ("false", false), (#""false""#, false), (nil, false)])
    func `says whether the e-mail address is the person’s, as a word or as text`(value: String?, isIt: Bool) throws {
        let read = try ParsedIDToken(try token(["email_verified": value]))
        let demands = ParsedIDToken.Demands(issuer: "https://id.example", clients: [ClientID("app")])
        #expect(
            try read.verified(by: VerificationKey(published), meeting: demands, at: Self.noon).isEmailVerified == isIt)
    }
}
