import Countersign
import CountersignSQLite
import CountersignStorage
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: OpenID Connect Core 1.0 §5.1 (`zoneinfo`).
@Suite("The time zone of a person", .server)
struct TimeZonePageTests {
    let server = TestServer.current

    private func person() async throws -> Person {
        try #require(try await server.store.read { try $0.people.find(TestPerson.anna.subject) })
    }

    private func script(on page: TestResponse) -> Bool { page.text.contains("/assets/times.js?v=") }

    @Test(.server { $0.delivery.webPush = nil })
    func `is chosen on a page, is the claim, and is the one in which pages show times`() async throws {
        let anna = try await server.browser(of: .anna)
        _ = try await server.signedIn()
        let before = try await anna.get("account")
        #expect(before.text.contains(" UTC</time>") && before.text.contains("or in UTC."))
        #expect(script(on: before))
        #expect(before.headers[.contentSecurityPolicy]?.hasSuffix("; script-src 'self'") == true)
        let page = try await anna.get("account/time-zone")
        #expect(page.text.contains("<option value=\"Asia/Tokyo\">Asia/Tokyo</option>"))

        let answer = try await anna.post("account/time-zone", ["zone": "Asia/Tokyo"])
        #expect(answer.location == "/account?done=time-zone-changed")
        #expect(try await person().profile.zoneInfo == "Asia/Tokyo")
        #expect(try await person().profile.updated == server.clock.date)
        #expect(try await server.audited(.personChanged).map(\.detail) == ["zoneinfo"])
        let after = try await anna.get("account")
        #expect(after.text.contains("Times are shown in <bdi>Asia/Tokyo</bdi>.") && !after.text.contains("UTC</time>"))
        #expect(!script(on: after) && after.headers[.contentSecurityPolicy]?.contains("script-src") == false)
        #expect(try await anna.get("account/time-zone").text.contains("value=\"Asia/Tokyo\" selected>"))
        #expect(try await server.browser(of: .bert).get("account").text.contains("or in UTC."))

        // Nothing chosen is nothing sent.
        _ = try await anna.post("account/time-zone", [:])
        #expect(try await person().profile.zoneInfo == nil)
    }

    @Test(.server(withApps: true)) func `holds on the pages of codes, apps and administrators, too`() async throws {
        let anna = try await server.administrator()
        for isChosen in [false, true] {
            if isChosen { _ = try await anna.post("account/time-zone", ["zone": "Asia/Tokyo"]) }
            for path in ["activate", "admin/audit"] {
                #expect(script(on: try await anna.get(path)) == !isChosen, "\(path)")
            }
            #expect(script(on: try await anna.authorize(TestApps.shop.request)) == !isChosen)
        }
    }

    @Test(arguments: ["Vienna", "Europe/Nowhere", "<b>", "../../etc/localtime"])
    func `is one that the server knows`(name: String) async throws {
        let anna = try await server.browser(of: .anna)
        let before = try await server.dump()
        let page = try await anna.post("account/time-zone", ["zone": name])
        #expect(page.status == .unprocessableContent && page.text.contains("doesn’t know that time zone"))
        #expect(try await server.dump() == before)
    }

    @Test func `of another list stays, where an operator set it`() async throws {
        try await server.change { repositories in
            var anna = try #require(try repositories.people.find(TestPerson.anna.subject))
            anna.profile.zoneInfo = "Asia/Kolkata"
            try repositories.people.update(anna)
        }
        let anna = try await server.browser(of: .anna)
        #expect(try await anna.get("account/time-zone").text.contains("value=\"Asia/Kolkata\" selected>"))
    }

    @Test func `that the server does not know is none`() async throws {
        try await server.change { repositories in
            var anna = try #require(try repositories.people.find(TestPerson.anna.subject))
            anna.profile.zoneInfo = "Mars/Olympus"
            try repositories.people.update(anna)
        }
        #expect(try await server.browser(of: .anna).get("account").text.contains("or in UTC."))
    }
}
