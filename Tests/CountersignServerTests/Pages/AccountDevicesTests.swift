import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A device on the account page", .server)
struct AccountDevicesTests {
    let server = TestServer.current

    @Test func `stands there once, with every service for which it is signed in`() async throws {
        try await server.addDomains()
        let device = try await server.addDevice()
        try await server.signedIn(device)
        try await server.signedIn(device, for: .news)
        _ = try await server.signedIn(.tv)
        let page = try await server.browser(of: .anna).get("account").text
        #expect(page.contains("Radio &lt;Ö&gt; (radio.example)") && page.contains("The news (news.example:8443)"))
        #expect(page.components(separatedBy: "<h3><bdi>Kitchen &lt;b&gt;Radio&lt;/b&gt;</bdi></h3>").count == 2)
        #expect(Markup(page).forms.count { $0.form.attributes["action"] == "/account/sign-out" } == 2)
        #expect(page.contains("of all these services"))
    }

    @Test func `is told apart from others of its name by number, registration and software`() async throws {
        try await server.addDomains()
        let (first, second) = (try await server.addDevice(), try await server.addDevice("4712"))
        try await server.signedIn(first)
        let alone = try await server.browser(of: .anna).get("account").text
        #expect(!alone.contains("number <bdi>"))
        try await server.signedIn(second)
        let page = try await server.browser(of: .anna).get("account").text
        for device in [first, second] {
            #expect(page.contains("number <bdi>\(device.rawValue)</bdi>, registered"))
            #expect(page.contains(", device \(device.rawValue)</span>"))
        }
        #expect(page.contains("<dt>Software</dt>"))
    }

    @Test func `names its service while its approval waits to be picked up`() async throws {
        try await server.addDomains()
        let asked = try await server.associate(try await server.addDevice())
        let anna = try await server.browser(of: .anna)
        let named: Form = ["user_code": asked.userCode.description]
        _ = try await anna.post("activate", named)
        _ = try await anna.answer("approve", named)
        let page = try await anna.get("account").text
        #expect(page.contains("Approved, not picked up yet") && page.contains("Radio &lt;Ö&gt; (radio.example)"))
    }

    @Test func `is signed out of everything at once, and forgotten`() async throws {
        try await server.addDomains()
        let device = try await server.addDevice()
        let radio = try await server.signedIn(device)
        let news = try await server.signedIn(device, for: .news)
        let other = try await server.signedIn(try await server.addDevice("4712"))
        let anna = try await server.browser(of: .anna)
        let answer = try await anna.post("account/sign-out", ["grant": radio.record.grant.id.rawValue])
        #expect(answer.location == "/account?done=signed-out")

        try await server.store.read { (repositories: any Repositories) throws in
            #expect(try repositories.clients.find(device) == nil)
            for ended in [radio, news] {
                #expect(try repositories.signIns.find(ended.record.grant.id)?.revoked != nil)
                #expect(try repositories.accessTokens.find(ended.token.digest) == nil)
            }
            #expect(try repositories.accessTokens.find(other.token.digest) != nil)
            #expect(try repositories.clients.find(other.record.grant.client) != nil)
        }
        let acts = try await server.audit().map(\.facts.act)
        #expect(acts.suffix(3) == [.signedOut, .signedOut, .clientRemoved])
    }

    @Test func `stays as long as somebody else is signed in on it`() async throws {
        try await server.addDomains()
        let device = try await server.addDevice()
        let annas = try await server.signedIn(device)
        let berts = try await server.signedIn(device, for: .news, as: .bert)
        let (anna, bert) = (try await server.browser(of: .anna), try await server.browser(of: .bert))
        _ = try await anna.post("account/sign-out", ["grant": annas.record.grant.id.rawValue])
        try await server.store.read { (repositories: any Repositories) throws in
            #expect(try repositories.clients.find(device) != nil)
            #expect(try repositories.accessTokens.find(annas.token.digest) == nil)
            #expect(try repositories.accessTokens.find(berts.token.digest) != nil)
        }
        _ = try await bert.post("account/sign-out", ["grant": berts.record.grant.id.rawValue])
        let left = try await server.store.read { try $0.clients.find(device) }
        #expect(left == nil)
    }

    @Test func `loses what is undone, and is forgotten when nothing is left`() async throws {
        try await server.addDomains()
        let device = try await server.addDevice()
        let radio = try await server.signedIn(device)
        let news = try await server.signedIn(device, for: .news)
        let anna = try await server.browser(of: .anna)
        for (signIn, isKnown) in [(news, true), (radio, false)] {
            let answer = try await anna.post("account/undo", ["grant": signIn.record.grant.id.rawValue])
            #expect(answer.location == "/account?done=undone")
            try await server.store.read { (repositories: any Repositories) throws in
                #expect(try (repositories.clients.find(device) != nil) == isKnown)
                #expect(try repositories.accessTokens.find(signIn.token.digest) == nil)
            }
        }
    }

    @Test func `that an operator registered stays known`() async throws {
        let tokens = try await server.signedIn(.tv)
        let record = try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject).first }
        let grant = try #require(record).grant.id.rawValue
        _ = try await server.browser(of: .anna).post("account/sign-out", ["grant": grant])
        #expect(try await !server.honours(tokens.accessToken))
        let left = try await server.store.read { try $0.clients.find(TestClients.tv.id) }
        #expect(left != nil)
    }
}
