import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The devices of a person", .server)
struct PersonsDevicesTests {
    let server = TestServer.current

    private func list(_ device: TestApprover) async throws -> [DeviceListing] {
        try await device.send(.get, "devices").json([DeviceListing].self)
    }

    private func current(_ device: TestApprover) async throws -> DeviceListing {
        try #require(try await list(device).first { $0.isCurrent })
    }

    @Test func `are listed and named at one of them, and on the account page`() async throws {
        let first = try await server.authenticator()
        server.clock.advance(by: .seconds(1))
        let second = try await server.authenticator()
        let other = try await server.authenticator(of: .bert)
        let listed = try await list(first)
        #expect(listed.count == 2 && listed.map(\.isCurrent) == [true, false])
        #expect(listed.allSatisfy { $0.model == "Handy" && $0.platform == "iOS" && $0.name == nil })

        let id = try await current(second).id
        let named = try await first.send(.put, "devices/\(id)", ["name": "  The old\u{202E} one "])
        #expect(named.status == .noContent)
        #expect(try await current(second).name == "The old one")
        // It may say its own name when it registers, and registering without one leaves it.
        _ = try await second.register { $0.name = "Kitchen" }
        _ = try await second.register()
        #expect(try await current(second).name == "Kitchen")

        let anna = try await server.browser(of: .anna)
        #expect(try await anna.get("account").text.contains("Kitchen"))
        let renamed = try await anna.post(
            "account/devices/name", ["device": id.rawValue, "device_name": "Lost <b>one</b>"])
        #expect(renamed.location == "/account?done=device-named")
        #expect(try await anna.get("account").text.contains("Lost &lt;b&gt;one"))
        #expect(try await first.send(.put, "devices/\(id)", ["name": ""]).status == .noContent)
        #expect(try await current(second).name == nil)
        _ = try await anna.post("account/devices/name", ["device": id.rawValue, "device_name": "Lost"])
        let emptied = try await anna.post("account/devices/name", ["device": id.rawValue, "device_name": ""])
        #expect(emptied.location == "/account?done=device-named")
        #expect(try await current(second).name == nil)
        #expect(try await list(other).count == 1)
    }

    @Test func `are revoked one by one, and the others go on`() async throws {
        let (good, lost) = (try await server.authenticator(), try await server.authenticator())
        let id = try await current(lost).id
        #expect(try await good.send(.delete, "devices/\(id)").status == .noContent)
        #expect(try await lost.inbox().status == .unauthorized)
        #expect(try await good.inbox().status == .ok)
        #expect(try await list(good).count == 1)
        #expect(try await good.send(.delete, "devices/\(id)").status == .notFound)
        #expect(try await server.audited(.deviceRemoved).map(\.by) == [.person])
    }

    @Test func `are neither named nor revoked by others, or by a token that never registered`() async throws {
        let anna = try await server.authenticator()
        let bert = try await server.authenticator(of: .bert)
        let id = try await current(anna).id
        #expect(try await bert.send(.delete, "devices/\(id)").status == .notFound)
        #expect(try await bert.send(.put, "devices/\(id)", ["name": "x"]).status == .notFound)
        #expect(try await bert.send(.delete, "devices/none").status == .notFound)
        let stranger = try await server.browser(of: .bert)
        #expect(
            try await stranger.post("account/devices/name", ["device": id.rawValue, "device_name": "x"]).location
                == "/account?done=nothing")
        let tokens = try await server.redeem(try await server.ticket()).json(TokenResponse.self)
        let unregistered = TestApprover(server: server, token: tokens.accessToken)
        #expect(try await unregistered.send(.delete, "devices/\(id)").error == .invalidRequest)
        #expect(try await unregistered.send(.put, "devices/\(id)", ["name": "x"]).error == .invalidRequest)
        #expect(try await current(anna).name == nil)
    }

    /// One that is lost and still signed in must not keep the others out.
    @Test func `join a site one after another, and each shows and answers its requests`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let keys = try await server.server.services.keys.current()
        func join(_ device: TestApprover, by asked: AuthenticationRequest) async throws -> TestResponse {
            let ticket = keys.ticket(of: SignInRequest.ID(asked.id.rawValue))
            return try await device.send(.put, "environments/\(customer.environment.id)", ["ticket": ticket.revealed])
        }
        let lost = try await server.authenticator()
        let first = try await customer.open()
        #expect(first.invitation != nil)
        #expect(try await join(lost, by: first).status == .noContent)
        try await customer.decide(.deny, first)
        // The only device is in the environment: nothing is to be scanned.
        let alone = try await customer.open()
        #expect(alone.invitation == nil)
        try await customer.decide(.deny, alone)

        let new = try await server.authenticator()
        let second = try await customer.open()
        #expect(second.invitation != nil)
        #expect(try await join(new, by: second).status == .noContent)
        #expect(try await lost.entries().map(\.exchange.rawValue) == [second.id.rawValue])
        #expect(try await new.entries().map(\.exchange.rawValue) == [second.id.rawValue])
        #expect(try await new.decide(.approve, number: second.number).status == .ok)
        #expect(try await customer.read(second).status == .approved)
        #expect(try await customer.open().invitation == nil)
        // A device of another person does not get in by the code.
        let bert = try await server.authenticator(of: .bert)
        #expect(try await join(bert, by: second).error == .invalidGrant)
    }

    @Test func `learn by push that their ticket was presented again, the one that used it first`() async throws {
        try await server.addAuthenticatorApp()
        let ticket = try await server.ticket()
        let tokens = try await server.redeem(ticket).json(TokenResponse.self)
        let first = TestApprover(server: server, token: tokens.accessToken)
        try await first.registerForPush()
        server.clock.advance(by: .seconds(1))
        #expect(try await server.redeem(ticket).error == .invalidGrant)
        #expect(try await first.inbox().status == .unauthorized)
        let told = try await server.dueMessages().compactMap { delivery -> String? in
            guard case .push(let payload, to: let address) = delivery.content, payload == PushPayload(nil),
                delivery.device == nil
            else { return nil }
            return address.token
        }
        #expect(told == ["00ffa0"])
    }
}
