#if PostgreSQL
import Countersign
import CountersignServer
import Foundation
import PostgresUnderTest
import Testing

@testable import CountersignPostgres

/// The server waits for a standby that is away, and nothing that a client can set ends that.
@Suite("A commit that does not end", .enabled(if: PostgresCases.areRun, Comment(rawValue: PostgresCases.need)))
struct HungCommitTests {
    /// Long enough that a commit which does end is answered, however slow the machine is.
    private let timeouts = Timeouts(caller: .seconds(10), commit: .seconds(15))
    private let tv = ClientID("tv")

    @Test func `is answered as one of which nothing is known, and what comes after it is refused`() async throws {
        try await withHungStore { store, cluster in
            await #expect(throws: StoreUnavailableError(.notDone, reason: "")) { try await store.add("later") }
            #expect(store.oldestChangeAge > timeouts.commit)
            #expect(try await store.has("later") == false)

            // Its observers are told of it when it ends, and changes are made again.
            let observed = ObservedChanges(of: store)
            try cluster.awaitStandby(false)
            #expect(try await observed.next() == .client(tv))
            #expect(try await store.addAtLast("again"))
            #expect(try await store.has("again"))
            while store.oldestChangeAge > .zero { try await Task.sleep(for: .milliseconds(5)) }
            #expect(try await store.has("later") == false)
            await store.close()
        }
    }

    @Test func `does not keep the store from closing`() async throws {
        try await withHungStore { store, cluster in
            await store.close()
            await #expect(throws: StoreClosedError()) { try await store.add("late") }
            try cluster.awaitStandby(false)
        }
    }

    /// Runs `body` with a store whose writer waits for a commit after the caller was answered.
    private func withHungStore(_ body: (PostgresStore, PrivateCluster) async throws -> Void) async throws {
        try await PrivateCluster.run { cluster in
            let store = try PostgresStore.open(cluster.url, timeouts: timeouts)
            try cluster.awaitStandby(true)
            #expect(await hang(store).code == .outcomeUnknown)
            #expect(try PostgresStore.run(Self.hanging, at: cluster.url) == "1")
            try await body(store, cluster)
        }
    }

    /// Makes changes until one is not made: the server takes the setting a moment later.
    private func hang(_ store: PostgresStore) async -> StoreUnavailableError {
        while true {
            do {
                _ = try await store.change { [tv] in try $0.clients.remove(tv) }
            } catch let error as StoreUnavailableError {
                return error
            } catch {
                return StoreUnavailableError(.notDone, reason: "\(error)")
            }
        }
    }

    private static let hanging = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
}

extension PrivateCluster {
    /// Makes commits wait for a standby that there is not, or no longer.
    fileprivate func awaitStandby(_ waits: Bool) throws {
        try PostgresStore.run(
            waits
                ? "ALTER SYSTEM SET synchronous_standby_names = 'absent'"
                : "ALTER SYSTEM RESET synchronous_standby_names",
            at: url
        )
        try PostgresStore.run("SELECT pg_reload_conf()", at: url)
    }
}

extension Store {
    /// Adds a token, as soon as changes are made.
    fileprivate func addAtLast(_ name: String) async throws -> Bool {
        for _ in 0..<600 {
            do {
                try await add(name)
                return true
            } catch is StoreUnavailableError {
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        return false
    }
}
#endif
