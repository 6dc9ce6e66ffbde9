import Countersign
import Foundation
import Testing

@testable import CountersignWire

/// Standard: RFC 7638 §3.
@Suite("The thumbprint of a key")
struct KeyThumbprintTests {
    @Test func `is that of the standard's example`() throws {
        let modulus = try #require(URLSafeText.decode(RFC7517.modulus))
        let key = JSONWebKey.rsa(id: JSONWebKey.ID("2011-04-29"), modulus: modulus, exponent: [1, 0, 1])
        #expect(KeyThumbprint(of: key)?.rawValue == RFC7638.thumbprint)
    }

    @Test func `is that of the DPoP example`() throws {
        #expect(try UnverifiedDPoPProof(RFC9449.proof).thumbprint.rawValue == RFC9449.thumbprint)
    }

    @Test func `does not depend on the other members`() throws {
        let key = DPoPKey(drawingFrom: .system)
        var named = key.publicKey
        named.keyID = JSONWebKey.ID("a \"name\"")
        named.use = "sig"
        #expect(KeyThumbprint(of: named) == key.thumbprint)
    }

    @Test(arguments: [
        #"{"kty":"EC","crv":"P-384","x":"AA","y":"AA"}"#,
        #"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#,
        #"{"kty":"EC","crv":"P-256","x":"\",\"y\":\"","y":"AA"}"#,
        #"{"kty":"EC","crv":"P-256"}"#,
        #"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#,
        #"{"kty":"RSA","e":"AQAB"}"#,
        #"{"kty":"oct","k":"AA"}"#,
    ])
    func `exists only for complete keys of known kinds`(json: String) throws {
        let key = try JSONDecoder().decode(JSONWebKey.self, from: Data(json.utf8))
        #expect(KeyThumbprint(of: key) == nil)
    }

    @Test func `is one for each RSA key, however its numbers are padded`() throws {
        let modulus = try #require(URLSafeText.decode(RFC7517.modulus))
        let padded = JSONWebKey.rsa(id: JSONWebKey.ID("a"), modulus: [0] + modulus, exponent: [1, 0, 1])
        #expect(KeyThumbprint(of: padded) == nil)
    }

    @Test(arguments: [
        "", "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4", "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4II",
        "0ZcOCORZNYy+DWpqq30jZyJGHTN0d2HglBV3uiguA4I", "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4J",
    ])
    func `is not read from other texts`(text: String) {
        #expect(KeyThumbprint(parsing: text) == nil)
        #expect(KeyThumbprint(parsing: RFC9449.thumbprint) != nil)
    }
}
