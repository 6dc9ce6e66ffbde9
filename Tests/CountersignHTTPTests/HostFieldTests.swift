import Testing

@testable import CountersignHTTP

/// Standard: RFC 9110 §7.2; RFC 3986 §3.2.2, §3.2.3.
@Suite("A Host field")
struct HostFieldTests {
    @Test(arguments: [
        "x", "x:", "x:0", "id.example:8080", "127.0.0.1:80", "[::1]", "[2001:db8::1]:65535", "%41.example", "a_b", "x.",
    ])
    func `is a host, with a port where it has one`(text: String) {
        #expect(HostField.isWellFormed(text))
    }

    @Test(arguments: [
        "", " ", ":80", "a b", "x:y", "x:1:2", "x:65536", "x:-1", "x:+1", "x/y", "x?y", "x#y", "user@x", "http://x",
        "[::1",
        "::1", "[]", "[x]", "[127.0.0.1]", "[::1]x", "[::1%25lo]", "%4", "%zz", "x\\y", "\"x\"", "é", "x\u{0}", "<x>",
    ])
    func `is refused when it is malformed`(text: String) {
        #expect(!HostField.isWellFormed(text))
    }
}
