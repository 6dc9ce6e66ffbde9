import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A device in a site", .server)
struct CustomerSiteTests {
    let server = TestServer.current

    /// The ticket in the QR code of a request.
    private func ticket(of asked: AuthenticationRequest, at server: TestServer) async throws -> Form {
        let keys = try await server.server.services.keys.current()
        return ["ticket": keys.ticket(of: SignInRequest.ID(asked.id.rawValue)).revealed]
    }

    @Test func `lists, shows and answers its requests only while it is registered there`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let device = try await customer.server.authenticator()
        let asked = try await customer.open()
        let id = SignInRequest.ID(asked.id.rawValue)
        #expect(try await device.entries() == [])
        #expect(try await device.look(id).error == .invalidGrant)

        let path = "environments/\(customer.environment.id)"
        let ticket = try await ticket(of: asked, at: customer.server)
        #expect(try await device.send(.put, path, ticket).status == .noContent)
        #expect(try await device.entries().map(\.exchange) == [id])
        let shown = try await device.shown()

        #expect(try await device.send(.delete, path).status == .noContent)
        #expect(try await device.entries() == [])
        #expect(try await device.look(id).error == .invalidGrant)
        let late = device.claims(on: shown, number: asked.number)
        #expect(try await device.send(late).error == .invalidGrant)
        #expect(try await customer.read(asked).status == .open)

        #expect(try await device.send(.put, path, ticket).status == .noContent)
        #expect(try await device.decide(.approve, number: asked.number).status == .ok)
        #expect(try await customer.read(asked).status == .approved)
    }

    @Test func `is not kept from other requests by those of a site that it is not in`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let client = TestBackchannelClient(server: customer.server)
        try await client.register()
        let device = try await customer.server.authenticator()
        _ = try await device.register { details in
            details.platform = "iOS"
            details.appID = "com.example.bank"
            details.pushToken = "00ff"
            details.isPushEnabled = true
        }
        let asked = try await customer.open(.instant, ["expiry": "3600"])
        // It is asked to scan, and cannot answer yet.
        let pushed = try await customer.deliveries(about: asked)
        guard case .push(let payload, to: _)? = pushed.first?.content else {
            Issue.record("no push message")
            return
        }
        #expect(payload.kind == .scan)
        let other = try await client.asked()
        let entries = try await device.entries()
        #expect(entries.count == 1)
        let stored = try await customer.server.store.read { try $0.exchanges.find(other.request.digest) }
        let request = try #require(stored)
        #expect(entries.first?.exchange == request.id)
        // Its message goes out at once, too.
        let made = try await customer.server.store.read { try $0.deliveries.all(about: request.id) }
        #expect(made.count == 1 && made.allSatisfy { $0.due <= customer.server.clock.date + 1 })
    }
}
