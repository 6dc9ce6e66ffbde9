import CountersignWire
import FoundationEssentialsCompat
import Testing

@testable import CountersignGate

@Suite("The configuration of a gate")
struct GateConfigurationTests {
    private static let start = """
        {"issuer": "https://id.example.com", "client-id": "gate", "client-secret-file": "s", "original-request": "x-original",
        """

    private func read(_ rest: String) throws -> GateConfiguration {
        try GateConfiguration(reading: Data("\(Self.start) \(rest)}".utf8))
    }

    @Test func `needs little`() throws {
        let configuration = try read(#""sites": [{"url": "https://Photos.Example.com:443"}]"#)
        #expect(configuration.listen == "127.0.0.1:8090")
        #expect(configuration.isProxy("127.0.0.1") && configuration.isProxy(nil) && !configuration.isProxy("10.0.0.1"))
        let site = try #require(configuration.sites["photos.example.com"])
        #expect(site.origin.rawValue == "https://photos.example.com")
        #expect(site.cookieName == "__Host-countersign-gate")
        #expect(configuration.times.recheck == 10)
        #expect(configuration.certificates == nil)
        let trusting = try read(#""ca-file": "/etc/ca.pem", "sites": [{"url": "https://photos.example.com"}]"#)
        #expect(trusting.certificates == "/etc/ca.pem")
    }

    @Test func `shares a session in a domain`() throws {
        let configuration = try read(
            #""sites": [{"url": "https://photos.example.com", "cookie-domain": "example.com"}]"#)
        let site = try #require(configuration.sites["photos.example.com"])
        #expect(site.cookieName == "__Secure-countersign-gate")
        #expect(site.takenCookie.hasSuffix("Secure; Domain=example.com"))
    }

    @Test(arguments: [
        (#""sites": []"#, "sites"),
        (#""sites": [{"url": "https://a.example/x"}]"#, "sites[0].url"),
        (#""sites": [{"url": "http://a.example"}]"#, "sites[0].url"),
        (#""sites": [{"url": "https://a.example"}, {"url": "https://A.example"}]"#, "sites"),
        (#""sites": [{"url": "https://a.example", "cookie-domain": "b.example"}]"#, "sites[0].cookie-domain"),
        (#""sites": [{"url": "https://a.example", "cookie-domain": "example"}]"#, "sites[0].cookie-domain"),
        (#""sites": [{"url": "https://a.example", "rules": [{"paht": "/"}]}]"#, "sites[0].rules[0].paht"),
        (#""sites": [{"url": "https://a.example", "rules": [{"path": "/a/../b"}]}]"#, "sites[0].rules[0].path"),
        (#""sites": [{"url": "https://a.example", "rules": [{"methods": []}]}]"#, "sites[0].rules[0].methods"),
        (#""sites": [{"url": "https://a.example", "rules": [{"groups": []}]}]"#, "sites[0].rules[0].groups"),
        (
            #""sites": [{"url": "https://a.example", "rules": [{"public": true, "groups": ["a"]}]}]"#,
            "sites[0].rules[0].public"
        ),
        (#""sites": [{"url": "https://a.example", "rules": [{"scope": "a"}]}]"#, "sites[0].rules[0].scope"),
        (#""sites": [{"url": "https://a.example", "rules": [{"max-age": 0}]}]"#, "sites[0].rules[0].max-age"),
        (#""sites": [{"url": "https://a.example"}], "recheck": 0"#, "recheck"),
        (#""sites": [{"url": "https://a.example"}], "trusted-proxies": ["x"]"#, "trusted-proxies"),
        (#""sites": [{"url": "https://a.example"}], "scope": "profile""#, "scope"),
        (#""sites": [{"url": "https://a.example"}], "recheck": "often""#, "recheck"),
    ])
    func `names the place of an error`(rest: String, place: String) {
        let error = #expect(throws: GateConfigurationError.self) { try read(rest) }
        #expect(error?.place == place)
    }

    @Test func `says that a member is missing, and that a file is no JSON`() {
        let missing = #expect(throws: GateConfigurationError.self) { try read(#""listen": "127.0.0.1:1""#) }
        #expect(missing?.description == "sites: It is missing.")
        let broken = #expect(throws: GateConfigurationError.self) { try GateConfiguration(reading: Data("{".utf8)) }
        #expect(broken?.description == "The file is no JSON object.")
    }
}
