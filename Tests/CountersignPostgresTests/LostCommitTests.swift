#if PostgreSQL
import Countersign
import CountersignServer
import Foundation
import NIOConcurrencyHelpers
import PostgresUnderTest
import Testing

@testable import CountersignPostgres

@Suite("A commit whose connection is lost", .enabled(if: PostgresCases.areRun, Comment(rawValue: PostgresCases.need)))
struct LostCommitTests {
    @Test func `before it reached the server is made again`() async throws {
        try await CuttingProxy.withStore(timeouts: Self.patient) { store, proxy in
            let runs = NIOLockedValueBox(0)
            proxy.become(.cuttingTheCommit(then: .open))
            try await store.addCounting("token", runs)
            let exists = try await store.has("token")
            #expect(exists)
            #expect(runs.withLockedValue { $0 } == 2)
        }
    }

    @Test func `after it counted is answered, and not made again`() async throws {
        try await CuttingProxy.withStore(timeouts: Self.patient) { store, proxy in
            let runs = NIOLockedValueBox(0)
            proxy.become(.cuttingTheAnswer(then: .open))
            try await store.addCounting("token", runs)
            let exists = try await store.has("token")
            #expect(exists)
            #expect(runs.withLockedValue { $0 } == 1)
        }
    }

    @Test func `is told as one of which nothing is known, when the database stays away`() async throws {
        try await CuttingProxy.withStore(timeouts: impatient) { store, proxy in
            let runs = NIOLockedValueBox(0)
            proxy.become(.cuttingTheAnswer(then: .closed))
            await #expect(throws: StoreUnavailableError(.outcomeUnknown, reason: "")) {
                try await store.addCounting("token", runs)
            }
            proxy.become(.open)
            // In truth it was made.
            let exists = try await store.has("token")
            #expect(exists)
        }
    }

    @Test func `is not told as made when it was not`() async throws {
        try await CuttingProxy.withStore(timeouts: impatient) { store, proxy in
            let runs = NIOLockedValueBox(0)
            proxy.become(.cuttingTheCommit(then: .closed))
            await #expect(throws: StoreUnavailableError.self) { try await store.addCounting("token", runs) }
            proxy.become(.open)
            let exists = try await store.has("token")
            #expect(!exists)
        }
    }

    /// Gives up soon on a commit whose outcome is not known, and on nothing else.
    private let impatient = Timeouts(
        caller: Self.patient.caller, commit: Self.patient.commit, commitOutcome: .milliseconds(700))
    /// Never gives up, however slow the machine is.
    private static let patient = Timeouts(
        caller: .seconds(86_400), commit: .seconds(86_400), commitOutcome: .seconds(86_400))
}

extension Store {
    /// Adds a token, and counts how often the change runs.
    fileprivate func addCounting(_ name: String, _ runs: NIOLockedValueBox<Int>) async throws {
        let record = token(name)
        try await change {
            runs.withLockedValue { $0 += 1 }
            try $0.accessTokens.insert(record)
        }
    }
}
#endif
