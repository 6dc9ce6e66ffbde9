import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import NIOConcurrencyHelpers
import Testing

@testable import CountersignRequester

extension SignInTests {
    @Suite("that is cancelled")
    struct Cancelled {
        @Test func `stops at once while it rests, and asks nothing more`() async throws {
            let server = try ScriptedServer(.error(.authorizationPending))
            let running = run(server.signIn(clock: server.clock.source))
            await server.clock.sleepers()
            running.cancel()
            try await expectCancelled(running)
            #expect(server.transport.sent(to: "/token").isEmpty)
            #expect(server.clock.sleeping == 0)
        }

        @Test(arguments: [ScriptedServer.path, "/device_authorization", "/token"])
        func `stops at once while a request is open`(path: String) async throws {
            let server = try ScriptedServer(ScriptedServer.granted())
            server.transport.reply(at: path, with: .silence)
            let running = run(server.signIn())
            await server.transport.requests(to: path)
            running.cancel()
            try await expectCancelled(running)
            #expect(server.revoked.isEmpty)
        }

        @Test func `stops while it waits for the network to come back`() async throws {
            let server = try ScriptedServer(.failure(TransportError(.notReached, because: "")))
            let running = run(server.signIn(clock: server.clock.source))
            await server.clock.sleepers()
            server.clock.advance(by: .seconds(5))
            await server.transport.requests(to: "/token")
            await server.clock.sleepers()
            running.cancel()
            try await expectCancelled(running)
        }

        @Test func `gives back tokens that had just come while the keys are fetched`() async throws {
            let server = try ScriptedServer()
            server.transport.reply(at: "/token", with: ScriptedServer.granted(try server.idToken(server.claims)))
            server.transport.reply(at: "/jwks", with: .silence)
            let running = run(server.signIn(for: ScriptedServer.openid))
            await server.transport.requests(to: "/jwks")
            running.cancel()
            try await expectCancelled(running)
            #expect(server.revoked == ["refresh-1", "access-1"])
        }

        @Test func `gives back tokens while the person is asked, even if the screen does not notice`() async throws {
            let server = try ScriptedServer()
            server.transport.reply(at: "/token", with: ScriptedServer.granted(try server.idToken(server.claims)))
            let (asked, asking) = AsyncStream.makeStream(of: Void.self)
            let answer = NIOLockedValueBox<CheckedContinuation<SignIn.Confirmation, Never>?>(nil)
            let signIn = server.signIn(for: ScriptedServer.openid)
            let running = Task {
                try await signIn.run { _ in
                    await withCheckedContinuation { continuation in
                        answer.withLockedValue { $0 = continuation }
                        asking.finish()
                    }
                }
            }
            for await _ in asked {}
            running.cancel()
            try await expectCancelled(running)
            #expect(server.revoked == ["refresh-1", "access-1"])
            // The screen answers when nobody listens any more.
            answer.withLockedValue { $0 }?.resume(returning: .continue)
        }

        private func run(_ signIn: SignIn) -> Task<CompletedSignIn, any Error> {
            Task { try await signIn.run { _ in .continue } }
        }

        private func expectCancelled(_ running: Task<CompletedSignIn, any Error>) async throws {
            await #expect(throws: SignInError(.cancelled, because: "")) { try await running.value }
        }
    }
}
