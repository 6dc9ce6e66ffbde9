import Countersign
import CountersignRequester
import CountersignTesting
import CountersignWire
import Crypto
import CryptoExtras
import HTTPTypes
import Testing

@testable import CountersignResource

import FoundationEssentialsCompat

@Suite("A checker of signed tokens")
struct SignedTokenCheckerTests {
    let provider = ScriptedProvider()
    let clock = ManualClock(Date(timeIntervalSince1970: 1_800_000_000))
    let signer = TokenSigner()
    let checker: SignedTokenChecker

    init() throws {
        checker = SignedTokenChecker(
            issuer: IssuerName("https://id.example.com"),
            keysAt: try Endpoint("https://id.example.com/jwks"),
            audience: ResourceName("https://radio.example.com"),
            over: provider
        )
        provider.network.reply(at: "/jwks", with: .json(JSONWebKeySet(keys: [signer.publicKey])))
    }

    private static let good = claims()

    private static func claims(_ changes: String...) -> String {
        var members = [
            "iss": #""https://id.example.com""#, "aud": #""https://radio.example.com""#, "sub": #""anna-1""#,
            "client_id": #""tv""#, "exp": "1800000300", "iat": "1800000000", "jti": #""one""#, "scope": #""read""#,
        ]
        for change in changes {
            let parts = change.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            members[String(parts[0])] = parts[1].isEmpty ? nil : String(parts[1])
        }
        return "{\(members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
    }

    private func isGood(_ token: String) async throws -> Bool {
        let verdict = try await checker.check(AccessToken(revealing: token), at: clock.date)
        if case .good = verdict { return true }
        return false
    }

    @Test func `finds who asks and what they may`() async throws {
        let token = AccessToken(revealing: try signer.token(Self.good))
        let facts = TokenFacts(
            client: ClientID("tv"),
            person: Subject("anna-1"),
            scope: Scope([ScopeWord("read")]),
            expires: Date(timeIntervalSince1970: 1_800_000_300)
        )
        #expect(try await checker.check(token, at: clock.date) == .good(facts))
        #expect(provider.network.sent(to: "/jwks").count == 1)
        #expect(provider.network.sent(to: "/jwks").first?.request.method == .get)
    }

    @Test func `takes a token whose subject is its client for an app's own`() async throws {
        let token = AccessToken(revealing: try signer.token(Self.claims(#"sub="tv""#)))
        guard case .good(let facts) = try await checker.check(token, at: clock.date) else {
            return #expect(Bool(false), "it was refused")
        }
        #expect(facts.person == nil)
    }

    @Test(arguments: [
        #"aud=["other","https://radio.example.com"]"#, "exp=1799999971", "exp=1800000000.5", "nbf=1800000029",
        "iat=", "jti=", "scope=", "scope=\"\"", #"extra={"deep":[1]}"#,
    ])
    func `takes a token with`(change: String) async throws {
        #expect(try await isGood(signer.token(Self.claims(change))))
    }

    @Test(arguments: [
        #"iss="https://id.example.com/""#, #"iss="https://ID.example.com""#, #"iss="https://evil.example""#, "iss=",
        "iss=7", #"aud="other""#, #"aud=["other"]"#, "aud=[]", "aud=", #"aud={"a":1}"#,
        #"aud="https://radio.example.com/""#, #"aud="https://id.example.com""#, "exp=1799999970", "exp=0", "exp=-1",
        "exp=", "exp=null",
        #"exp="1800000300""#, "exp=1e999", "exp=1e300", "nbf=1800000031", #"nbf="soon""#, "sub=", #"sub="""#, "sub=7",
        "client_id=",
        #"client_id="""#, #"cnf={"jkt":"abc"}"#,
    ])
    func `refuses a token with`(change: String) async throws {
        #expect(try await !isGood(signer.token(Self.claims(change))))
    }

    @Test(arguments: [
        #"{"alg":"none","typ":"at+jwt"}"#, #"{"alg":"none","kid":"a-key","typ":"at+jwt"}"#,
        #"{"alg":"NONE","kid":"a-key","typ":"at+jwt"}"#, #"{"alg":"HS256","kid":"a-key","typ":"at+jwt"}"#,
        #"{"alg":"RS256","kid":"a-key","typ":"at+jwt"}"#, #"{"alg":"es256","kid":"a-key","typ":"at+jwt"}"#,
        #"{"alg":"ES384","kid":"a-key","typ":"at+jwt"}"#, #"{"kid":"a-key","typ":"at+jwt"}"#,
        #"{"alg":["ES256"],"kid":"a-key","typ":"at+jwt"}"#, #"{"alg":"ES256","kid":"a-key"}"#,
        #"{"alg":"ES256","kid":"a-key","typ":"JWT"}"#, #"{"alg":"ES256","kid":"a-key","typ":"application/jwt"}"#,
        #"{"alg":"ES256","kid":"a-key","typ":"at+jwt","crit":["b64"],"b64":false}"#,
        #"{"alg":"ES256","kid":"a-key","typ":"at+jwt","crit":[]}"#, #"{"alg":"ES256","kid":7,"typ":"at+jwt"}"#,
        #"{"alg":"ES256","kid":"another","typ":"at+jwt"}"#, "[]", "", "null", "{",
    ])
    func `refuses a token with the header`(header: String) async throws {
        #expect(try await !isGood(signer.token(Self.good, header: header)))
    }

    @Test(arguments: ["AT+JWT", "application/at+jwt"])
    func `takes the type in any case, and in full`(type: String) async throws {
        let header = #"{"alg":"ES256","kid":"a-key","typ":"\#(type)"}"#
        #expect(try await isGood(signer.token(Self.good, header: header)))
    }

    @Test func `does not use a key that the token itself brings`() async throws {
        let stranger = TokenSigner()
        let encoder = JSONEncoder()
        let own = String(decoding: try encoder.encode(stranger.publicKey), as: UTF8.self)
        let header = #"{"alg":"ES256","kid":"a-key","typ":"at+jwt","jwk":\#(own),"jku":"https://evil.example/jwks"}"#
        #expect(try await !isGood(stranger.token(Self.good, header: header)))
        #expect(provider.network.sent().allSatisfy { $0.request.authority == "id.example.com" })
    }

    @Test func `refuses a signature by HMAC with the public key`() async throws {
        let secret = SymmetricKey(data: signer.key.publicKey.rawRepresentation)
        let header = #"{"alg":"HS256","kid":"a-key","typ":"at+jwt"}"#
        let token = try signer.token(Self.good, header: header) { bytes in
            Array(HMAC<SHA256>.authenticationCode(for: bytes, using: secret))
        }
        #expect(try await !isGood(token))
    }

    @Test(arguments: [0, 63, 64, 65])
    func `refuses a signature that is none`(length: Int) async throws {
        #expect(try await !isGood(signer.token(Self.good) { _ in [UInt8](repeating: 0, count: length) }))
    }

    @Test func `refuses a token that was changed after it was signed`() async throws {
        let parts = try signer.token(Self.good).split(separator: ".")
        let payload = URLSafeText.encode(Array(Self.claims(#"sub="mallory""#).utf8))
        #expect(try await !isGood("\(parts[0]).\(payload).\(parts[2])"))
    }

    @Test(arguments: ["", "a", "a.b", "a.b.c.d", "..", "a.b.c", "eyJ9.e30.", "=.=.=", "é.é.é"])
    func `refuses what is no signed token, and asks nobody`(text: String) async throws {
        #expect(try await !isGood(text))
        #expect(provider.network.sent().isEmpty)
    }

    @Test func `refuses a header that is too long to be one`() async throws {
        let filler = String(repeating: "a", count: 3000)
        let header = #"{"alg":"ES256","kid":"a-key","typ":"at+jwt","x":"\#(filler)"}"#
        #expect(try await !isGood(signer.token(Self.good, header: header)))
    }

    @Test func `refuses an RS256 token by a key for ES256, and takes it by its own`() async throws {
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let header = #"{"alg":"RS256","kid":"rsa","typ":"at+jwt"}"#
        let token = try signer.token(Self.good, header: header) { bytes in
            Array(try rsa.signature(for: Data(bytes), padding: .insecurePKCS1v1_5).rawRepresentation)
        }
        let numbers = try rsa.publicKey.getKeyPrimitives()
        let id = JSONWebKey.ID("rsa")
        let key = JSONWebKey.rsa(id: id, modulus: numbers.modulus, exponent: numbers.publicExponent)
        var other = signer.publicKey
        other.keyID = id
        provider.network.reply(
            at: "/jwks",
            with: .json(JSONWebKeySet(keys: [other])),
            .json(JSONWebKeySet(keys: [key]))
        )
        #expect(try await !isGood(token))
        clock.advance(by: .seconds(11))
        #expect(try await isGood(token))
    }
}
