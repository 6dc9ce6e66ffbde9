import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The page with the result", .server)
struct ResultPageTests {
    let server = TestServer.current

    @Test(arguments: [("approve", "Approved"), ("deny", "Denied")])
    func `says what was decided, to the person who did`(decision: String, heading: String) async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let address = try #require(try await anna.decide(decision, codes).location)
        let page = try await server.get(address, headers: [.cookie: anna.cookie])
        #expect(page.status == .ok)
        #expect(page.text.contains("<h1>\(heading)</h1>"))
        #expect((page.field("grant") != nil) == (decision == "approve"))
    }

    @Test(arguments: ["approve", "deny", "take", "nothing"])
    func `is none of somebody else's business`(step: String) async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let bert = try await server.browser(of: .bert)
        if step != "nothing" { try await anna.take(codes) }
        if step == "approve" || step == "deny" { _ = try await anna.answer(step, codes) }
        let stored = try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest) }
        let id = try #require(stored).id
        let page = try await bert.get("activate/result?request=\(id)")
        let unknown = try await bert.get("activate/result?request=unknown")
        #expect(page.status == .notFound && unknown.status == .notFound)
        #expect(page.body == unknown.body)
        #expect(try await bert.get("activate/result").status == .notFound)
        #expect(try await server.get("/activate/result?request=\(id)").location?.hasPrefix("/login?") == true)
    }

    @Test func `offers to undo for a minute`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let address = try #require(try await anna.decide("approve", codes).location)
        let headers: HTTPFields = [.cookie: anna.cookie]
        #expect(try await server.get(address, headers: headers).text.contains("another 60 seconds"))
        server.clock.advance(by: .seconds(59))
        #expect(try await server.get(address, headers: headers).text.contains("another 1 second."))
        server.clock.advance(by: .seconds(1))
        #expect(try await server.get(address, headers: headers).field("grant") == nil)
    }

    @Test func `tells of an undo after redemption`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let address = try #require(try await anna.decide("approve", codes).location)
        let headers: HTTPFields = [.cookie: anna.cookie]
        let grant = try #require(try await server.get(address, headers: headers).field("grant"))
        _ = try await server.poll(codes)
        _ = try await anna.post("account/undo", ["grant": grant])
        #expect(try await server.get(address, headers: headers).text.contains("<h1>Taken back</h1>"))
    }

    @Test(arguments: ["approve", "deny"])
    func `leads to the life of the request`(decision: String) async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let address = try #require(try await anna.decide(decision, codes).location)
        let page = try await server.get(address, headers: [.cookie: anna.cookie])
        let id = try #require(try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest) }).id
        #expect(page.text.contains(#"/account/request?id=\#(id)">What happened?</a>"#))
        #expect(try await anna.get("account/request?id=\(id)").status == .ok)
    }

    @Test func `tells at once that the screen undid the approval`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let address = try #require(try await anna.decide("approve", codes).location)
        let tokens = try await server.poll(codes).json(TokenResponse.self)
        let page = try await anna.get(String(address.dropFirst()))
        let grant = try #require(page.field("grant"))
        let tag = "\"\(grant)\""
        #expect(page.text.contains("data-waits=\"&quot;\(grant)&quot;\""))
        #expect(page.headers[.contentSecurityPolicy]?.hasSuffix("connect-src 'self'") == true)
        var headers: HTTPFields = [.cookie: anna.cookie, .ifNoneMatch: tag]
        #expect(try await server.get(address, headers: headers).status == .notModified)
        headers[.prefer] = "wait=25"
        async let held = server.get(address, headers: headers)
        await server.clock.sleepers(1)
        let form: Form = ["token": tokens.refreshToken?.revealed]
        #expect(try await server.post(server.path("revoke"), try form.with(TestClients.tv.form)).status == .ok)
        let answer = try await held
        #expect(answer.status == .ok && answer.text.contains("<h1>Taken back</h1>"))
        #expect(!answer.text.contains("data-waits") && answer.field("grant") == nil)
    }

    @Test func `waits no longer than the approval can be undone`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let address = try #require(try await anna.decide("approve", codes).location)
        let grant = try #require(try await anna.get(String(address.dropFirst())).field("grant"))
        server.clock.advance(by: .seconds(50))
        let headers: HTTPFields = [.cookie: anna.cookie, .ifNoneMatch: "\"\(grant)\"", .prefer: "wait=25"]
        async let held = server.get(address, headers: headers)
        await server.clock.sleepers(1)
        server.clock.advance(by: .seconds(10))
        let answer = try await held
        #expect(answer.status == .ok && !answer.text.contains("data-waits"))
        #expect(try await !server.browser(of: .bert).get(String(address.dropFirst())).text.contains(grant))
    }
}
