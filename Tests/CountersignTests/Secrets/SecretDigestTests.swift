import Foundation
import Testing

@testable import Countersign

@Suite("The digest of a secret")
struct SecretDigestTests {
    // FIPS 180-2 Appendix B.1 and B.2, and the digest of nothing.
    @Test(arguments: [
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ])
    func `is SHA-256 of its text`(text: String, hex: String) {
        let digits = Array("0123456789abcdef")
        let spelled = SecretDigest(of: text).bytes.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
        #expect(spelled == hex)
    }

    @Test func `is the same for the same text, and another for another`() {
        #expect(SecretDigest(of: "one") == SecretDigest(of: "one"))
        #expect(SecretDigest(of: "one") != SecretDigest(of: "One"))
        #expect(Set(["one", "one", "other"].map { SecretDigest(of: $0) }).count == 2)
    }

    @Test func `begins with the instant of a time-ordered secret, and else is the end of SHA-256`() {
        let text = "AZrUtnuA" + String(repeating: "k", count: 35)
        let digest = DeviceCode(revealing: text).digest
        #expect(Array(digest.bytes.prefix(6)) == [0x01, 0x9A, 0xD4, 0xB6, 0x7B, 0x80])
        #expect(digest.bytes.dropFirst(6) == SecretDigest(of: text).bytes.dropFirst(6))
        #expect(ClientSecret(revealing: text).digest == SecretDigest(of: text), "a kind that is not time-ordered")
    }

    @Test func `begins with the instant of the identifier in a JWT`() {
        let instant = MintingInstant(Date(timeIntervalSince1970: 1_800_000_000.25))
        let jwt = jwt(#"{"iss":"https://a.example","jti":"\#(instant.text)abcdefghijklm","sub":"\"jti\":\"0"}"#)
        let digest = AccessToken(revealing: jwt).digest
        #expect(Array(digest.bytes.prefix(6)) == instant.bytes)
        #expect(digest.bytes.dropFirst(6) == SecretDigest(of: jwt).bytes.dropFirst(6))
    }

    @Test(arguments: [
        "{}", #"{"jti":""}"#, #"{"jti":"01jdq0a"}"#, #"{"jti":"01JDQ0ABC"}"#, #"{"jti":"+1jdq0abc"}"#, #"{"jti":7}"#,
        #"{"jti" "#, #"{"jti":"#, #"{"jti":""#,
    ])
    func `is SHA-256 of a JWT whose identifier no mint made`(payload: String) {
        let jwt = jwt(payload)
        #expect(AccessToken(revealing: jwt).digest == SecretDigest(of: jwt))
    }

    private func jwt(_ payload: String) -> String {
        "e30.\(URLSafeText.encode(Array(payload.utf8))).c2lnbmVk"
    }

    @Test(arguments: [
        "", "AZrUtnuA", "..", "a.b.c", "e30.e30", "e30.eyJqdGkiOiIwMWpkcTBhYmMifQ", String(repeating: "A", count: 42),
        String(repeating: "=", count: 43), "é",
    ])
    func `is SHA-256 of what no mint makes`(text: String) {
        #expect(AccessToken(revealing: text).digest == SecretDigest(of: text))
    }

    @Test func `differs when a single bit does, wherever it is`() {
        let digest = SecretDigest(of: "one")
        for index in digest.bytes.indices {
            for bit in 0..<8 {
                var bytes = digest.bytes
                bytes[index] ^= 1 << UInt8(bit)
                #expect(SecretDigest(restoring: bytes) != digest)
            }
        }
    }

    @Test func `differs from a part of itself`() {
        let digest = SecretDigest(of: "one")
        #expect(SecretDigest(restoring: Array(digest.bytes.dropLast())) != digest)
        #expect(digest != SecretDigest(restoring: Array(digest.bytes.dropLast())))
        #expect(SecretDigest(restoring: digest.bytes + [0]) != digest)
        #expect(SecretDigest(restoring: []) != digest)
    }

    @Test func `is read back from a store as it was`() {
        let digest = SecretDigest(of: "one")
        #expect(digest.bytes.count == 32)
        #expect(SecretDigest(restoring: digest.bytes) == digest)
    }
}
