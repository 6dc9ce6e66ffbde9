import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import NIOConcurrencyHelpers
import Testing

@testable import CountersignRequester

extension CrossPlatformProviderTests {
    @Suite("asked by many at once")
    struct AskedByMany {
        let provider = SmallProvider()
        let radio = SmallProvider.radio

        @Test func `registers once, and answers all with one token`() async throws {
            let app = CrossPlatformApp(at: provider)
            let asked = try app.provider()
            let tokens = try await withThrowingTaskGroup(of: CrossPlatformToken.self) { group in
                for _ in 0..<10 { group.addTask { try await asked.requestToken(for: radio, ofType: .client) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(tokens.count == 10)
            #expect(provider.registrations == 1)
            // Every token that was given out is the one that works.
            let working = provider.working(of: "1", for: radio)
            #expect(tokens.last?.accessToken.revealed == working)
        }

        @Test func `registers once for several processes, which share a token`() async throws {
            let app = CrossPlatformApp(at: provider)
            let processes = try (0..<10).map { _ in try app.provider() }
            let tokens = try await withThrowingTaskGroup(of: CrossPlatformToken.self) { group in
                for process in processes {
                    group.addTask { try await process.requestToken(for: radio, ofType: .client) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(provider.registrations == 1)
            #expect(tokens.count == 10)
            let working = provider.working(of: "1", for: radio)
            let kept = try await app.provider().token(for: radio)
            #expect(kept?.accessToken.revealed == working)
        }

        @Test func `begins anew once for several processes that it does not know any more`() async throws {
            let app = CrossPlatformApp(at: provider)
            _ = try await app.provider().requestToken(for: radio, ofType: .client)
            provider.forgets("1")
            let processes = try (0..<5).map { _ in try app.provider() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for process in processes {
                    group.addTask { _ = try await process.requestToken(for: radio, ofType: .client) }
                }
                try await group.waitForAll()
            }
            #expect(provider.registrations == 2)
        }

        @Test func `answers for two services and both types beside each other`() async throws {
            let app = CrossPlatformApp(at: provider)
            let asked = try app.provider()
            async let first = asked.requestToken(for: radio, ofType: .client)
            async let second = asked.requestToken(
                for: SmallProvider.tv,
                ofType: .user,
                presenting: RecordingPresentation()
            )
            let tokens = try await (first, second)
            #expect(tokens.0.domain == radio && tokens.0.type == .client)
            #expect(tokens.1.domain == SmallProvider.tv && tokens.1.type == .user)
            #expect(try await asked.tokens() == [tokens.0, tokens.1])
            #expect(provider.registrations == 1)
        }

        @Test func `gives the device's own token while a person is waited for`() async throws {
            let app = CrossPlatformApp(at: provider)
            provider.change { $0.person = .sleeps }
            let asked = try app.provider(clock: app.clock.source)
            let screen = RecordingPresentation()
            let waiting = Task { try await asked.requestToken(for: radio, ofType: .user, presenting: screen) }
            await screen.shown()
            let token = try await asked.requestToken(for: radio, ofType: .client)
            #expect(token.type == .client)
            waiting.cancel()
            _ = await waiting.result
        }

        @Test func `shows one page to callers that want the same, and goes on while one of them waits`() async throws {
            let app = CrossPlatformApp(at: provider)
            provider.change { $0.person = .sleeps }
            let asked = try app.provider(clock: app.clock.source)
            let (one, other) = (RecordingPresentation(), RecordingPresentation())
            let first = Task { try await asked.requestToken(for: radio, ofType: .user, presenting: one) }
            await one.shown()
            let second = Task { try await asked.requestToken(for: radio, ofType: .user, presenting: other) }
            while await asked.waiting(for: radio) < 2 { await Task.yield() }
            first.cancel()
            await #expect(throws: SignInError(.cancelled, because: "")) { try await first.value }
            #expect(await one.calls == [.show(UserCodeText("AfZQNVkR"))])

            second.cancel()
            await #expect(throws: SignInError(.cancelled, because: "")) { try await second.value }
            #expect(await one.calls == [.show(UserCodeText("AfZQNVkR")), .dismiss])
            #expect(await other.calls.isEmpty)
            #expect(app.clock.sleeping == 0)
        }

        @Test func `keeps what a renewal brings though nobody waits for it any more`() async throws {
            let app = CrossPlatformApp(at: provider)
            let first = try await app.provider().requestToken(for: radio, ofType: .client)
            let gate = GatedTransport(provider)
            let slow = CrossPlatformProvider(
                at: try app.provider().address,
                as: try app.provider().software,
                keepingTokensIn: app.store,
                in: RequesterContext(over: gate, clock: app.clock.skipping, random: .system)
            )
            let changes = app.store.changes
            let caller = Task { try await slow.requestToken(for: radio, ofType: .client) }
            await gate.asked()
            caller.cancel()
            await #expect(throws: SignInError(.cancelled, because: "")) { try await caller.value }
            #expect(try await slow.token(for: radio) == first)
            gate.open()
            for await _ in changes { break }
            #expect(try await slow.token(for: radio)?.accessToken.revealed == "token-2")
        }
    }
}

/// A network that holds a request until a test lets it through, whether its task is cancelled or not.
final class GatedTransport: HTTPTransport {
    private struct State {
        var isAsked = false
        var isOpen = false
        var watchers: [CheckedContinuation<Void, Never>] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let base: any HTTPTransport
    private let state = NIOLockedValueBox(State())

    init(_ base: any HTTPTransport) {
        self.base = base
    }

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        await withCheckedContinuation { continuation in
            let (told, isOpen) = state.withLockedValue { state in
                state.isAsked = true
                if !state.isOpen { state.waiting.append(continuation) }
                defer { state.watchers = [] }
                return (state.watchers, state.isOpen)
            }
            for watcher in told { watcher.resume() }
            if isOpen { continuation.resume() }
        }
        return try await base.send(request, body: body, within: limit)
    }

    /// Returns once a request waits.
    func asked() async {
        await withCheckedContinuation { continuation in
            let isAsked = state.withLockedValue { state in
                if !state.isAsked { state.watchers.append(continuation) }
                return state.isAsked
            }
            if isAsked { continuation.resume() }
        }
    }

    /// Lets every request through, those that wait and those that come.
    func open() {
        let waiting = state.withLockedValue { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
