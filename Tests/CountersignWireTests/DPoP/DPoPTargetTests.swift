import HTTPTypes
import Testing

@testable import CountersignWire

/// Standard: RFC 9449 §4.3; RFC 3986 §6.2.2, §6.2.3.
@Suite("The target of a proof")
struct DPoPTargetTests {
    @Test(arguments: [
        ("https://server.example.com/token", "https://server.example.com/token"),
        ("https://server.example.com/token?a=b#c", "https://server.example.com/token"),
        ("HTTPS://Server.Example.COM:443/token", "https://server.example.com/token"),
        ("https://server.example.com:/token", "https://server.example.com/token"),
        ("http://server.example.com:80/token", "http://server.example.com/token"),
        ("http://server.example.com:443/", "http://server.example.com:443/"),
        ("https://server.example.com", "https://server.example.com/"),
        ("https://server.example.com?x", "https://server.example.com/"),
        ("https://server.example.com/a/./b/../c", "https://server.example.com/a/c"),
        ("https://server.example.com/../../token", "https://server.example.com/token"),
        ("https://server.example.com/a/..", "https://server.example.com/"),
        ("https://server.example.com/a/b/.", "https://server.example.com/a/b/"),
        ("https://server.example.com/a//b/", "https://server.example.com/a//b/"),
        ("https://server.example.com/%7Eanna/%e4%b8", "https://server.example.com/~anna/%E4%B8"),
        ("https://server.example.com/%2e%2E/x", "https://server.example.com/x"),
        ("https://server.example.com/a%2Fb", "https://server.example.com/a%2Fb"),
        ("https://server.example.com/Case", "https://server.example.com/Case"),
        ("http://[::1]:8080/token", "http://[::1]:8080/token"),
        ("http://[2001:DB8::1]/token", "http://[2001:db8::1]/token"),
    ])
    func `has one spelling`(text: String, normal: String) {
        #expect(DPoPTarget.normalized(text) == normal)
        #expect(DPoPTarget.normalized(normal) == normal)
    }

    @Test(arguments: [
        "", "/token", "token", "server.example.com/token", "ftp://server.example.com/token", "https:server/token",
        "https:///token", "https://anna@server.example.com/", "https://server.example.com/a b",
        "https://server.example.com/%4", "https://server.example.com/%zz", "https://server.example.com:99999/",
        "https://server.example.com:8o/", "https://server.example.com/é", "https://:443/", "https://%/",
        "https://a:b:80/",
        "http://[::1]:8http://[::1]:808/[::1]:8080", "http://[::1", "http://[]/", "http://::1/", "http://a]b/",
        "https://server.example.com/" + String(repeating: "a", count: 2048),
    ])
    func `is an absolute URL of the web`(text: String) {
        #expect(DPoPTarget.normalized(text) == nil)
        #expect(DPoPTarget(.post, text) == nil)
    }
}
