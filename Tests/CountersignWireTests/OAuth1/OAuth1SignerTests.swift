import Countersign
import CountersignTesting
import CryptoExtras
import Foundation
import HTTPTypes
import Testing

@testable import CountersignWire

/// Standard: RFC 5849 §1.2, §3.4.
@Suite("A signer of OAuth 1")
struct OAuth1SignerTests {
    private func signer(
        _ client: ClientCredentials,
        _ token: TokenCredentials? = nil,
        by signing: OAuth1Signer.Signing = .hmacSHA1
    ) -> OAuth1Signer {
        OAuth1Signer(
            as: client,
            for: token,
            by: signing,
            clock: ManualClock().source,
            drawingFrom: SeededRandom(seed: 1).source
        )
    }

    private func signature(_ signed: SignedOAuth1Request) -> String? {
        signed.parameters.first { $0.name == "oauth_signature" }?.value
    }

    @Test(arguments: [
        ("http://EXAMPLE.COM:80/r%20v/X?id=123", "http://example.com/r%20v/X"),
        ("https://www.example.net:8080/?q=1", "https://www.example.net:8080/"),
        ("https://www.example.net:443?q=1", "https://www.example.net/"),
        ("http://www.example.net:443/a/../b/%7e#c", "http://www.example.net:443/a/../b/%7e"),
        ("HTTP://[2001:DB8::1]:80", "http://[2001:db8::1]/"),
    ])
    func `names an address as §3.4.1.2 does`(address: String, base: String) throws {
        #expect(try OAuth1Request(.get, address).baseURI == base)
    }

    @Test(arguments: [
        "", "/request", "ftp://example.com/", "http://", "http:///a", "http://a@example.com/", "http://example.com/a b",
        "http://example.com:99999/", "http://example.com/é", "http://example.com/?a=%",
        "http://" + String(repeating: "a", count: 8192),
    ])
    func `refuses what is no address`(address: String) {
        #expect(throws: OAuth1Error(.malformed, because: "")) { try OAuth1Request(.get, address) }
    }

    @Test func `builds the base string of §3.4.1.1`() throws {
        let request = try OAuth1Request(
            .post,
            RFC5849.address,
            type: "application/x-www-form-urlencoded; charset=utf-8",
            body: Array(RFC5849.body.utf8)
        )
        let header = try OAuth1Header(parsing: RFC5849.header)
        #expect(header.realm == "Example")
        #expect(SignatureBaseString(of: request, header: header.parameters).text == RFC5849.baseString)
        #expect(RFC5849.baseString.hasSuffix("&\(OAuth1Encoding.encode(RFC5849.normalized))"))
    }

    @Test func `leaves a body out that is no form`() throws {
        let request = try OAuth1Request(.post, RFC5849.address, type: "application/json", body: Array("{}".utf8))
        #expect(request.form.isEmpty)
        #expect(try OAuth1Request(.post, RFC5849.address, type: nil, body: [0xFF]).form.isEmpty)
    }

    @Test func `signs the three requests of §1.2`() throws {
        let initiate = try signer(RFC5849.client).sign(
            OAuth1Request(.post, "https://photos.example.net/initiate"),
            realm: "Photos",
            stamped: 137_131_200,
            nonce: "wIjqoS",
            adding: [.callback("http://printer.example.com/ready")]
        )
        #expect(signature(initiate) == RFC5849.initiateSignature)
        #expect(initiate.header.hasPrefix(#"OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03", "#))
        let token = try signer(RFC5849.client, RFC5849.temporary).sign(
            OAuth1Request(.post, "https://photos.example.net/token"),
            stamped: 137_131_201,
            nonce: "walatlh",
            adding: [.verifier("hfdp7dh39dks9884")]
        )
        #expect(signature(token) == RFC5849.tokenSignature)
        let photo = try signer(RFC5849.client, RFC5849.token).sign(
            OAuth1Request(.get, RFC5849.photo), stamped: 137_131_202, nonce: "chapoH")
        #expect(signature(photo) == RFC5849.photoSignature)
    }

    @Test func `signs by the other methods`() throws {
        let key = try #require(OAuth1SigningKey(pem: OAuth1Computed.pem))
        for (signing, expected) in [
            (OAuth1Signer.Signing.hmacSHA256, OAuth1Computed.hmacSHA256), (.rsaSHA1(key), OAuth1Computed.rsaSHA1),
            (.rsaSHA256(key), OAuth1Computed.rsaSHA256),
        ] {
            let signed = try signer(RFC5849.client, RFC5849.token, by: signing).sign(
                OAuth1Request(.get, RFC5849.photo), stamped: 137_131_202, nonce: "chapoH")
            #expect(signature(signed) == expected, "\(signing.method)")
        }
        #expect("\(key)" == "OAuth1SigningKey(redacted)")
        #expect(OAuth1SigningKey(pem: "no key") == nil)
    }

    @Test func `signs the published example of RSA-SHA1, whose key is too short for an app's`() throws {
        let short = OAuth1SigningKey(try _RSA.Signing.PrivateKey(unsafePEMRepresentation: OAuthCoreRSA.pem))
        let signed = try signer(OAuthCoreRSA.client, by: .rsaSHA1(short)).sign(
            OAuth1Request(.get, OAuthCoreRSA.address),
            stamped: OAuthCoreRSA.timestamp,
            nonce: OAuthCoreRSA.nonce,
            adding: [.version]
        )
        #expect(signature(signed) == OAuthCoreRSA.signature)
        let header = try OAuth1Header(parsing: signed.header)
        let base = SignatureBaseString(of: try OAuth1Request(.get, OAuthCoreRSA.address), header: header.parameters)
        #expect(base.text == OAuthCoreRSA.baseString)
        #expect(OAuth1SigningKey(pem: OAuthCoreRSA.pem) == nil)
    }

    @Test func `sends secrets by PLAINTEXT over https only`() throws {
        let secret = OAuth1Secret(revealing: "ja893SD9")
        let client = ClientCredentials(client: ClientID("jd83jd92dhsh93js"), secret: secret)
        let signer = signer(client, by: .plaintext)
        let signed = try signer.sign(OAuth1Request(.post, "https://server.example.com/request_temp_credentials"))
        #expect(signature(signed) == "ja893SD9&")
        #expect(throws: OAuth1Error(.unsupported, because: "")) {
            try signer.sign(OAuth1Request(.post, "http://server.example.com/request_temp_credentials"))
        }
    }

    @Test(arguments: TwitterExamples.signatures)
    func `signs what Twitter and X have published`(address: String, expected: String) throws {
        let request = try OAuth1Request(
            .post,
            address + "?include_entities=true",
            form: [OAuth1Parameter("status", "Hello Ladies + Gentlemen, a signed OAuth request!")]
        )
        let signed = try signer(TwitterExamples.client, TwitterExamples.token).sign(
            request,
            stamped: 1_318_622_958,
            nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg",
            adding: [.version]
        )
        #expect(signature(signed) == expected)
    }

    @Test func `signs the first step of reverse authentication`() throws {
        let signed = try signer(TwitterExamples.reverseClient).sign(
            OAuth1Request(
                .post,
                "https://api.twitter.com/oauth/request_token",
                form: [OAuth1Parameter("x_auth_mode", "reverse_auth")]
            ),
            stamped: 1_322_697_052,
            nonce: TwitterExamples.reverseNonce,
            adding: [.version]
        )
        #expect(signed.baseString.text == TwitterExamples.reverseBase)
        #expect(signature(signed) == TwitterExamples.reverseSignature)
    }

    @Test func `takes time and nonce from where it is told to`() throws {
        let signed = try signer(RFC5849.client).sign(OAuth1Request(.get, RFC5849.photo))
        let values = Dictionary(signed.parameters.map { ($0.name, $0.value) }) { first, _ in first }
        #expect(values["oauth_timestamp"] == "1800000000")
        #expect(values["oauth_version"] == "1.0")
        #expect(values["oauth_nonce"]?.count == 24)
        #expect(values["oauth_nonce"]?.allSatisfy(\.isHexDigit) == true)
    }

    @Test func `reads the answers of §2.1 and §2.3`() throws {
        let temporary = try TemporaryCredentials(form: Form(parsing: Array(RFC5849.temporaryAnswer.utf8)))
        #expect(temporary.credentials.token == OAuth1Token("hdk48Djdsa"))
        #expect(temporary.form.encoded == RFC5849.temporaryAnswer)
        let token = try TokenCredentials(form: Form(parsing: Array(RFC5849.tokenAnswer.utf8)))
        #expect(token.secret == OAuth1Secret(revealing: "ll399dj47dskfjdk"))
        #expect(throws: OAuth1Error(.malformed, because: "")) {
            try TemporaryCredentials(form: Form(parsing: Array(RFC5849.tokenAnswer.utf8)))
        }
    }
}
