import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A question to a person who was called too often", .server { $0.limits[.questionPerSource] = Limit(1, in: 600) })
struct SilentQuestionTests {
    let server = TestServer.current

    /// The deliveries about a request.
    private func deliveries(
        about asked: BackchannelAuthenticationResponse,
        at server: TestServer
    ) async throws -> [Delivery] {
        try await server.store.read { repositories in
            guard let id = try repositories.exchanges.find(asked.request.digest)?.id else { return [] }
            return try repositories.deliveries.all(about: id)
        }
    }

    @Test func `calls nobody, and waits in the inbox and on the page, where it is answered`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        _ = try await device.register { details in
            details.pushToken = "one"
            details.isPushEnabled = true
        }
        let first = try await client.asked()
        #expect(try await deliveries(about: first, at: server).count == 1)
        #expect(try await device.decide(.deny).status == .ok)

        let second = try await client.asked(["binding_message": "Order 42"])
        #expect(try await deliveries(about: second, at: server).isEmpty)
        #expect(try await device.shown().response.message == "Order 42")
        let anna = try await server.browser(of: .anna)
        for page in ["account", "activate"] {
            #expect(try await anna.get(page).text.contains("Order 42"), "\(page)")
        }
        #expect(try await device.decide(.approve).status == .ok)
        server.clock.advance(by: .seconds(5))
        #expect(try await client.poll(second).status == .ok)

        server.clock.advance(by: .seconds(595))
        let later = try await client.asked()
        #expect(try await deliveries(about: later, at: server).count == 1)
    }

    @Test func `comes after those that call them`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await client.server.authenticator()
        let bank = TestBackchannelClient(server: client.server, name: "bank")
        try await bank.register()
        _ = try await client.asked()
        #expect(try await device.decide(.deny).status == .ok)
        _ = try await client.asked(["binding_message": "silent"])
        client.server.clock.advance(by: .seconds(1))
        _ = try await bank.asked(["binding_message": "of the bank"])
        for message in ["of the bank", "silent"] {
            #expect(try await device.shown().response.message == message)
            #expect(try await device.decide(.deny).status == .ok)
        }
    }

    /// Or one client that asks again and again would hide what the others ask.
    @Test(.server) func `of another client comes before those of one that floods them`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await client.server.authenticator()
        let bank = TestBackchannelClient(server: client.server, name: "bank")
        try await bank.register()
        for number in 1...3 {
            _ = try await client.asked(["binding_message": "flood \(number)"])
            client.server.clock.advance(by: .seconds(1))
        }
        _ = try await bank.asked(["binding_message": "of the bank"])
        let now = client.server.clock.date
        let shown = try await client.server.store.read { repositories in
            try RequestInbox(repositories).answerable(by: TestPerson.anna.subject, at: now).map(
                \.exchange.request.client.value)
        }
        #expect(shown == [bank.id, client.id, client.id, client.id])
        for message in ["of the bank", "flood 1", "flood 2", "flood 3"] {
            #expect(try await device.shown().response.message == message)
            #expect(try await device.decide(.deny).status == .ok)
        }
    }

    /// Strangers who type a person's number at a site silence what the person asks for themselves nowhere that they
    /// used before.
    @Test(.server) func `calls them where the site says that they are in a network that they used before`() async throws
    {
        let customer = try await TestCustomer.add(to: server)
        try await customer.enrollDevice()
        // The browser is at this address.
        _ = try await customer.server.browser(of: .anna)
        var calls = 0
        for _ in 0..<15 {
            let asked = try await customer.open(.oneTimePassword, ["ip": "\"203.0.113.9\""])
            if try await !customer.deliveries(about: asked).isEmpty { calls += 1 }
        }
        #expect(calls == 10)
        for (address, isCalled) in [("203.0.113.9", false), ("198.51.100.7", false), ("192.0.2.1", true)] {
            let asked = try await customer.open(.oneTimePassword, ["ip": "\"\(address)\""])
            #expect(asked.status == .open)
            #expect(try await !customer.deliveries(about: asked).isEmpty == isCalled, "\(address)")
        }
    }
}
