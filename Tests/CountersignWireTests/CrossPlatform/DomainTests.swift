import Countersign
import Testing

/// Standard: ETSI TS 103 407 §4; RFC 3986 §3.2.2.
@Suite("A domain")
struct DomainTests {
    @Test(arguments: [
        "sp.example.com", "sp:8002", "localhost", "a", "xn--mnchen-3ya.example", "SP.Example.com", "192.0.2.1:80",
        "[2001:db8::1]", "[2001:db8::1]:8002", "a_b.example", "sp.example.com:65535", "1.2.3",
    ])
    func `is a host, with its port where it has one`(text: String) {
        #expect(Domain(parsing: text)?.rawValue == text)
    }

    @Test(arguments: [
        "", ".", "a.", ".a", "a..b", "-a", "a-", "a b", " a", "a ", "http://a", "a/", "a/b", "a?", "a#", "a@b", "a:",
        ":80",
        "a:0", "a:65536", "a:080000", "a:-1", "a:+1", "a:1x", "a:80:80", "é.example", "a\0", "a\n", "[", "[]", "[a]",
        "]:80",
        "[2001:db8::1", "[2001:db8::1]x", "[::1]:", "a%2e", "*", "*.example.com",
    ])
    func `is nothing else`(text: String) {
        #expect(Domain(parsing: text) == nil)
    }

    @Test func `is not too long`() {
        let label = String(repeating: "a", count: 63)
        #expect(Domain(parsing: label) != nil)
        #expect(Domain(parsing: label + "a") == nil)
        #expect(Domain(parsing: [label, label, label, label].joined(separator: ".")) == nil)
        #expect(Domain(parsing: String(repeating: "a.", count: 1_000_000)) == nil)
    }

    @Test func `is compared letter by letter`() {
        #expect(Domain("SP.example.com") != Domain("sp.example.com"))
        #expect(Domain("sp:80") != Domain("sp"))
    }
}
