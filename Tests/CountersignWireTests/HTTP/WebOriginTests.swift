import CountersignWire
import Testing

/// Standard: RFC 6454 §6.2.
@Suite("The origin of a web page")
struct WebOriginTests {
    @Test(arguments: [
        ("https://radio.example.com", "https://radio.example.com"), ("HTTP://Localhost:3000", "http://localhost:3000"),
        ("https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443"),
        ("capacitor://localhost", "capacitor://localhost"),
    ])
    func `is a scheme and a host, with its port where it has one`(text: String, origin: String) {
        #expect(WebOrigin(parsing: text)?.rawValue == origin)
    }

    @Test(arguments: [
        "", "null", "*", "https://", "//a.example", "a.example", "https://a.example/", "https://a.example?x", "https:a",
        "https://a@b.example", "https://a b", "1http://a.example", "ht tp://a.example", "https://a.example:0",
        "https://*.example.com", "://a.example",
    ])
    func `is nothing else`(text: String) {
        #expect(WebOrigin(parsing: text) == nil)
    }
}
