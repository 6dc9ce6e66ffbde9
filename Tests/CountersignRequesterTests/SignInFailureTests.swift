import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

extension SignInTests {
    @Suite("that fails")
    struct WhenItFails {
        typealias Reply = ScriptedTransport.Reply

        @Test func `waits longer when it is told to slow down`() async throws {
            let server = try ScriptedServer(.error(.slowDown), .error(.authorizationPending), ScriptedServer.granted())
            let start = server.clock.date
            _ = try await server.signIn().run().result.get()
            #expect(server.clock.date == start + 5 + 10 + 10)
        }

        /// Standard: RFC 8628 §3.5; RFC 6585 §4.
        @Test(arguments: [HTTPResponse.Status.tooManyRequests, .serviceUnavailable, .badRequest])
        func `waits longer for good, whatever the status, and as long as the server asks`(
            status: HTTPResponse.Status
        ) async throws {
            let slow = Reply.text(
                #"{"error":"slow_down"}"#, type: "application/json", status: status, fields: [.retryAfter: "30"])
            let server = try ScriptedServer(slow, .error(.authorizationPending), ScriptedServer.granted())
            let start = server.clock.date
            _ = try await server.signIn().run().result.get()
            #expect(server.clock.date == start + 5 + 30 + 10)
        }

        @Test func `leaves a busy server alone for as long as it asks`() async throws {
            let server = try ScriptedServer(
                .status(.serviceUnavailable, fields: [.retryAfter: "40"]),
                ScriptedServer.granted()
            )
            let start = server.clock.date
            let (result, events) = await server.signIn().run()
            _ = try result.get()
            #expect(server.clock.date == start + 5 + 40)
            #expect(events.contains(.temporaryFailure(.busy, retryingAt: start + 45)))
        }

        @Test func `goes on by itself after the network was away, and says so`() async throws {
            let away = Reply.failure(TransportError(.notReached, because: "no route"))
            let server = try ScriptedServer(
                .error(.authorizationPending), away, away, .error(.authorizationPending), ScriptedServer.granted()
            )
            let start = server.clock.date
            let (result, events) = await server.signIn().run()
            let expected: [SignInEvent] = [
                .waiting(until: start + 600),
                .temporaryFailure(.notReachable, retryingAt: start + 20),
                .temporaryFailure(.notReachable, retryingAt: start + 40),
                .waiting(until: start + 600),
                .signedIn(try result.get()),
            ]
            #expect(Array(events.dropFirst(2)) == expected)
        }

        @Test func `tries a few times to find a server that is not reachable`() async throws {
            let server = try ScriptedServer()
            let away = Reply.failure(TransportError(.notReached, because: "no route"))
            server.transport.reply(at: ScriptedServer.path, with: away)
            let (result, events) = await server.signIn().run()
            #expect(throws: SignInError(.notReachable, because: "")) { try result.get() }
            #expect(server.transport.sent(to: ScriptedServer.path).count == 4)
            #expect(events.count(where: { if case .temporaryFailure = $0 { true } else { false } }) == 3)
        }

        @Test func `finds a server that comes up late`() async throws {
            let server = try ScriptedServer(ScriptedServer.granted())
            server.transport.reply(
                at: ScriptedServer.path,
                with: .failure(TransportError(.timedOut, because: "")), .status(.badGateway), .json(server.metadata)
            )
            _ = try await server.signIn().run().result.get()
        }

        @Test func `does not insist when the certificate does not fit`() async throws {
            let server = try ScriptedServer()
            let fake = Reply.failure(TransportError(.notTrusted, because: "self-signed"))
            server.transport.reply(at: ScriptedServer.path, with: fake)
            let (result, _) = await server.signIn().run()
            #expect(throws: SignInError(.notTrusted, because: "")) { try result.get() }
            #expect(server.transport.sent().count == 1)
        }

        @Test func `says when nobody answered in time`() async throws {
            let server = try ScriptedServer(.error(.authorizationPending))
            let start = server.clock.date
            let (result, _) = await server.signIn().run()
            #expect(throws: SignInError(.expired, because: "")) { try result.get() }
            #expect(server.clock.date == start + 600)
        }

        @Test func `replaces an expired code by a new one when asked`() async throws {
            let server = try ScriptedServer(.error(.expiredToken), ScriptedServer.granted())
            server.transport.reply(
                at: "/device_authorization",
                with: .json(server.codes("first-code")), .json(server.codes("second-code"))
            )
            let (result, events) = await server.signIn { $0.renewals = 1 }.run()
            _ = try result.get()
            #expect(
                server.transport.sent(to: "/token").map { $0.form["device_code"] } == ["first-code", "second-code"]
            )
            #expect(events.count(where: { if case .invitation = $0 { true } else { false } }) == 2)
        }

        @Test func `replaces codes no more often than asked`() async throws {
            let server = try ScriptedServer(.error(.expiredToken))
            let (result, _) = await server.signIn { $0.renewals = 2 }.run()
            #expect(throws: SignInError(.expired, because: "")) { try result.get() }
            #expect(server.transport.sent(to: "/device_authorization").count == 3)
        }

        @Test(arguments: [
            (OAuthError.Code.invalidClient, SignInError.Code.clientRefused),
            (.unauthorizedClient, .clientRefused),
            (.invalidScope, .scopeRefused),
            (.invalidRequest, .refused),
        ])
        func `stops when the server refuses the request`(code: OAuthError.Code, expected: SignInError.Code) async throws
        {
            let server = try ScriptedServer()
            server.transport.reply(at: "/device_authorization", with: .error(code))
            let (result, _) = await server.signIn().run()
            #expect(throws: SignInError(expected, because: "")) { try result.get() }
            #expect(server.transport.sent(to: "/device_authorization").count == 1)
        }

        @Test func `tells the new deadline when somebody sets the date`() async throws {
            let server = try ScriptedServer(.error(.authorizationPending), .silence)
            let signIn = server.signIn(clock: server.clock.source)
            var events = signIn.events.makeAsyncIterator()
            let running = Task { try await signIn.run { _ in .continue } }
            let start = server.clock.date
            for _ in 1...2 { _ = await events.next() }
            #expect(await events.next() == .waiting(until: start + 600))

            await server.clock.sleepers()
            server.clock.setDate(start + 1_000_000)
            server.clock.advance(by: .seconds(5))
            #expect(await events.next() == .waiting(until: start + 1_000_600))
            running.cancel()
            _ = await running.result
        }
    }
}
