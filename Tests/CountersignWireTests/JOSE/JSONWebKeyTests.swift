import Countersign
import Crypto
import Testing

@testable import CountersignWire

@Suite("A set of keys")
struct JSONWebKeySetTests {
    @Test func `is that of RFC 7517, Appendix A.1`() throws {
        let keys = try JSONWebKeySet(json: RFC7517.keySet).keys
        #expect(keys.map(\.keyType) == ["EC", "RSA"])
        #expect(keys.map(\.keyID) == [JSONWebKey.ID("1"), JSONWebKey.ID("2011-04-29")])
        #expect(keys.map(\.use) == ["enc", nil])
        #expect(keys.map(\.algorithm) == [nil, "RS256"])
        #expect(keys.first?.curve == "P-256")
        #expect(keys.first?.x == RFC7517.x)
        #expect(keys.first?.y == RFC7517.y)
        #expect(keys.last?.modulus == RFC7517.modulus)
        #expect(keys.last?.exponent == "AQAB")
    }

    @Test func `is written as it is read`() throws {
        let set = try JSONWebKeySet(json: RFC7517.keySet)
        #expect(try JSONWebKeySet(json: set.json()) == set)
    }

    @Test func `publishes an elliptic-curve key by name, use and algorithm`() throws {
        let x = try #require(URLSafeText.decode(RFC7517.x))
        let y = try #require(URLSafeText.decode(RFC7517.y))
        let expected = """
            {"keys":[{"alg":"ES256","crv":"P-256","kid":"1","kty":"EC","use":"sig","x":"\(RFC7517.x)",\
            "y":"\(RFC7517.y)"}]}
            """
        #expect(try JSONWebKeySet(keys: [.p256(id: JSONWebKey.ID("1"), x: x, y: y)]).json() == expected)
    }

    @Test func `publishes an RSA key by name, use and algorithm`() throws {
        let modulus = try #require(URLSafeText.decode(RFC7517.modulus))
        let key = JSONWebKey.rsa(id: JSONWebKey.ID("2"), modulus: modulus, exponent: [1, 0, 1])
        let expected = """
            {"alg":"RS256","e":"AQAB","kid":"2","kty":"RSA","n":"\(RFC7517.modulus)","use":"sig"}
            """
        #expect(try key.json() == expected)
    }

    @Test func `completes coordinates whose leading zeros were left out`() throws {
        // One private key in 256 has such a first coordinate; the second one is as likely.
        for coordinate in 0...1 {
            var number: UInt16 = 0
            var key: P256.Signing.PrivateKey
            repeat {
                number += 1
                let bytes = Array(repeating: UInt8(0), count: 30) + [UInt8(number >> 8), UInt8(number & 0xff)]
                key = try P256.Signing.PrivateKey(rawRepresentation: bytes)
            } while Array(key.publicKey.rawRepresentation)[coordinate * 32] != 0
            let numbers = Array(key.publicKey.rawRepresentation)
            let texts = [numbers.prefix(32), numbers.suffix(32)].map { URLSafeText.encode($0.drop { $0 == 0 }) }
            let published = #"{"kty":"EC","crv":"P-256","kid":"1","x":"\#(texts[0])","y":"\#(texts[1])"}"#
            let set = try JSONWebKeySet(json: #"{"keys":[\#(published)]}"#)
            #expect(set.keys.first?.x == URLSafeText.encode(numbers.prefix(32)))
            #expect(set.keys.first?.y == URLSafeText.encode(numbers.suffix(32)))
            let found = try #require(set.key(for: .es256, named: JSONWebKey.ID("1")))
            let signature = Array(try key.signature(for: [1, 2, 3]).rawRepresentation)
            #expect(SigningAlgorithm.es256.verifies(signature, over: [1, 2, 3], by: found))
        }
    }

    /// RFC 8037, Appendix A.2.
    @Test func `publishes a key on Ed25519, and reads it`() throws {
        let x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
        let key = JSONWebKey.ed25519(id: JSONWebKey.ID("3"), x: try #require(URLSafeText.decode(x)))
        let expected = #"{"alg":"EdDSA","crv":"Ed25519","kid":"3","kty":"OKP","use":"sig","x":"\#(x)"}"#
        #expect(try key.json() == expected)
        #expect(try JSONWebKeySet(json: #"{"keys":[\#(expected)]}"#).keys == [key])
    }

    /// RFC 8037, Appendix A.4 and A.5.
    @Test func `verifies by Ed25519 what the standard signs`() throws {
        let x = try #require(URLSafeText.decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"))
        let key = JSONWebKey.ed25519(id: JSONWebKey.ID("3"), x: x)
        let signed = Array("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".utf8)
        let signature = try #require(
            URLSafeText.decode(
                "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"))
        #expect(SigningAlgorithm.edDSA.verifies(signature, over: signed, by: key))
        #expect(!SigningAlgorithm.edDSA.verifies(signature, over: signed + [0], by: key))
        #expect(!SigningAlgorithm.es256.verifies(signature, over: signed, by: key))
    }

    // RFC 7517 §5: keys that are not understood or lack a member are ignored.
    @Test(arguments: [
        #"{"kty":"OKP","crv":"X25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#,
        #"{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ"}"#,
        #"{"kty":"ec","crv":"P-256","x":"a","y":"b"}"#,
        #"{"kty":"EC","crv":"P-256","x":"a"}"#,
        #"{"kty":"EC","x":"a","y":"b"}"#,
        #"{"kty":"EC","crv":"P-256","x":5,"y":"b"}"#,
        #"{"kty":"RSA","n":"a"}"#,
        #"{"kty":"RSA","e":"AQAB"}"#,
        #"{"kty":"RSA","n":["a"],"e":"AQAB"}"#,
        #"{"kty":null}"#, #"{"kid":"1"}"#, "{}", "null", "5", "\"a\"", "[]", "[[]]",
    ])
    func `passes over a key that is unknown or broken`(broken: String) throws {
        let json = #"{"keys":[\#(broken),{"kty":"EC","crv":"P-256","x":"a","y":"b","kid":"good"},\#(broken)]}"#
        #expect(try JSONWebKeySet(json: json).keys.map(\.keyID) == [JSONWebKey.ID("good")])
    }

    @Test func `may be empty`() throws {
        #expect(try JSONWebKeySet(json: #"{"keys":[]}"#).keys.isEmpty)
        #expect(try JSONWebKeySet(json: #"{"keys":[],"more":1}"#).keys.isEmpty)
    }

    @Test(arguments: ["{}", "[]", "null", #"{"keys":null}"#, #"{"keys":{}}"#, #"{"keys":"a"}"#])
    func `is a list`(json: String) {
        #expect(throws: DecodingError.self) { try JSONWebKeySet(json: json) }
    }

    @Test func `never holds the private part of a key`() throws {
        let json = #"{"keys":[{"kty":"EC","crv":"P-256","x":"a","y":"b","d":"hush"}]}"#
        #expect(try !JSONWebKeySet(json: json).json().contains("hush"))
    }
}
