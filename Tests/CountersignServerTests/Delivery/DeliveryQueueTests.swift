import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import Logging
import ServiceLifecycle
import Testing

@testable import CountersignServer

/// A queue of notices, of which some fail in ways that nobody expects.
private struct FailingQueue: DeliveryQueue {
    static let subject = "test notices"
    let store: any Store
    let clock: TimeSource
    let logger: Logger
    let failing: @Sendable (ClientNotice) -> Bool

    func due(at now: Date, limit: Int, in repositories: any Repositories) throws -> [ClientNotice] {
        try repositories.clientNotices.due(at: now, limit: limit)
    }

    func next(after notice: ClientNotice, at now: Date) -> Date? { now + 30 }

    func update(_ notice: ClientNotice, in repositories: any Repositories) throws {
        try repositories.clientNotices.update(notice)
    }

    func giveUp(_ notice: ClientNotice, at now: Date, in repositories: any Repositories) throws {}

    func deliver(_ notice: ClientNotice) async throws {
        if failing(notice) { throw StoreUnavailable(.notDone, reason: "out of reach for a moment") }
        // Long enough for the others to have failed.
        try await Task.sleep(for: .milliseconds(100))
        _ = try await store.change { try $0.clientNotices.remove(notice) }
    }
}

@Suite("A queue of deliveries")
struct DeliveryQueueTests {
    private func session(_ number: Int) -> SessionID { SessionID(rawValue: "\(number)") }

    @Test func `goes on with the others when one of them fails, which is tried again`() async throws {
        try await TestServer.openWithApps { server in
            let now = server.clock.date
            try await server.change { repositories in
                for number in 0..<40 {
                    try repositories.clientNotices.keep(
                        ClientNotice(
                            .sessionEnded(session(number)), client: TestApps.shop.id, subject: TestPerson.anna.subject,
                            occurred: now, due: now))
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
    }
}
