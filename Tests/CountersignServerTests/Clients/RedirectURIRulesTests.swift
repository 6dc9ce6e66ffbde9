import Testing

@testable import CountersignServer

/// Standard: RFC 8252 §7.1, §7.3; RFC 9700 §2.1.
@Suite("An address of a service")
struct RedirectURIRulesTests {
    @Test(arguments: [
        "https://a.example", "https://a.example/", "https://a.example:8443/a/b?c=d&e=%20", "http://127.0.0.1:9090/done",
        "http://localhost/done", "org.example.radio:/done", "org.example.radio://done", RedirectURIRules.insideApp,
        "https://xn--bcher-kva.example/a;b,c",
    ])
    func `may be registered`(address: String) {
        #expect(RedirectURIRules.objection(to: address) == nil)
    }

    @Test(arguments: [
        "", "a", "/done", "//a.example/", "https:", "https:a.example", "https:/a.example", "https://", "https:///a",
        "HTTPS://a.example", "https://a.example/#", "https://a.example/#a", "https://user@a.example/",
        "https://user:pw@a.example/", "https://a.example:/", "https://a.example:0/", "https://a.example:99999/",
        "https://[::1]/", "https://a example/", "https://a.example/\u{E9}", "https://b\u{FC}cher.example/",
        "https://a.example/\"", "https://a.example/<b>", "https://a.example/\\", "https://a.example/%", "https://a/%zz",
        "https://a.example/\n", "https://a.example/\t", "https://a.example\u{0}", "http://a.example/done",
        "http://127.0.0.1.evil.test/", "http://evil.test:127/", "http://localhost.evil.test/", "javascript:alert(1)",
        "java.script", "data:text/html,x", "file:///etc/passwd", "vbscript:x", "blob:https://a.example/", "about:blank",
        "view-source:https://a.example", "ws://a.example/", "ftp://a.example/", "intent://a#Intent;end",
        "cpacred://other", "cpacred:", "radio:/done", ".:/x", "1a.b:/x", "org.example.radio:",
        "https://a.example/" + String(repeating: "a", count: 500),
    ])
    func `may not be registered in a form that could be read in two ways`(address: String) {
        #expect(RedirectURIRules.objection(to: address) != nil)
    }

    @Test(arguments: [
        ("https://a.example", true), ("https://localhost.a.example/", true), ("https://127.a.example", true),
        ("https://localhost", false), ("https://localhost:8443/done", false), ("https://LocalHost./", false),
        ("https://app.localhost/", false), ("https://127.0.0.1?a", false), ("https://127.1/", false),
        ("https://127.0.0.1./", false), ("https://127.0.0.1:8443/", false),
        ("http://127.0.0.1/", false), ("org.example.radio:/done", false),
    ])
    func `is the app's alone only where its host is another machine`(address: String, isClaimed: Bool) {
        #expect(RedirectURIRules.isClaimed(address) == isClaimed)
    }
}
