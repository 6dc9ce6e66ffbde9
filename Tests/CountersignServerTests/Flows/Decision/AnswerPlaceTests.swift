import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The place where a request was answered", .server)
struct AnswerPlaceTests {
    let server = TestServer.current

    static let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

    private func request(_ codes: DeviceAuthorizationResponse) async throws -> SignInRequest.ID {
        let stored = try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest) }
        return try #require(stored).id
    }

    /// Anna answers in a browser with this name.
    private func answer(
        _ decision: String,
        _ codes: DeviceAuthorizationResponse,
        in browser: TestBrowser
    ) async throws {
        try await browser.take(codes)
        let form: Form = ["user_code": codes.userCode.rawValue, "decision": decision]
        let answer = try await browser.post("activate/decision", form, headers: [.userAgent: Self.firefox])
        #expect(answer.location?.hasPrefix("/activate/result?") == true)
    }

    @Test(arguments: [("approve", "Approved"), ("deny", "Denied")])
    func `is named in every other browser of the person, and not in the same one`(
        decision: String,
        heading: String
    ) async throws {
        let codes = try await server.ask()
        let first = try await server.browser(of: .anna)
        try await answer(decision, codes, in: first)
        let path = "activate/result?request=\(try await request(codes))"
        #expect(try await !first.get(path).text.contains("Answered in"))
        server.clock.advance(by: .seconds(120))
        let second = try await server.browser(of: .anna)
        let typed = try await second.take(codes)
        #expect(typed.location == "/\(path)")
        let opened = try await second.get("activate/confirm?user_code=\(codes.userCode)")
        #expect(opened.location == "/\(path)")
        let page = try await second.get(path).text
        #expect(page.contains("<h1>\(heading)</h1>"))
        #expect(page.contains("Answered in the browser \u{2068}Firefox, Linux\u{2069}, 2 minutes ago, "))
    }

    @Test func `is named after the screen has its tokens, too`() async throws {
        let codes = try await server.ask()
        try await answer("approve", codes, in: try await server.browser(of: .anna))
        #expect(try await server.poll(codes).status == .ok)
        let other = try await server.browser(of: .anna)
        let page = try await other.get("activate/result?request=\(try await request(codes))").text
        #expect(page.contains("Answered in the browser"))
    }

    @Test func `is not told to another person`() async throws {
        let codes = try await server.ask()
        let bert = try await server.browser(of: .bert)
        try await bert.take(codes)
        let anna = try await server.browser(of: .anna)
        try await answer("approve", codes, in: anna)
        #expect(try await bert.take(codes).status == .unprocessableContent)
        let late = try await bert.answer("approve", codes)
        #expect(!late.text.contains("Answered") && !late.text.contains("Firefox"))
        #expect(try await bert.get("activate/result?request=\(try await request(codes))").status == .notFound)
    }

    @Test func `is the name of the device that answered, on the page and at every other device`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let first = try await server.authenticator()
        let second = try await server.authenticator()
        _ = try await first.register { $0.name = "Anna’s phone" }
        _ = try await client.asked()
        let seen = try await second.shown()
        #expect(try await first.decide(.deny).status == .ok)
        let id = seen.response.exchange
        for refusal in [try await second.look(id), try await second.send(second.claims(on: seen))] {
            #expect(refusal.status == .badRequest)
            let said = try refusal.json(ApproverErrorResponse.self)
            #expect(said.error == .invalidGrant)
            let now = Date(named: server.clock.date.numericDate)
            #expect(said.answeredBy == AnswerPlace(.device, named: "Anna’s phone", answered: now))
        }
        let page = try await server.browser(of: .anna).get("activate/result?request=\(id)").text
        #expect(page.contains("Answered on \u{2068}Anna’s phone\u{2069}, just now"))
    }

    @Test func `is a browser to a device that comes later`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        _ = try await client.asked()
        let seen = try await device.shown()
        let anna = try await server.browser(of: .anna)
        let page = try await anna.openQuestion()
        let asked = try #require(page.field("request"))
        let form: Form = ["request": asked, "decision": "approve"]
        _ = try await anna.post("activate/decision", form, headers: [.userAgent: "curl/8.0"])
        let refusal = try await device.send(device.claims(on: seen))
        let place = try refusal.json(ApproverErrorResponse.self).answeredBy
        #expect(place?.kind == .browser && place?.name == nil)
        #expect(!refusal.text.contains("curl"))
    }

    @Test func `is not told to the device of another person, nor of a request that nobody answered`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let anna = try await server.authenticator()
        let bert = try await server.authenticator(of: .bert)
        let asked = try await client.asked()
        let id = try #require(try await anna.entries().first).exchange
        #expect(try await anna.decide(.approve).status == .ok)
        let other = try await bert.look(id)
        let unknown = try await bert.look(SignInRequest.ID("unknown"))
        #expect(other.status == .badRequest && other.text == unknown.text)
        #expect(!other.text.contains("answered_by"))
        server.clock.advance(by: .seconds(5))
        #expect(try await client.poll(asked).status == .ok)
        _ = try await client.asked()
        let open = try #require(try await anna.entries().first).exchange
        server.clock.advance(by: .seconds(3_600))
        #expect(try await !anna.look(open).text.contains("answered_by"))
    }

    static let headers: [(String?, String?)] = [
        (firefox, "Firefox, Linux"),
        ("Mozilla/5.0 (Linux; Android 10; K) Chrome/140.0.0.0 Mobile Safari/537.36", "Chrome, Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Safari/604.1", "Safari, iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.6 Safari/605.1", "Safari, macOS"),
        ("Firefox", "Firefox"), ("curl/8.0", nil), ("", nil), (nil, nil),
    ]

    @Test(arguments: headers)
    func `has a name of our list alone, whatever the browser says`(header: String?, name: String?) {
        #expect(BrowserName.of(header) == name)
    }

    @Test func `is in its own words, shortened, where our list has no name`() {
        #expect(BrowserName.shown(Self.firefox) == "Firefox, Linux")
        #expect(BrowserName.shown("Kiosk/1.0") == "Kiosk/1.0")
        #expect(BrowserName.shown(String(repeating: "k", count: 500))?.count == FactLine.longestClaim)
        #expect(BrowserName.shown(nil) == nil)
    }
}
