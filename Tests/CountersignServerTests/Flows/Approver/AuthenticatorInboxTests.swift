import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The inbox of an enrolled device", .timeLimit(.minutes(10)), .server)
struct AuthenticatorInboxTests {
    let server = TestServer.current

    @Test func `lists a request until the very second that it names`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let clock = server.clock
        clock.setDate(clock.date + 0.7)
        let device = try await server.authenticator()
        _ = try await client.asked()
        let end = Date(timeIntervalSince1970: Double(try #require(try await device.entries().first).expires))
        clock.setDate(end - 0.01)
        #expect(try await device.entries().count == 1)
        clock.setDate(end)
        let list = try await device.inbox().json(AuthenticatorInbox.self)
        #expect(list.requests.isEmpty && Double(list.serverTime) == end.timeIntervalSince1970)
    }

    @Test func `lists the oldest request to approve, by identifier and times alone`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        #expect(try await device.entries() == [])
        _ = try await client.asked(["binding_message": "first"])
        server.clock.advance(by: .seconds(1))
        _ = try await client.asked(["binding_message": "second"])
        let answer = try await device.inbox()
        let entry = try #require(try answer.json(AuthenticatorInbox.self).requests.first)
        #expect(try answer.json(AuthenticatorInbox.self).requests.count == 1)
        let asked = server.clock.date.numericDate - 1
        #expect(entry.kind == .instant && entry.asked == asked && entry.expires == asked + 300)
        #expect(!answer.text.contains("first") && !answer.text.contains("desk"))
        #expect(try await device.shown().response.message == "first")
        #expect(try await device.decide(.deny).status == .ok)
        #expect(try await device.shown().response.message == "second")
    }

    /// The requests of the push messages that are due, the oldest message first.
    private func pushed(_ client: TestBackchannelClient) async throws -> [AuthenticationRequest.ID?] {
        try await client.server.dueMessages().compactMap { delivery in
            guard case .push(let payload, to: _) = delivery.content else { return nil }
            return payload.request
        }
    }

    @Test(arguments: [true, false])
    func `is pushed one request at a time: the next when the one before is decided, or over`(isDecided: Bool)
        async throws
    {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        _ = try await device.register { details in
            details.pushToken = "one"
            details.isPushEnabled = true
        }
        _ = try await client.asked(["requested_expiry": "60"])
        server.clock.advance(by: .seconds(1))
        _ = try await client.asked()
        let first = try #require(try await pushed(client).first)
        #expect(try await pushed(client) == [first])
        if isDecided {
            #expect(try await device.decide(.deny).status == .ok)
        } else {
            server.clock.advance(by: .seconds(60))
        }
        let second = try #require(try await pushed(client).last)
        #expect(second != first)
        #expect(try await device.entries().map { $0.exchange.rawValue } == [second?.rawValue])
    }

    @Test func `lists nothing of other people`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator(of: .bert)
        _ = try await client.asked()
        #expect(try await device.entries() == [])
        let id = try #require(try await server.browser(of: .anna).question())
        #expect(try await device.look(SignInRequest.ID(id)).error == .invalidGrant)
    }

    @Test func `has a tag of its requests, which spares what is known`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        let empty = try #require(try await device.inbox().headers[.eTag])
        server.clock.advance(by: .seconds(1))
        let same = try await device.inbox(knowing: "\"x\", W/\(empty)")
        #expect(same.status == .notModified && same.headers[.eTag] == empty && same.text.isEmpty)
        _ = try await client.asked()
        let more = try await device.inbox(knowing: empty, prefer: "wait=60")
        #expect(more.status == .ok && more.headers[.eTag] != empty)
    }

    @Test func `is held until a request comes`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        let tag = try #require(try await device.inbox().headers[.eTag])
        async let held = device.inbox(knowing: tag, prefer: "wait=60")
        await server.clock.sleepers(1)
        _ = try await client.asked()
        let answer = try await held
        #expect(try answer.json(AuthenticatorInbox.self).requests.count == 1)
        #expect(server.flow(ApproverFlow.self).inboxes.count == 0)
    }

    @Test func `is held until a request is decided elsewhere, or expires`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        let anna = try await server.browser(of: .anna)
        _ = try await client.asked()
        let tag = try #require(try await device.inbox().headers[.eTag])
        async let held = device.inbox(knowing: tag, prefer: "wait=60")
        await server.clock.sleepers(1)
        try await anna.answerQuestion("deny")
        #expect(try await held.json(AuthenticatorInbox.self).requests == [])

        _ = try await client.asked(["requested_expiry": "20"])
        let next = try #require(try await device.inbox().headers[.eTag])
        async let expiring = device.inbox(knowing: next, prefer: "wait=60")
        await server.clock.sleepers(1)
        server.clock.advance(by: .seconds(20))
        #expect(try await expiring.json(AuthenticatorInbox.self).requests == [])
    }

    @Test(.server { $0.longestWait = 30 })
    func `is held for the time that was wanted, at most the server's, and by the latest wait alone`() async throws {
        let device = try await server.authenticator()
        let tag = try #require(try await device.inbox().headers[.eTag])
        async let first = device.inbox(knowing: tag, prefer: "wait=500")
        await server.clock.sleepers(1)
        async let second = device.inbox(knowing: tag, prefer: "wait=500")
        #expect(try await first.status == .notModified)
        await server.clock.sleepers(1)
        server.clock.advance(by: .seconds(30))
        #expect(try await second.status == .notModified)
    }

    @Test func `is not held for a device that was signed out meanwhile`() async throws {
        let device = try await server.authenticator()
        let tag = try #require(try await device.inbox().headers[.eTag])
        let anna = try await server.browser(of: .anna)
        let id = try #require(try await anna.get("account").field("device"))
        _ = try await anna.confirm("account/devices/remove", ["device": id])
        #expect(try await device.inbox(knowing: tag, prefer: "wait=30").status == .unauthorized)
    }

    @Test func `notes to the hour when the device was seen`() async throws {
        let device = try await server.authenticator()
        let enrolled = server.clock.date
        for (passed, seen) in [(3599.0, 0.0), (1, 3600), (100, 3600)] {
            server.clock.advance(by: .seconds(passed))
            _ = try await device.inbox()
            let known = try await server.store.read { try $0.devices.all(of: TestPerson.anna.subject) }
            #expect(known.map(\.lastSeen) == [enrolled + seen])
        }
    }
}
