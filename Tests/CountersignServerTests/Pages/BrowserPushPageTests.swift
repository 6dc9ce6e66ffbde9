import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignTransport
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A browser that notifies its person", .server)
struct BrowserPushPageTests {
    private let server = TestServer.current
    private let receiver = TestPushReceiver()
    private static let anna = TestPerson.anna.subject

    private func registered(of person: TestPerson = .anna) async throws -> [BrowserPush] {
        try await server.store.read { try $0.browserPushes.all(of: person.subject) }
    }

    /// Sends what is due.
    private func deliver(over network: ScriptedTransport) async throws {
        try await server.server.deliveries(over: network).deliver()
    }

    @Test(.server { $0.delivery.webPush = WebPushSettings(hosts: [.host("ntfy.sh")]) })
    func `is not offered where no push service of browsers is called`() async throws {
        let page = try await TestServer.current.browser(of: .anna).get("account").text
        #expect(!page.contains("data-push-key"))
    }

    @Test func `is offered where a script can register it, with the key of the server`() async throws {
        let page = try await server.browser(of: .anna).get("account")
        let key = try await server.server.services.keys.current().applicationServerKey.text
        #expect(page.text.contains("<section aria-labelledby=\"push\" hidden>"))
        let form = try #require(Markup(page.text).all("form").first { $0.attributes["data-push-key"] != nil })
        #expect(form.attributes["data-push-key"] == key && form.attributes["hidden"] != nil)
        #expect(form.attributes["data-worker"] == "/assets/push-worker.js")
        #expect(form.attributes["data-scope"] == "/account")
        #expect(page.text.contains("/assets/push.js?v="))
        #expect(page.headers[.contentSecurityPolicy]?.hasSuffix("; script-src 'self'") == true)
        let worker = try await server.get("/assets/push-worker.js")
        #expect(worker.headers[.contentType] == "text/javascript; charset=utf-8")
        #expect(worker.headers[try #require(HTTPField.Name("Service-Worker-Allowed"))] == "/account")
        #expect(worker.headers[.cacheControl] == "no-cache")
    }

    @Test(.server { $0.delivery.webPush = nil }) func `is not offered where the operator turned it off`() async throws {
        let anna = try await server.browser(of: .anna)
        let page = try await anna.get("account").text
        #expect(!page.contains("push.js") && !page.contains("aria-labelledby=\"push\""))
        let answer = try await anna.registerForPush(try receiver.subscription())
        #expect(answer.status == .notFound)
        #expect(try await registered().isEmpty)
    }

    @Test func `is registered, shown and removed on the account page`() async throws {
        let anna = try await server.browser(of: .anna)
        let answer = try await anna.registerForPush(try receiver.subscription(), preferring: "de")
        #expect(answer.location == "/account?done=push-added")
        let stored = try #require(try await registered().first)
        #expect(try stored.subscription == receiver.subscription())
        #expect(stored.language == "de")
        #expect(stored.added == server.clock.date)
        #expect(try await server.audited(.browserPushAdded).map(\.detail) == ["https://web.push.apple.com"])
        let page = try await anna.get("account").text
        #expect(page.contains("<section aria-labelledby=\"push\">") && page.contains("Browsers that notify you"))
        #expect(page.contains("<p class=\"claim\" data-push-here>This browser</p>"))
        // A script offers it again where the browser has another address by now.
        let offer = try #require(Markup(page).all("form").first { $0.attributes["data-push-key"] != nil })
        let digest = SHA256.hash(data: Data(stored.subscription.endpoint.utf8))
        #expect(offer.attributes["data-registered"] == digest.map { String(format: "%02x", $0) }.joined())
        #expect(offer.attributes["hidden"] != nil)
        #expect(!page.contains("web.push.apple.com"))
        // Another browser shows it, and is offered the same.
        let other = try await server.browser(of: .anna)
        let elsewhere = try await other.get("account").text
        #expect(elsewhere.contains("Browsers that notify you") && elsewhere.contains("data-push-key"))
        #expect(!elsewhere.contains("data-push-here") && !elsewhere.contains("data-registered"))

        let form: Form = ["session": stored.session.rawValue]
        #expect(
            try await server.browser(of: .bert).post("account/push/remove", form).location == "/account?done=nothing")
        #expect(try await registered().count == 1)
        #expect(try await other.post("account/push/remove", form).location == "/account?done=push-removed")
        #expect(try await other.post("account/push/remove", form).location == "/account?done=nothing")
        #expect(try await registered().isEmpty)
        #expect(try await server.audited(.browserPushRemoved).count == 1)
    }

    @Test func `is registered once, whatever it registers`() async throws {
        let anna = try await server.browser(of: .anna)
        _ = try await anna.registerForPush(try receiver.subscription())
        let again = try receiver.subscription(at: "https://fcm.googleapis.com/b")
        _ = try await anna.registerForPush(again)
        #expect(try await registered().map(\.subscription) == [again])
    }

    @Test func `is one of ten: the oldest makes room`() async throws {
        for number in 0..<12 {
            server.clock.advance(by: .seconds(1))
            let endpoint = "https://web.push.apple.com/\(number)"
            _ = try await server.browser(of: .anna).registerForPush(try receiver.subscription(at: endpoint))
        }
        #expect(
            try await registered().map(\.subscription.endpoint)
                == (2..<12).map { "https://web.push.apple.com/\($0)" })
    }

    @Test(arguments: [
        "https://127.0.0.1/a", "https://169.254.169.254/a", "https://intranet/a", "https://web.push.apple.com:8443/a",
        "https://push.example.net/a",
    ])
    func `is not registered at an address that the server does not call`(endpoint: String) async throws {
        let anna = try await server.browser(of: .anna)
        let answer = try await anna.registerForPush(try receiver.subscription(at: endpoint))
        #expect(answer.location == "/account?done=push-refused")
        #expect(try await registered().isEmpty)
    }

    @Test func `is registered by the forms of this server alone, with a subscription`() async throws {
        let anna = try await server.browser(of: .anna)
        let text = try receiver.subscription().text
        let forms: [Form] = [[:], ["subscription": "{}"], ["subscription": text, "form_token": "x"]]
        for form in forms {
            #expect(try await anna.post("account/push", form).location != "/account?done=push-added")
        }
        let foreign = try await anna.post(
            "account/push", ["subscription": text], headers: [.secFetchSite: "cross-site"])
        #expect(foreign.location != "/account?done=push-added")
        #expect(try await registered().isEmpty)
    }

    /// A way to end the session of a browser.
    enum Ending: CaseIterable {
        case signOut, elsewhere, everywhere, removal, expiry
    }

    @Test(arguments: Ending.allCases)
    func `ends with its session`(ending: Ending) async throws {
        let anna = try await server.browser(of: .anna)
        _ = try await anna.registerForPush(try receiver.subscription())
        let session = try #require(try await registered().first?.session)
        let now = server.clock.date
        switch ending {
        case .signOut: _ = try await anna.post("logout", ["confirmed": "yes"])
        case .elsewhere:
            _ = try await server.browser(of: .anna).post(
                "account/browsers/sign-out", ["session": session.rawValue])
        case .everywhere:
            try await server.change {
                try Revocation($0).signOutEverywhere(of: Self.anna, as: .operator, at: now)
            }
        case .removal: try await server.change { try AccountRemoval($0).remove(Self.anna, at: now) }
        case .expiry:
            server.clock.advance(by: .seconds(12 * 3600))
            try await server.change { _ = try $0.browserPushes.sweep(before: now + 12 * 3600 + 1, limit: 9) }
        }
        #expect(try await registered().isEmpty)
    }

    @Test func `stays registered when its person signs in again in it`() async throws {
        let anna = try await server.browser(of: .anna)
        _ = try await anna.registerForPush(try receiver.subscription())
        let before = try #require(try await registered().first)
        server.clock.advance(by: .seconds(3600))
        let form: Form = ["username": "anna", "password": TestPerson.anna.password.revealed]
        _ = try await anna.post("login", form)
        let after = try #require(try await registered().first)
        #expect(after.session == before.session && after.expires == before.expires + 3600)
    }

    @Test func `is told of a request for the account page, in its language, and learns nothing of it`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let anna = try await server.browser(of: .anna)
        _ = try await anna.registerForPush(try receiver.subscription(), preferring: "fr")
        let network = ScriptedTransport.pushService(201)
        _ = try await client.asked(["binding_message": "Order 42"])
        try await deliver(over: network)
        #expect(network.sent().count == 1)
        let members = try receiver.members(of: try #require(network.sent().first))
        #expect(members["message"] == "Un appareil demande à être connecté." && members["type"] == "auth_instant")
        let question = try await anna.question()
        #expect(members["authId"] == question)
        #expect(Set(members.keys) == ["message", "type", "authId"])
        // It is sent once, and proves nothing: the person decides on the page.
        try await deliver(over: network)
        #expect(network.sent().count == 1)
    }

    @Test func `is told of one request at a time, and of none that was decided before`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let anna = try await server.browser(of: .anna)
        _ = try await anna.registerForPush(try receiver.subscription())
        let network = ScriptedTransport.pushService(201)
        let device = try await server.authenticator()
        _ = try await client.asked()
        let first = try await anna.question()
        server.clock.advance(by: .seconds(1))
        _ = try await client.asked()
        server.clock.advance(by: .seconds(1))
        _ = try await client.asked()
        try await deliver(over: network)
        #expect(network.sent().count == 1)
        #expect(try await device.decide(.deny).status == .ok)
        #expect(try await device.decide(.deny).status == .ok)
        let last = try await anna.question()
        try await deliver(over: network)
        let told = try network.sent().map { try receiver.members(of: $0)["authId"] }
        #expect(told == [first, last])
    }

    @Test func `is told nothing in the quiet time, and after it signed out`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let anna = try await server.browser(of: .anna)
        _ = try await anna.registerForPush(try receiver.subscription())
        let network = ScriptedTransport.pushService(201)
        let end = server.clock.date + 600
        try await server.change { try $0.devices.keepQuiet(Self.anna, until: end) }
        _ = try await client.asked()
        try await deliver(over: network)
        server.clock.setDate(end)
        _ = try await client.asked()
        _ = try await anna.post("logout", ["confirmed": "yes"])
        try await deliver(over: network)
        #expect(network.sent().isEmpty)
    }

    @Test func `is told nothing once its session has gone, although it is registered`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let anna = try await server.browser(of: .anna)
        _ = try await anna.registerForPush(try receiver.subscription())
        let (network, now) = (ScriptedTransport.pushService(201), server.clock.date)
        _ = try await client.asked()
        func live() async throws -> [BrowserPush] {
            try await server.store.read { try BrowserPushes($0).live(of: Self.anna, at: now) }
        }
        #expect(try await live().count == 1)
        try await server.change { repositories in
            for session in try repositories.browserSessions.all(of: Self.anna) {
                try repositories.browserSessions.remove(session.cookie)
            }
        }
        try await deliver(over: network)
        #expect(network.sent().isEmpty)
        #expect(try await live().isEmpty)
        #expect(try await registered().count == 1)
    }

    @Test func `is forgotten once its address is dead, and the request waits on the page`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let anna = try await server.browser(of: .anna)
        _ = try await anna.registerForPush(try receiver.subscription())
        _ = try await client.asked()
        try await deliver(over: .pushService(410))
        #expect(try await registered().isEmpty)
        #expect(try await anna.question() != nil)
    }

    @Test func `is told again later where its service is busy`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let anna = try await server.browser(of: .anna)
        _ = try await anna.registerForPush(try receiver.subscription())
        _ = try await client.asked()
        let network = ScriptedTransport.pushService(429, 201, retryAfter: "40")
        try await deliver(over: network)
        server.clock.advance(by: .seconds(39))
        try await deliver(over: network)
        #expect(network.sent().count == 1)
        server.clock.advance(by: .seconds(1))
        try await deliver(over: network)
        #expect(network.sent().count == 2)
    }

    @Test func `is part of the export, without its keys`() async throws {
        let anna = try await server.browser(of: .anna)
        _ = try await anna.registerForPush(try receiver.subscription())
        let text = try await anna.post("account/export", [:]).text
        #expect(text.contains("\"push_service\" : \"https://web.push.apple.com\"") && text.contains("\"push_since\""))
        #expect(!text.contains("p256dh") && !text.contains("/send/abc"))
    }
}
