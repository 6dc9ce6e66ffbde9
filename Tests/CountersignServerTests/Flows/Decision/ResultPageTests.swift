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
}
