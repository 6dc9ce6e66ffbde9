#if PostgreSQL
import Countersign
import CountersignServer
import Foundation
import NIOConcurrencyHelpers
import PostgresUnderTest
import Testing

@testable import CountersignPostgres

@Suite("A store whose server goes away", .enabled(if: PostgresCases.areRun, Comment(rawValue: PostgresCases.need)))
struct LostServerTests {
    /// For whatever a busy machine takes.
    private let patient = Timeouts(
        caller: .seconds(86_400), commit: .seconds(86_400), commitOutcome: .seconds(86_400))

    @Test func `loses no answered change when the server crashes under load, and does half of none`() async throws {
        try await PrivateCluster.run { cluster in
            let store = try PostgresStore.open(cluster.url, timeouts: patient)
            let load = Load(on: store)
            for _ in 0..<3 {
                try await load.answered(100)
                try await cluster.stop()
                try await cluster.resume()
            }
            try await load.answered(100)
            let outcomes = await load.end()

            for (name, outcome) in outcomes {
                let halves = [try await store.has("\(name) 1"), try await store.has("\(name) 2")]
                #expect(halves[0] == halves[1])
                switch outcome {
                case .made: #expect(halves[0], "\(name)")
                case .notMade: #expect(!halves[0], "\(name)")
                case .unknown: break
                }
            }
            await store.close()
        }
    }

    @Test func `makes every connection anew that is ended, and nobody notices`() async throws {
        try await PrivateCluster.run { cluster in
            let store = try PostgresStore.open(cluster.url, timeouts: patient)
            let load = Load(on: store)
            for role in ["reader", "writer", "writer", "reader", "writer"] {
                try await load.answered(50)
                try PostgresStore.end(role, at: cluster.url)
            }
            try await load.answered(50)
            let outcomes = await load.end()
            #expect(outcomes.values.allSatisfy { $0 == .made })
            await store.close()
        }
    }

    @Test func `tells its observers that it hears nothing, and when it hears again`() async throws {
        try await PrivateCluster.run { cluster in
            let (one, other) = (try PostgresStore.open(cluster.url), try PostgresStore.open(cluster.url))
            let observed = ObservedChanges(of: one)
            try PostgresStore.end("listener", at: cluster.url)
            #expect(try await observed.next() == .notificationsLost)
            #expect(try await observed.next() == .anything)
            _ = try await other.change { try $0.clients.remove(ClientID("tv")) }
            #expect(try await observed.next() == .client(ClientID("tv")))

            try await cluster.stop()
            #expect(try await observed.next() == .notificationsLost)
            try await cluster.resume()
            #expect(try await observed.next() == .anything)
            await one.close()
            await other.close()
        }
    }

    @Test func `says so within its timeout, to its observers too, and works again when the server does`()
        async throws
    {
        try await PrivateCluster.run { cluster in
            let store = try PostgresStore.open(
                cluster.url,
                timeouts: Timeouts(caller: .milliseconds(300), commitOutcome: .milliseconds(300))
            )
            // Whatever has to succeed is done by a patient one.
            let other = try PostgresStore.open(cluster.url, timeouts: patient)
            try await other.add("before")
            try await cluster.stop()
            for _ in 0..<3 {
                await #expect(throws: StoreUnavailableError(.notDone, reason: "")) { try await store.add("during") }
                await #expect(throws: StoreUnavailableError(.notDone, reason: "")) { try await store.has("before") }
            }
            let observed = ObservedChanges(of: store)
            #expect(try await observed.next() == .notificationsLost)

            try await cluster.resume()
            #expect(try await observed.next() == .anything)
            var looks = 0
            while (try? await store.has("before")) != true, looks < 200 { looks += 1 }
            #expect(looks < 200)
            try await other.add("after")
            #expect(try await other.has("during") == false)
            await store.close()
            await other.close()
        }
    }
}

/// Changes that are made without a pause, each of two rows, with what their callers were told.
private final class Load: Sendable {
    enum Outcome { case made, notMade, unknown }

    private let outcomes = NIOLockedValueBox<[String: Outcome]>([:])
    /// Not cancelled but told to stop, so that no outcome is that of a cancelled task.
    private let mustStop = NIOLockedValueBox(false)
    private let task: Task<Void, Never>

    init(on store: PostgresStore) {
        task = Task { [outcomes, mustStop] in
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<16 {
                    group.addTask {
                        var number = 0
                        while !mustStop.withLockedValue({ $0 }) {
                            let name = "\(worker) \(number)"
                            let outcome = await Self.add(name, to: store)
                            outcomes.withLockedValue { $0[name] = outcome }
                            number += 1
                        }
                    }
                }
            }
        }
    }

    /// Waits until so many more were answered.
    func answered(_ count: Int) async throws {
        let made = { self.outcomes.withLockedValue { $0.values.count { $0 == .made } } }
        let goal = made() + count
        while made() < goal { try await Task.sleep(for: .milliseconds(5)) }
    }

    func end() async -> [String: Outcome] {
        mustStop.withLockedValue { $0 = true }
        await task.value
        return outcomes.withLockedValue { $0 }
    }

    private static func add(_ name: String, to store: PostgresStore) async -> Outcome {
        let (first, second) = (token("\(name) 1"), token("\(name) 2"))
        do {
            try await store.change {
                try $0.accessTokens.insert(first)
                try $0.accessTokens.insert(second)
            }
            // Whoever was answered sees it, if they can see anything.
            return (try? await store.has("\(name) 1")) == false ? .notMade : .made
        } catch let error as StoreUnavailableError where error.code == .outcomeUnknown {
            return .unknown
        } catch {
            return .notMade
        }
    }
}

extension PostgresStore {
    /// Ends the connections of one role, as an operator may.
    fileprivate static func end(_ role: String, at url: String) throws {
        try run(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE application_name = 'countersign \(role)' AND pid <> pg_backend_pid()
            """,
            at: url
        )
    }
}
#endif
