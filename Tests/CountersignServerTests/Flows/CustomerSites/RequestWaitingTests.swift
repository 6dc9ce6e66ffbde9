import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignHTTP
@testable import CountersignServer

@Suite("Those who wait for a request of a site")
struct RequestWaitingTests {
    /// Waits until so many watch requests.
    private func watched(_ server: TestServer, by count: Int) async throws {
        while server.flow(CustomerSitesFlow.self).requests.watchers.count < count {
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    @Test(.server) func `are answered at the decision`() async throws {
        let customer = try await TestCustomer.add(to: .current)
        let asked = try await customer.open()
        async let held = customer.read(asked, prefer: "wait=30")
        try await watched(customer.server, by: 1)
        try await customer.decide(.approve, asked)
        #expect(try await held.status == .approved)
        #expect(customer.server.flow(CustomerSitesFlow.self).requests.watchers.count == 0)
    }

    @Test(.server) func `are answered at the end of the time that they prefer, and of the request`() async throws {
        let customer = try await TestCustomer.add(to: .current)
        let clock = customer.server.clock
        let asked = try await customer.open()
        async let held = customer.read(asked, prefer: "wait=20")
        try await watched(customer.server, by: 1)
        clock.advance(by: .seconds(20))
        #expect(try await held.status == .open)
        async let longer = customer.read(asked, prefer: "wait=60")
        try await watched(customer.server, by: 1)
        clock.advance(by: .seconds(40))
        #expect(try await longer.status == .expired)
    }

    @Test func `are answered at once when it is decided, or nobody may wait`() async throws {
        try await TestCustomer.open(configuring: { $0.longestWait = 0 }) { (customer) async throws -> Void in
            let asked = try await customer.open()
            #expect(try await customer.read(asked, prefer: "wait=30").status == .open)
        }
        try await TestCustomer.open { (customer) async throws -> Void in
            let asked = try await customer.open()
            try await customer.decide(.deny, asked)
            #expect(try await customer.read(asked, prefer: "wait=30").status == .denied)
        }
    }

    @Test func `may be eight; the first makes room for a ninth`() throws {
        let timer = WaitTimer(ManualClock().source)
        let watchers = ChangeWaiters(
            in: MemoryShare(room: 100 * MemoryCost.heldAtConnection), mostOfOne: 8, timer: timer)
        let id = SignInRequest.ID("one")
        let all = try (0..<9).map { _ in try #require(watchers.begin(.signIn(id), from: nil)) }
        #expect(watchers.count == 8)
        for waiting in all { watchers.end(waiting, for: .signIn(id)) }
        #expect(watchers.count == 0)
        watchers.close()
        #expect(watchers.begin(.signIn(id), from: nil) == nil)
        #expect(
            ChangeWaiters(in: MemoryShare(room: 0), mostOfOne: 8, timer: timer).begin(.signIn(id), from: nil)
                == nil)
    }

    @Test(.server) func `get one event in a browser, with a token for the customer's server`() async throws {
        let customer = try await TestCustomer.add(to: .current)
        let asked = try await customer.open()
        let path = "/auth/v1.0/instant/\(asked.id)/events"
        async let stream = customer.server.get(path)
        try await watched(customer.server, by: 1)
        try await customer.decide(.approve, asked)
        let answer = try await stream
        #expect(answer.status == .ok && answer.headers[.contentType] == "text/event-stream")
        #expect(answer.headers[.accessControlAllowOrigin] == "*")
        let event = try #require(answer.text.split(separator: "\n").first { $0.hasPrefix("data: ") })
        let json = try JSONDecoder().decode([String: String].self, from: Data(event.dropFirst(6).utf8))
        let told = try StatusToken(json["token"] ?? "", by: customer.secret, at: customer.server.clock.date)
        #expect(told.request == asked.id && told.status == .approved)
        #expect(throws: CustomerSiteToken.VerificationError.signature) {
            try StatusToken(
                json["token"] ?? "", by: CustomerSiteSecret(revealing: "other"), at: customer.server.clock.date)
        }
        #expect(throws: CustomerSiteToken.VerificationError.time) {
            try StatusToken(json["token"] ?? "", by: customer.secret, at: customer.server.clock.date + 120)
        }
    }

    @Test(.server) func `are told by the secret that opened the request, as long as it is accepted`() async throws {
        let customer = try await TestCustomer.add(to: .current)
        let server = customer.server
        let requests = server.flow(CustomerSitesFlow.self).requests
        func told(_ asked: AuthenticationRequest, by secret: CustomerSiteSecret) async throws -> StatusToken {
            let text = try await requests.statusToken(of: SignInRequest.ID(asked.id.rawValue))
            return try StatusToken(try #require(text), by: secret, at: server.clock.date)
        }
        let asked = try await customer.open()
        let register = CustomerSiteRegistry(
            of: server.store, mint: CodeMint(drawingFrom: .system), clock: server.serverClock)
        let renewed = try #require(
            try await register.renewSecret(of: customer.environment.id, keepingOldFor: 60))
        try await customer.decide(.approve, asked)
        #expect(try await told(asked, by: customer.secret).status == .approved)
        let later = try await TestCustomer(server: server, environment: renewed.0, secret: renewed.1).open()
        try await customer.decide(.deny, later)
        #expect(try await told(later, by: renewed.1).status == .denied)
        server.clock.advance(by: .seconds(60))
        #expect(try await told(asked, by: renewed.1).status == .approved)
    }

    @Test(.server) func `get no event without a decision, and none for other requests`() async throws {
        let customer = try await TestCustomer.add(to: .current)
        let asked = try await customer.open(.instant, ["expiry": "600"])
        async let stream = customer.server.get("/auth/v1.0/instant/\(asked.id)/events")
        try await watched(customer.server, by: 1)
        customer.server.clock.advance(by: .seconds(60))
        #expect(try await stream.text == "retry: 1000\n\n")
        #expect(try await customer.server.get("/auth/v1.0/instant/none/events").status == .notFound)
    }
}
