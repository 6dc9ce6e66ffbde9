import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// THREATS: prompts by the hundred until one is approved.
@Suite("A person who refuses what is asked")
struct BackOffTests {
    /// Has a site ask a hundred times, and says how many of its questions waited for the person, of how many
    /// their device told them, and what the site saw.
    private func ask(
        _ customer: TestCustomer,
        answering answer: (AuthenticationRequest) async throws -> Void = { _ in }
    ) async throws -> (waiting: Int, calls: Int, answers: Set<Set<String>>) {
        var (waiting, calls) = (0, 0)
        var answers: Set<Set<String>> = []
        for _ in 0..<100 {
            let response = try await customer.ask(.instant, ["expiry": "10"])
            #expect(response.status == .ok)
            answers.insert(response.members)
            let asked = try response.json(AuthenticationRequest.self)
            #expect(asked.status == .open)
            if try await !customer.deliveries(about: asked).isEmpty { calls += 1 }
            if try await customer.server.waiting(for: .anna) > 0 {
                waiting += 1
                try await answer(asked)
            }
            // There is one open question at a time.
            try await customer.server.tamper("DELETE FROM exchanges")
        }
        return (waiting, calls, answers)
    }

    private func open(_ test: @escaping @Sendable (TestCustomer) async throws -> Void) async throws {
        try await TestCustomer.open { customer in
            try await customer.enrollDevice()
            try await test(customer)
        }
    }

    @Test func `is not asked by a site again after a report, until they lift that`() async throws {
        try await open { customer in
            let before = try await customer.open(.oneTimePassword)
            #expect(try await !customer.deliveries(about: before).isEmpty)
            try await customer.server.tamper("DELETE FROM exchanges")
            let (waiting, calls, answers) = try await ask(customer) { asked in
                try await customer.decide(.deny, asked, objecting: .report(reason: "not me"))
            }
            #expect(waiting == 1 && calls == 1 && answers.count == 1)
            // Nothing is sent by another kind either.
            let password = try await customer.open(.oneTimePassword)
            #expect(password.status == .open)
            #expect(try await customer.deliveries(about: password).isEmpty)
            customer.server.clock.advance(by: .seconds(7200))
            _ = try await customer.open()
            #expect(try await customer.server.waiting(for: .anna) == 0)
            try await customer.server.tamper("DELETE FROM exchanges")
            let anna = try await customer.server.browser(of: .anna)
            #expect(try await anna.get("account").text.contains("<h3><bdi>My Bank</bdi></h3>"))
            let lifted = try await anna.post("account/unmute", ["client": customer.environment.id.rawValue])
            #expect(lifted.location == "/account?done=unmuted")
            _ = try await customer.open()
            #expect(try await customer.server.waiting(for: .anna) == 1)
        }
    }

    @Test func `is called by a site as often, however often they denied it`() async throws {
        try await open { customer in
            let (waiting, calls, answers) = try await ask(customer) { try await customer.decide(.deny, $0) }
            #expect(waiting == 100 && calls == 10 && answers.count == 1)
        }
    }

    @Test func `is called ten times in ten minutes at most by a site, which does not learn of it`() async throws {
        try await open { customer in
            let (waiting, calls, answers) = try await ask(customer)
            // Every question waits for them all the same, when they look.
            #expect(waiting == 100 && calls == 10 && answers.count == 1)
            customer.server.clock.advance(by: .seconds(600))
            let later = try await customer.open()
            #expect(try await !customer.deliveries(about: later).isEmpty)
        }
    }

    @Test func `is asked by another site all the same`() async throws {
        try await open { customer in
            try await customer.decide(
                .deny, try await customer.open(), objecting: .report(reason: nil))
            let register = CustomerSiteRegistry(
                of: customer.server.store, mint: CodeMint(drawingFrom: .system), clock: customer.server.serverClock)
            let (other, secret) = try await register.add(CustomerSiteDraft(name: "Another"))
            _ = try await TestCustomer(server: customer.server, environment: other, secret: secret).open()
            #expect(try await customer.server.waiting(for: .anna) == 1)
        }
    }

    @Test(.server) func `is reached by another site, however often one asks for them`() async throws {
        let customer = try await TestCustomer.add(to: .current)
        try await customer.enrollDevice()
        for _ in 0..<30 { _ = try await customer.open(.oneTimePassword, ["expiry": "10"]) }
        let register = CustomerSiteRegistry(
            of: customer.server.store, mint: CodeMint(drawingFrom: .system), clock: customer.server.serverClock)
        let (other, secret) = try await register.add(CustomerSiteDraft(name: "Another"))
        let shop = TestCustomer(server: customer.server, environment: other, secret: secret)
        let asked = try await shop.open()
        #expect(try await !shop.deliveries(about: asked).isEmpty)
        let now = customer.server.clock.date
        let shown = try await customer.server.store.read { repositories in
            try RequestInbox(repositories).answerable(by: TestPerson.anna.subject, at: now).map(\.id.rawValue)
        }
        // It comes before all but the first of those that were there before.
        #expect(shown.firstIndex(of: asked.id.rawValue).map { $0 <= 1 } == true)
    }

    @Test func `is asked by another site, however often one that they reported goes on`() async throws {
        try await open { customer in
            try await customer.decide(
                .deny, try await customer.open(), objecting: .report(reason: nil))
            #expect(try await ask(customer).waiting == 0)
            let register = CustomerSiteRegistry(
                of: customer.server.store, mint: CodeMint(drawingFrom: .system), clock: customer.server.serverClock)
            let (other, secret) = try await register.add(CustomerSiteDraft(name: "Another"))
            _ = try await TestCustomer(server: customer.server, environment: other, secret: secret).open()
            #expect(try await customer.server.waiting(for: .anna) == 1)
        }
    }

    @Test(.server(withSigningKeys: false, withDomains: true))
    func `is asked by a device however often they denied it, and not after they muted it`() async throws {
        let server = TestServer.current
        let device = try await server.newDevice()
        try await device.signedIn(.bank)
        let anna = try await server.browser(of: .anna)
        var members: Set<Set<String>> = []
        for number in 0..<10 {
            let answer = try await device.associate()
            members.insert(answer.members)
            #expect(try await server.waiting(for: .anna) == (number < 8 ? 1 : 0))
            if number < 8 { try await self.answer(number < 7 ? "deny" : "mute", at: server, in: anna) }
        }
        #expect(members.count == 1)
        server.clock.advance(by: .seconds(601))
        _ = try await device.associated()
        #expect(try await server.waiting(for: .anna) == 0)
        let lifted = try await anna.post("account/unmute", ["client": device.id.rawValue])
        #expect(lifted.location == "/account?done=unmuted")
        _ = try await device.associated()
        #expect(try await server.waiting(for: .anna) == 1)
    }

    /// Answers the confirmation that a device waits for.
    private func answer(_ decision: String, at server: TestServer, in browser: TestBrowser) async throws {
        let now = server.clock.date
        let waiting = try await server.store.read { repositories in
            try repositories.exchanges.waiting(for: TestPerson.anna.subject, at: now).map(\.id.rawValue)
        }
        let request = try #require(waiting.first)
        _ = try await browser.post("activate", ["request": request])
        let answer = try await browser.post("activate/decision", ["request": request, "decision": decision])
        let place = decision == "mute" ? "/account?done=muted" : "/activate/result?"
        #expect(answer.location?.hasPrefix(place) == true, "\(answer.location ?? "")")
    }
}
