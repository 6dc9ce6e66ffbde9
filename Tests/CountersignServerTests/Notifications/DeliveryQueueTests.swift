import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import Logging
import NIOConcurrencyHelpers
import ServiceLifecycle
import Testing

@testable import CountersignServer

/// A queue of notices that fails for some of them in ways that nobody expects.
private struct FailingQueue: DeliveryQueue {
    typealias Item = ClientNotice

    static let subject = "test notices"
    let store: any Store
    let clock: TimeSource
    let logger: Logger
    let tracing: ServerTracing? = nil
    let failing: @Sendable (ClientNotice) -> Bool

    func due(
        in lane: DeliveryLane,
        at now: Date,
        exceptTo full: Set<ClientID>,
        limit: Int,
        in repositories: any Repositories
    ) throws -> [ClientNotice] {
        switch lane {
        case .messages, .webPush: []
        case .calls: try repositories.clientNotices.due(at: now, exceptTo: full, limit: limit)
        }
    }

    func next(after notice: ClientNotice, at now: Date) -> Date? { now + 30 }

    func update(_ notice: ClientNotice, in repositories: any Repositories) throws {
        try repositories.clientNotices.update(notice)
    }

    func giveUp(_ notice: ClientNotice, at now: Date, in repositories: any Repositories) throws {}

    func deliver(_ notice: ClientNotice) async throws {
        if failing(notice) { throw StoreUnavailableError(.notDone, reason: "out of reach for a moment") }
        // Long enough for the others to have failed.
        try await Task.sleep(for: .milliseconds(100))
        _ = try await store.change { try $0.clientNotices.remove(notice) }
    }
}

/// A queue whose node dies in the middle of each attempt, as by a trap: nothing is recorded after the attempt began.
private struct DyingQueue<Base: DeliveryQueue>: DeliveryQueue {
    typealias Item = Base.Item

    static var subject: String { Base.subject }
    let base: Base
    /// Counts the attempts of an item that another node finds in the store.
    let count: @Sendable (any Repositories) throws -> Int?
    let counted = NIOLockedValueBox<[Int?]>([])
    var store: any Store { base.store }
    var clock: TimeSource { base.clock }
    var logger: Logger { base.logger }
    var tracing: ServerTracing? { base.tracing }

    func due(
        in lane: DeliveryLane,
        at now: Date,
        exceptTo full: Set<Item.Receiver>,
        limit: Int,
        in repositories: any Repositories
    ) throws -> [Item] {
        try base.due(in: lane, at: now, exceptTo: full, limit: limit, in: repositories)
    }

    func next(after item: Item, at now: Date) -> Date? { base.next(after: item, at: now) }

    func update(_ item: Item, in repositories: any Repositories) throws { try base.update(item, in: repositories) }

    func giveUp(_ item: Item, at now: Date, in repositories: any Repositories) throws {
        try base.giveUp(item, at: now, in: repositories)
    }

    func deliver(_ item: Item) async throws {
        let found = try await store.read(count)
        counted.withLockedValue { $0.append(found) }
        throw CancellationError()
    }
}

/// A store that is out of reach for some changes.
private final class InterruptedStore: ForwardingStore {
    let base: any Store
    private let left: NIOLockedValueBox<Int>

    init(_ base: any Store, for changes: Int) {
        self.base = base
        left = NIOLockedValueBox(changes)
    }

    func change<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        let isOutOfReach = left.withLockedValue { left -> Bool in
            left -= 1
            return left >= 0
        }
        if isOutOfReach { throw StoreUnavailableError(.outcomeUnknown, reason: "out of reach for a moment") }
        return try await base.change(body)
    }
}

@Suite("A queue of deliveries", .server(withApps: true))
struct DeliveryQueueTests {
    let server = TestServer.current

    private func session(_ number: Int) -> SessionID { SessionID(rawValue: "\(number)") }

    @Test func `goes on with the others when one of them fails, which is tried again`() async throws {
        let now = server.clock.date
        try await server.change { repositories in
            for number in 0..<40 {
                try repositories.clientNotices.keep(
                    ClientNotice(
                        .sessionEnded(session(number)), client: ClientID("client \(number % 10)"),
                        subject: TestPerson.anna.subject, occurred: now, due: now))
            }
        }
        let queue = FailingQueue(
            store: server.store, clock: server.serverClock, logger: server.server.logger,
            failing: { [session(3), session(20)].contains($0.session) })
        try await queue.deliver()
        let left = try await server.notices()
        #expect(Set(left.map(\.session)) == [session(3), session(20)])
        #expect(left.allSatisfy { $0.attempts == 1 && $0.due == now + 30 })
    }

    /// A queue with one notice, over a store that is out of reach for some changes.
    private func queue(interruptedFor changes: Int, in server: TestServer) -> FailingQueue {
        FailingQueue(
            store: InterruptedStore(server.store, for: changes), clock: server.clock.skipping,
            logger: server.server.logger, failing: { _ in false })
    }

    private func notice(in server: TestServer) async throws -> ClientNotice {
        let now = server.clock.date
        let notice = ClientNotice(
            .sessionEnded(session(1)), client: ClientID("client"), subject: TestPerson.anna.subject, occurred: now,
            due: now)
        try await server.change { try $0.clientNotices.keep(notice) }
        return notice
    }

    @Test(arguments: [(3, true), (4, false)])
    func `records a result once the store is there again, within seconds`(failures: Int, isKept: Bool) async throws {
        let tried = queue(interruptedFor: failures, in: server)
        let kept = try await notice(in: server)
        let start = server.clock.date
        do {
            try await tried.recordResult { try $0.clientNotices.remove(kept) }
            #expect(isKept)
        } catch is StoreUnavailableError {
            #expect(!isKept)
        }
        #expect(try await server.notices().isEmpty == isKept)
        #expect(abs(server.clock.date.timeIntervalSince(start) - 3) < 0.001)
    }

    @Test func `records a result also when its task was cancelled`() async throws {
        let tried = queue(interruptedFor: 0, in: server)
        let kept = try await notice(in: server)
        let recording = Task {
            // Ends with the cancellation.
            try? await Task.sleep(for: .seconds(600))
            try await tried.recordResult { try $0.clientNotices.remove(kept) }
        }
        recording.cancel()
        try await recording.value
        #expect(try await server.notices() == [])
    }

    @Test func `counts an attempt before it is made, so that no notice ends its node more often than that`()
        async throws
    {
        _ = try await notice(in: server)
        let base = server.delivery(over: ScriptedTransport([:]))
        let queue = DyingQueue(
            base: base, count: { try $0.clientNotices.due(at: .distantFuture, limit: 1).first?.attempts })
        for _ in 0..<20 {
            try await queue.deliver()
            server.clock.advance(by: .seconds(3600))
        }
        #expect(queue.counted.withLockedValue { $0 } == Array(1...NoticeDelivery.delays.count))
        #expect(try await server.notices() == [], "and after the last one it is given up")
        #expect(try await server.audited(.logoutNotDelivered).count == 1)
    }

    @Test(.server) func `counts an attempt at a message before it is made as well`() async throws {
        let now = server.clock.date
        let device = Delivery(
            id: Delivery.ID("webhook"),
            .webhook(
                CustomerSiteID(rawValue: "7c8f0a52-0d55-4a3a-9d53-000000000001"),
                AuthenticationRequest.ID("request")),
            made: now,
            expires: now + DeliveryTimes.webhookLifetime
        )
        try await server.change { try $0.deliveries.insert(device) }
        let base = server.server.deliveries(over: ScriptedTransport([:]))
        let queue = DyingQueue(base: base, count: { try $0.deliveries.find(device.id)?.attempts })
        for _ in 0..<20 {
            try await queue.deliver()
            server.clock.advance(by: .seconds(1500))
        }
        #expect(queue.counted.withLockedValue { $0 } == Array(1...DeliveryTimes.webhookDelays.count))
        let kept = try #require(try await server.store.read { try $0.deliveries.find(device.id) })
        #expect(!kept.isWaiting, "and after the last one it is given up")
    }
}
