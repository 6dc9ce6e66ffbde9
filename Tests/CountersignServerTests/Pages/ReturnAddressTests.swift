import Countersign
import Foundation
import Testing

@testable import CountersignServer

@Suite("An address to go back to")
struct ReturnAddressTests {
    private let issuer: Issuer

    init() throws { issuer = try Issuer("https://id.example") }

    private func domain(_ addresses: [String]) -> ServiceDomain {
        ServiceDomain(
            name: Domain("radio.example"),
            displayName: "Radio",
            credential: SecretDigest(of: "x"),
            redirectURIs: addresses,
            created: Date(timeIntervalSince1970: 1_800_000_000)
        )
    }

    private func verified(_ asked: String, _ addresses: [String] = []) -> ReturnAddress? {
        ReturnAddress(verifying: UnverifiedReturnAddress(rawValue: asked), for: domain(addresses))
    }

    @Test(arguments: [
        ("https://a.example/done", "https://a.example/done?result=success"),
        ("https://a.example/done?", "https://a.example/done?result=success"),
        ("https://a.example/done?a=1", "https://a.example/done?a=1&result=success"),
        ("https://a.example/done?a=1&", "https://a.example/done?a=1&result=success"),
        ("org.example.radio:/done", "org.example.radio:/done?result=success"),
        (RedirectURIRules.insideApp, "cpacred://verification?result=success"),
    ])
    func `keeps its query and adds the result`(address: String, expected: String) {
        #expect(verified(address, [address])?.telling(.success, from: issuer) == expected)
        #expect(
            verified(address, [address])?.telling(.cancelled, from: issuer)
                == expected.replacing("success", with: "cancelled"))
    }

    @Test(arguments: [
        ("https://a.example:8443/done?a=1", "https:"),
        ("https://a.example/;script-src *,b", "https:"),
        ("org.example.radio:/done", "org.example.radio:"),
        (RedirectURIRules.insideApp, "cpacred:"),
    ])
    func `stands in a page's policy without ending it`(address: String, expected: String) {
        #expect(verified(address, [address])?.formSources == expected)
    }

    @Test func `inside an app is good for every domain`() {
        #expect(verified(RedirectURIRules.insideApp) != nil)
        #expect(verified("cpacred://verification/") == nil)
        #expect(verified("CPACRED://verification") == nil)
    }

    @Test func `on the person's own machine is good for every domain`() {
        #expect(verified("http://127.0.0.1:8765/verification") != nil)
        #expect(verified("http://127.0.0.1/verification") != nil)
        #expect(verified("http://127.0.0.1:8765/other") == nil)
        #expect(verified("http://127.0.0.2:8765/verification") == nil)
        #expect(verified("https://127.0.0.1:8765/verification") == nil)
    }

    @Test(arguments: [
        ("https://a.example/done", "https://a.example/done?session=7&lang=de"),
        (RedirectURIRules.insideApp, "cpacred://verification?session=7"),
        ("http://127.0.0.1/done", "http://127.0.0.1:8765/done?session=7"),
    ])
    func `may have a query where none is registered, and keeps it`(registered: String, asked: String) {
        #expect(verified(asked, [registered])?.telling(.success, from: issuer) == asked + "&result=success")
    }

    @Test(arguments: [
        "https://a.example/done?", "https://a.example/done?a=1#", "https://a.example/done?a= 1",
        "https://a.example/done?result=success", "https://a.example/done?a=1&result=success",
        "https://a.example/done?%72esult=success", "https://a.example/done?RESULT=success",
        "https://a.example/done?a=\r\nSet-Cookie:b", "https://a.example/done/?a=1", "https://b.example/done?a=1",
        "https://a.example/done?" + String(repeating: "a", count: RedirectURIRules.longest),
    ])
    func `has no query that says anything of the result, or is none`(asked: String) {
        #expect(verified(asked, ["https://a.example/done"]) == nil)
    }

    @Test(arguments: [
        "http://127.0.0.1:1/done?a=1", "http://127.0.0.1:8765/done?a=1", "http://127.0.0.1:65535/done?a=1",
        "http://127.0.0.1/done?a=1",
    ])
    func `has any port of the person's own machine where none is registered`(asked: String) {
        let address = verified(asked, ["http://127.0.0.1/done?a=1"])
        #expect(address?.telling(.success, from: issuer) == asked + "&result=success")
        #expect(address?.formSources == "http: https:")
    }

    @Test(arguments: ["http://127.0.0.1", "http://[::1]", "http://localhost"])
    func `has any port of the person's own machine, by each of its names`(machine: String) {
        #expect(verified("\(machine):51004/done", ["\(machine)/done"]) != nil)
        #expect(verified("\(machine):51004/other", ["\(machine)/done"]) == nil)
    }

    @Test(arguments: [
        ("http://127.0.0.1/done", "http://127.0.0.1:/done"), ("http://127.0.0.1/done", "http://127.0.0.1:0/done"),
        ("http://127.0.0.1/done", "http://127.0.0.1:08/done"), ("http://127.0.0.1/done", "http://127.0.0.1:65536/done"),
        ("http://127.0.0.1/done", "http://127.0.0.1:8765/done/"), ("http://127.0.0.1/done", "http://127.0.0.1:8765"),
        ("http://127.0.0.1/done", "http://127.0.0.1:8765@evil.test/done"),
        ("http://127.0.0.1/done", "http://127.0.0.1:8765.evil.test/done"),
        ("http://127.0.0.1/done", "https://127.0.0.1:8765/done"),
        ("http://127.0.0.1/done", "http://localhost:8765/done"), ("http://127.0.0.1/done", "http://127.0.0.1:+1/done"),
        ("http://127.0.0.1/done", "http://127.0.0.1:\u{661}/done"),
        ("http://127.0.0.1:9090/done", "http://127.0.0.1:9091/done"),
        ("http://127.0.0.1:9090/done", "http://127.0.0.1:9091:9090/done"),
        ("http://localhost:9090/done", "http://localhost:9091/done"),
        ("http://localhost/done", "http://localhost.evil.test:8765/done"),
        ("http://localhost/done", "http://localhost:8765@evil.test/done"),
        ("http://localhost/done", "http://127.0.0.1:8765/done"), ("http://localhost/done", "https://localhost:1/done"),
        ("https://a.example/done", "https://a.example:8765/done"),
    ])
    func `has no other port in any other case`(registered: String, asked: String) {
        #expect(verified(asked, [registered]) == nil)
    }

    static let registered = "https://a.example/K/done?a=1"
    static let strays = [
        "", " ", registered + " ", " " + registered, registered + "/", registered + "#", registered + "#a",
        registered + "&b", "HTTPS://a.example/K/done?a=1", "https://A.example/K/done?a=1",
        "https://a.example/k/done?a=1", "https://a.example/\u{212A}/done?a=1", "https://a.example:443/K/done?a=1",
        "https://a.example@evil.test/K/done?a=1", "https://user@a.example/K/done?a=1", "http://a.example/K/done?a=1",
        "https://a.example.evil.test/K/done?a=1", "https://a.example/K/../K/done?a=1", "https://a.example/%4B/done?a=1",
        "//a.example/K/done?a=1", "https:/a.example/K/done?a=1", "https://a.example/K/done", "/K/done?a=1",
        "javascript:alert(1)", "data:text/html,x", "https://evil.test/https://a.example/K/done?a=1",
        registered + "\r\nSet-Cookie: a=b", registered + "\u{0}", registered + "\u{301}",
    ]

    @Test(arguments: strays)
    func `is compared letter by letter`(asked: String) {
        #expect(verified(asked, [Self.registered]) == nil)
    }
}
