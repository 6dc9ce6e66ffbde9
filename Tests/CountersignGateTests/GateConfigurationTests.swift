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
        #expect(site.sessionPlace.cookieName == "__Host-countersign-gate-yUoi1X6I")
        #expect(configuration.times.recheck == 10)
        #expect(configuration.certificates == nil)
        let trusting = try read(#""ca-file": "/etc/ca.pem", "sites": [{"url": "https://photos.example.com"}]"#)
        #expect(trusting.certificates == "/etc/ca.pem")
    }

    @Test func `shares a session in a domain`() throws {
        let configuration = try read(
            #""sites": [{"url": "https://photos.example.com", "cookie-domain": "example.com"}]"#)
        let site = try #require(configuration.sites["photos.example.com"])
        #expect(site.sessionPlace.cookieName == "__Secure-countersign-gate-o3mm9u6v")
        #expect(site.takenCookies.map { $0.hasSuffix("Secure; Domain=example.com") } == [true, false])
    }

    @Test(arguments: [
        (#""url": "https://a.example.com", "cookie-domain": "example.com""#, "__Secure-countersign-gate-o3mm9u6v"),
        (#""url": "https://b.home.example.com", "cookie-domain": "example.com""#, "__Secure-countersign-gate-o3mm9u6v"),
        (
            #""url": "https://b.home.example.com", "cookie-domain": "Home.Example.com""#,
            "__Secure-countersign-gate-oF88SYUd"
        ),
        (#""url": "https://a.example.com:8443""#, "__Host-countersign-gate-ZW4pDlRl"),
        (#""url": "http://localhost""#, "countersign-gate-hgW4ugjC"),
    ])
    func `has a cookie of its own for each domain and each site without one`(site: String, name: String) throws {
        let configuration = try read(#""sites": [{\#(site)}]"#)
        #expect(configuration.sites.values.map(\.sessionPlace.cookieName) == [name])
    }

    @Test(arguments: [
        (#""sites": []"#, "sites"),
        (#""sites": [{"url": "https://a.example", "rules": [{"groups": ["a"]}], "rules": []}]"#, ""),
        (#""sites": [{"url": "https://a.example/x"}]"#, "sites[0].url"),
        (#""sites": [{"url": "http://a.example"}]"#, "sites[0].url"),
        (#""sites": [{"url": "https://a.example"}, {"url": "https://A.example"}]"#, "sites"),
        (#""sites": [{"url": "https://a.example", "cookie-domain": "b.example"}]"#, "sites[0].cookie-domain"),
        (#""sites": [{"url": "https://a.example", "cookie-domain": "example"}]"#, "sites[0].cookie-domain"),
        (#""sites": [{"url": "https://a.example", "rules": [{"paht": "/"}]}]"#, "sites[0].rules[0].paht"),
        (#""sites": [{"url": "https://a.example", "rules": [{"path": "/a/../b"}]}]"#, "sites[0].rules[0].path"),
        (#""sites": [{"url": "https://a.example", "rules": [{"path": "/a%3Fb/c/*"}]}]"#, "sites[0].rules[0].path"),
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

    /// The sentence about a file that cannot be used; `nil` for one that can.
    private func refusal(of rest: String) throws -> String? {
        do {
            _ = try read(rest)
            return nil
        } catch let error as GateConfigurationError {
            return error.description
        }
    }

    private func refusal(ofRules rules: String) throws -> String? {
        try refusal(
            of: #""sites": [{"url": "https://a.example"}, {"url": "https://b.example", "rules": [\#(rules)]}]"#)
    }

    @Test(arguments: [
        (#"{"path": "/a/*"}, {"path": "/a/b"}"#, 1), (#"{}, {"path": "/a"}"#, 1), (#"{"path": "/*"}, {}"#, 1),
        (#"{"path": "/a"}, {"path": "/a", "public": true}"#, 1), (#"{"path": "/a"}, {"path": "/a/"}"#, 1),
        // A path of another case is refused.
        (#"{"path": "/a/*"}, {"path": "/A/b/*", "public": true}"#, 1),
        (#"{"path": "/b"}, {"path": "/a/*"}, {"path": "/a/*", "methods": ["GET"]}"#, 2),
        (#"{"path": "/a", "methods": ["GET", "POST"]}, {"path": "/a", "methods": ["POST"]}"#, 1),
    ])
    func `refuses a rule before which another one decides about all that it matches`(rules: String, at place: Int)
        throws
    {
        let sentence = """
            sites[1].rules[\(place)]: It never counts: all that it matches is decided by rules[\(place - 1)], before it. \
            Put it first, or remove it.
            """
        #expect(try refusal(ofRules: rules) == sentence)
    }

    @Test func `refuses a rule before which several decide about all that it matches`() throws {
        let rules = #"{"methods": ["GET"]}, {"path": "/b"}, {"methods": ["PUT"]}, "#
        let sentence = """
            sites[1].rules[3]: It never counts: all that it matches is decided by rules[0] and rules[2], before it. \
            Put it first, or remove it.
            """
        #expect(try refusal(ofRules: rules + #"{"path": "/a", "methods": ["GET", "PUT"]}"#) == sentence)
    }

    @Test(arguments: [
        #"{"path": "/a"}, {"path": "/a/*"}"#, #"{"path": "/a/b"}, {"path": "/a/*"}, {}"#,
        #"{"path": "/a/*"}, {"path": "/ab"}"#, #"{"methods": ["GET"]}, {"path": "/a"}"#,
        #"{"methods": ["GET"]}, {"methods": ["GET", "PUT"]}"#, #"{"path": "/a/b/*"}, {"path": "/a/c"}"#,
    ])
    func `takes a rule that decides about some requests`(rules: String) throws {
        #expect(try refusal(ofRules: rules) == nil)
    }

    @Test(arguments: [
        (#""scope": "openid email", "sites": [{"url": "https://a.example", "rules": [{}]}]"#, nil),
        (
            #""scope": "openid", "sites": [{"url": "https://a.example", "rules": [{"path": "/a"}, {"groups": ["a"]}]}]"#,
            "scope: It needs the word groups, or nobody passes by sites[0].rules[1]."
        ),
        // The scope of an API client's token is its own.
        (
            #""scope": "openid", "sites": [{"url": "https://a.example", "rules": [{"groups": ["a"], "bearer": true}]}]"#,
            nil
        ),
        (
            #""scope": "openid profile", "remote-user": "email", "sites": [{"url": "https://a.example"}]"#,
            "scope: It needs the word email, as remote-user says."
        ),
    ])
    func `says which word the scope lacks`(rest: String, sentence: String?) throws {
        #expect(try refusal(of: rest) == sentence)
    }

    @Test func `says that a member is missing, and that a file is no JSON`() {
        let missing = #expect(throws: GateConfigurationError.self) { try read(#""listen": "127.0.0.1:1""#) }
        #expect(missing?.description == "sites: It is missing.")
        let broken = #expect(throws: GateConfigurationError.self) { try GateConfiguration(reading: Data("{".utf8)) }
        #expect(broken?.description == "The file is no JSON object.")
    }
}
