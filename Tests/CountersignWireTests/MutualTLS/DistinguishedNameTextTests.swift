import Countersign
import CountersignWire
import Foundation
import Testing

/// Standard: RFC 4514 §2, §3, §4.
@Suite("A distinguished name as text")
struct DistinguishedNameTextTests {
    @Test(arguments: [
        ("CN=pay,O=Example,C=DE", "cn=pay, o = Example ,C=DE"),
        ("CN=pay", "2.5.4.3=pay"),
        (#"O=Example\, Inc."#, #"O=Example\2C Inc."#),
        ("OU=Sales+CN=J. Smith,DC=example,DC=net", "CN=J. Smith+OU=Sales,DC=example,DC=net"),
        (#"CN=Lu\C4\8Di\C4\87"#, "CN=Lučić"),
        (#"CN=a\ "#, #"CN=a\20"#),
    ])
    func `is equal however it is spelled`(left: String, right: String) {
        #expect(DistinguishedNameText(left) != nil)
        #expect(DistinguishedNameText(left) == DistinguishedNameText(right))
    }

    @Test(arguments: [
        ("CN=pay", "CN=Pay"), ("CN=pay,O=Example", "O=Example,CN=pay"), ("CN=pay", "CN=pay,O=Example"),
        ("CN=a+O=b", "CN=a,O=b"), (#"CN=a\ "#, "CN=a"), ("CN=pay", "OU=pay"),
    ])
    func `differs in its values, its order and its parts`(left: String, right: String) {
        #expect(DistinguishedNameText(left) != nil && DistinguishedNameText(right) != nil)
        #expect(DistinguishedNameText(left) != DistinguishedNameText(right))
    }

    @Test(arguments: [
        "", "pay", "CN=", "CN=pay,", "=pay", "FAVOURITE=pay", "CN=#0403", #"CN=a\"#, #"CN=a\g0"#, "CN=a;O=b",
        "CN=\"a\"",
        #"CN=a\FF"#, "2.05=a", "2..5=a", "CN=\(String(repeating: "a", count: 1100))",
    ])
    func `is refused when it is none`(text: String) {
        #expect(DistinguishedNameText(text) == nil)
    }

    @Test(arguments: [
        (CertificateName.dns("pay.example"), true), (.dns("pay example"), false), (.uri("spiffe://example/pay"), true),
        (.uri("pay"), false), (.ip("192.0.2.1"), true), (.ip("2001:db8::1"), true), (.ip("192.0.2"), false),
        (.email("pay@example.com"), true), (.email("pay\n"), false), (.subject("CN=pay"), true),
        (.subject("pay"), false),
    ])
    func `or another name of a certificate has a form`(name: CertificateName, isWellFormed: Bool) {
        #expect(name.isWellFormed == isWellFormed)
    }
}

/// Standard: RFC 7800 §3.1; RFC 8705 §3.1.
@Suite("The key to which a token is bound")
struct SenderKeyTests {
    private static let thumbprint = "A4DtL2JmUMhAsvJj5tKyn64SqzmuXbMrJa0n761y5v0"

    private func key(_ json: String) throws -> SenderKey? {
        try JSONDecoder().decode(KeyConfirmation.self, from: Data(json.utf8)).key
    }

    @Test func `is the certificate of the standard's example`() throws {
        let json = #"{"x5t#S256":"\#(Self.thumbprint)"}"#
        let key = try #require(try key(json))
        #expect(key == .certificate(CertificateThumbprint(Self.thumbprint)))
        #expect(String(decoding: try JSONEncoder().encode(KeyConfirmation(key)), as: UTF8.self) == json)
        #expect(SenderKey(key.rawValue) == key)
    }

    @Test func `is nothing that is known when there are two`() throws {
        #expect(try key(#"{"x5t#S256":"\#(Self.thumbprint)","jkt":"\#(Self.thumbprint)"}"#) == nil)
        #expect(try key(#"{"jkt":"\#(Self.thumbprint)"}"#) == .proof(KeyThumbprint(Self.thumbprint)))
        #expect(throws: DecodingError.self) { try key(#"{"x5t#S256":"short"}"#) }
    }
}
