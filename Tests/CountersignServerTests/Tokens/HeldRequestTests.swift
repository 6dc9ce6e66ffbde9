import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOConcurrencyHelpers
import Testing

@testable import CountersignHTTP
@testable import CountersignServer

/// Standard: RFC 7240 §4.3 (`Prefer: wait`), as an addition of ours to RFC 8628 §3.4.
@Suite("A token request that is held open", .timeLimit(.minutes(10)), .server)
struct HeldRequestTests {
    let server = TestServer.current

    @Test func `is answered when somebody approves`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        async let held = server.poll(codes, prefer: "wait=30")
        await server.clock.sleepers(1)
        try await anna.decide("approve", codes)

        let answer = try await held
        #expect(answer.status == .ok)
        #expect(answer.headers[.preferenceApplied] == "wait=30")
        #expect(try await server.honours(answer.json(TokenResponse.self).accessToken))
        #expect(server.clock.sleeping == 0)
    }

    @Test func `is answered when somebody denies`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        async let held = server.poll(codes, prefer: "wait=30")
        await server.clock.sleepers(1)
        try await anna.decide("deny", codes)

        let answer = try await held
        #expect(answer.status == .badRequest)
        #expect(answer.error == .accessDenied)
    }

    @Test(arguments: ["approve", "deny"])
    func `is answered at once when there is a decision already`(decision: String) async throws {
        let codes = try await server.ask()
        try await server.browser(of: .anna).decide(decision, codes)
        let answer = try await server.poll(codes, prefer: "wait=30")
        #expect(answer.error == (decision == "approve" ? nil : .accessDenied))
    }

    @Test func `ends with the wait, and the next may follow at once`() async throws {
        let codes = try await server.ask()
        for _ in 0..<3 {
            async let held = server.poll(codes, prefer: "wait=20")
            await server.clock.sleepers(1)
            server.clock.advance(by: .seconds(20))
            let answer = try await held
            #expect(answer.status == .badRequest)
            #expect(answer.error == .authorizationPending)
            #expect(answer.headers[.preferenceApplied] == "wait=20")
            #expect(answer.headers[.cacheControl] == "no-store")
        }
    }

    @Test func `ends for a client that lost it and asks again, however soon`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        async let lost = server.poll(codes, prefer: "wait=60")
        await server.clock.sleepers(1)
        async let next = server.poll(codes, prefer: "wait=30")

        #expect(try await lost.error == .authorizationPending)
        await server.clock.sleepers(1)
        try await anna.decide("approve", codes)
        let answer = try await next
        #expect(answer.status == .ok)
        #expect(answer.headers[.preferenceApplied] == "wait=30")
    }

    @Test func `is no excuse for polling too fast beside it`() async throws {
        let codes = try await server.ask()
        async let held = server.poll(codes, prefer: "wait=60")
        await server.clock.sleepers(1)
        #expect(try await server.poll(codes).error == .slowDown)
        // The longer interval is a step of the request: who waits for it looks, and waits on.
        await server.clock.sleeps(2)
        server.clock.advance(by: .seconds(60))
        #expect(try await held.error == .authorizationPending)
    }

    @Test func `ends when the same client asks again`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        async let first = server.poll(codes, prefer: "wait=60")
        await server.clock.sleepers(1)
        server.clock.advance(by: .seconds(6))
        async let second = server.poll(codes, prefer: "wait=60")

        let ended = try await first
        #expect(ended.error == .authorizationPending)
        #expect(ended.headers[.preferenceApplied] == nil)
        await server.clock.sleepers(1)
        try await anna.decide("approve", codes)
        #expect(try await second.status == .ok)
    }

    @Test(arguments: [
        "wait=0", "wait=-1", "wait=abc", "wait", "wait=", "wait=1.5", "wait=99999999999999999999", "respond-async",
        "waiting=5", "wait=5s", ";wait=5", "wait==5", "=5", ",,,", "\u{0}",
    ])
    func `is not held for a preference that cannot be read`(prefer: String) async throws {
        let answer = try await server.poll(try await server.ask(), prefer: prefer)
        #expect(answer.error == .authorizationPending)
        #expect(answer.headers[.preferenceApplied] == nil)
    }

    @Test(arguments: [("wait=3600", 60), ("respond-async, WAIT = \"7\"; x=y", 7), ("wait=1, wait=50", 1)])
    func `is held as long as was asked, and no longer than the server allows`(
        prefer: String,
        seconds: Int
    ) async throws {
        let codes = try await server.ask()
        async let held = server.poll(codes, prefer: prefer)
        await server.clock.sleepers(1)
        server.clock.advance(by: .seconds(seconds))
        #expect(try await held.headers[.preferenceApplied] == "wait=\(seconds)")
    }

    @Test(.server { $0.longestWait = 5 }) func `is held as long as its operator allows`() async throws {
        let codes = try await server.ask()
        async let held = server.poll(codes, prefer: "wait=30")
        await server.clock.sleepers(1)
        server.clock.advance(by: .seconds(5))
        #expect(try await held.headers[.preferenceApplied] == "wait=5")
    }

    @Test(.server { $0.longestWait = 0 })
    func `is not held at all when the server allows none`() async throws {
        let answer = try await server.poll(try await server.ask(), prefer: "wait=30")
        #expect(answer.error == .authorizationPending)
        #expect(answer.headers[.preferenceApplied] == nil)
    }

    @Test(.server { $0.connections.room = MemoryCost.heldInTask })
    func `is answered at once when there is no memory for it`() async throws {
        let one = try await server.ask()
        let other = try await server.ask()
        async let held = server.poll(one, prefer: "wait=30")
        await server.clock.sleepers(1)
        let answer = try await server.poll(other, prefer: "wait=30")
        #expect(answer.error == .authorizationPending)
        #expect(answer.headers[.preferenceApplied] == nil)

        server.clock.advance(by: .seconds(30))
        #expect(try await held.headers[.preferenceApplied] == "wait=30")
        async let next = server.poll(other, prefer: "wait=30")
        await server.clock.sleepers(1)
        server.clock.advance(by: .seconds(30))
        #expect(try await next.headers[.preferenceApplied] == "wait=30")
    }

    @Test func `is slowed down like any other when it comes too early`() async throws {
        let codes = try await server.ask()
        #expect(try await server.poll(codes).error == .authorizationPending)
        #expect(try await server.poll(codes, prefer: "wait=30").error == .slowDown)
    }

    @Test func `is refused after the approval was undone`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let grant = try await anna.approve(codes)
        _ = try await anna.post("account/undo", ["grant": grant.rawValue])
        #expect(try await server.poll(codes, prefer: "wait=30").error == .accessDenied)
    }

    @Test func `ends at the deadline of its code`() async throws {
        let codes = try await server.ask(as: .radio)
        server.clock.advance(by: .seconds(100))
        async let held = server.poll(codes, as: .radio, prefer: "wait=60")
        await server.clock.sleepers(1)
        server.clock.advance(by: .seconds(20))
        #expect(try await held.error == .expiredToken)
    }

    @Test func `is held no longer when the clock is set back`() async throws {
        let codes = try await server.ask()
        async let held = server.poll(codes, prefer: "wait=30")
        await server.clock.sleepers(1)
        server.clock.setDate(server.clock.date.addingTimeInterval(-3600))
        #expect(try await server.poll(codes).error == .authorizationPending)
        server.clock.advance(by: .seconds(30))
        let answer = try await held
        #expect(answer.error == .authorizationPending)
        #expect(answer.headers[.preferenceApplied] == "wait=30")
    }

    @Test func `of many is each answered by its own decision`() async throws {
        let anna = try await server.browser(of: .anna)
        var all: [DeviceAuthorizationResponse] = []
        for _ in 0..<20 { all.append(try await server.ask()) }
        try await withThrowingTaskGroup(of: (Int, OAuthError.Code?).self) { group in
            for (number, codes) in all.enumerated() {
                group.addTask { (number, try await server.poll(codes, prefer: "wait=60").error) }
            }
            while server.server.services.tokens.waits.count < all.count { await Task.yield() }
            for (number, codes) in all.enumerated() {
                try await anna.decide(number.isMultiple(of: 2) ? "approve" : "deny", codes)
            }
            for try await (number, error) in group {
                #expect(error == (number.isMultiple(of: 2) ? nil : .accessDenied))
            }
        }
    }

    /// All that wait look again when anything may have changed, and the store refuses some of so many at once.
    @Test func `goes on waiting when the store is too busy to look`() async throws {
        let codes = try await server.ask()
        let store = BusyStore(base: server.store)
        let other = try AuthorizationServer(
            server.settings,
            keeping: store,
            clock: server.serverClock,
            random: .system,
            logger: server.server.logger
        )
        let services = other.services
        let tokens = services.tokenService()
        let credentials = PresentedCredentials(client: TestClients.tv.id, secret: nil, method: .none)
        let request = TokenService.ParsedRequest(
            credentials: credentials,
            request: .success(.deviceCode(codes.deviceCode, over: NearbyLinks())),
            address: nil,
            wait: WaitPreference(seconds: 20)
        )
        guard case .hold(let held) = await tokens.step(for: request) else {
            Issue.record("the poll is not held")
            return
        }
        #expect(await held.look() == nil)
        store.isBusy.withLockedValue { $0 = true }
        store.notify([.anything])
        // The preference to wait was not honored.
        let result = try #require(await held.look())
        guard case .pending = result else {
            Issue.record("\(result)")
            return
        }
        // It may poll again at once.
        store.isBusy.withLockedValue { $0 = false }
        guard case .hold = await tokens.step(for: request) else {
            Issue.record("the next poll is not held")
            return
        }
    }
}

/// A store that can be made to refuse everything, as one does that too many ask.
private final class BusyStore: Store {
    let base: any Store
    let isBusy = NIOLockedValueBox(false)
    private let observers = NIOLockedValueBox<[@Sendable ([StoreChange]) -> Void]>([])

    init(base: any Store) {
        self.base = base
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        guard !isBusy.withLockedValue({ $0 }) else { throw StoreQueue.full }
        return try await base.read(body)
    }

    func change<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        guard !isBusy.withLockedValue({ $0 }) else { throw StoreQueue.full }
        return try await base.change(body)
    }

    func observe(_ observer: @escaping @Sendable ([StoreChange]) -> Void) {
        observers.withLockedValue { $0.append(observer) }
        base.observe(observer)
    }

    /// Notifies the observers.
    func notify(_ changes: [StoreChange]) {
        for observer in observers.withLockedValue({ $0 }) { observer(changes) }
    }
}
