import Countersign
import CountersignServer
import CountersignWire
import Foundation
import NIOConcurrencyHelpers
import Testing

/// Screens that are signed in again and again, and a machine that asks for tokens, through one address.
final class SignInLoad: Sendable {
    private struct State {
        var rounds = 0
        var failures: [String] = []
        var isOver = false
    }

    /// A request was not answered as it should be.
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let base: String
    private let fixture: DatabaseFixture
    private let state = NIOLockedValueBox(State())

    init(at base: String, of fixture: DatabaseFixture) {
        self.base = base
        self.fixture = fixture
    }

    /// The requests that failed.
    var failures: [String] { state.withLockedValue(\.failures) }

    /// Runs `body` beside the load.
    func run(_ body: () async throws -> Void) async throws {
        let workers = (0..<6).map { _ in Task { await work() } }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        state.withLockedValue { $0.isOver = true }
        for worker in workers { await worker.value }
        try outcome.get()
    }

    /// Returns when each worker could have come around a few times; at once when a request has failed.
    func goesOn() async throws {
        let enough = state.withLockedValue(\.rounds) + 24
        for _ in 0..<12_000 {
            if state.withLockedValue({ $0.rounds >= enough || !$0.failures.isEmpty }) { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw Failure(description: "the load stands still")
    }

    private func work() async {
        while !state.withLockedValue(\.isOver) {
            do {
                try await signIn()
                try await identify()
                state.withLockedValue { $0.rounds += 1 }
            } catch {
                state.withLockedValue { $0.failures.append("\(error)") }
                return
            }
        }
    }

    /// A screen asks, waits for Anna, and renews its tokens.
    private func signIn() async throws {
        var start = DatabaseFixture.start
        start["scope"] = "openid offline_access"
        let codes = try await post("/device_authorization", start).read(DeviceAuthorizationResponse.self)
        async let held = post("/token", fixture.redemption(of: codes.deviceCode), prefer: "wait=55")
        let exchange = try await fixture.store.read { try $0.exchanges.find(codes.deviceCode.digest) }
        try await fixture.approve(try #require(exchange))
        let refresh = try #require(try await held.read(TokenResponse.self).refreshToken)
        let renewed = try await post("/token", fixture.refresh(of: refresh)).read(TokenResponse.self)
        guard renewed.refreshToken != nil else { throw Failure(description: "no refresh token") }
    }

    /// A machine gets a token, which holds at whichever node it is shown to.
    private func identify() async throws {
        let token = try await post("/token", fixture.clientCredentials).read(TokenResponse.self).accessToken
        let seen = try await post("/introspect", fixture.introspection(of: token)).read(IntrospectionResponse.self)
        guard seen.active else { throw Failure(description: "a token is not known") }
    }

    private func post(_ path: String, _ form: Form, prefer: String? = nil) async throws -> ServerProcess.Answer {
        let answer = try await ServerProcess.post(path, form, prefer: prefer, at: base)
        guard answer.status == 200 else {
            throw Failure(description: "\(path): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
        return answer
    }
}
