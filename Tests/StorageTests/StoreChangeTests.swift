import Countersign
import CountersignServer
import Foundation
import Testing

@Suite("A change")
struct StoreChangeTests {
    private struct Interrupted: Error {}

    @Test(arguments: StoreUnderTest.allCases)
    func `returns what its closure returns`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let number = try await store.change { _ in 42 }
            let text = try await store.read { _ in "text" }
            #expect(number == 42)
            #expect(text == "text")
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `that throws leaves nothing of any noun`(store: StoreUnderTest) async throws {
        try await store.run { store in
            await #expect(throws: Interrupted.self) {
                try await store.change { repositories in
                    try insertOneOfEach(in: repositories)
                    throw Interrupted()
                }
            }
            #expect(try await store.read(countOneOfEach) == 0)
            try await store.change(insertOneOfEach)
            #expect(try await store.read(countOneOfEach) == 8)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `sees what it did itself`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let count = try await store.change { repositories in
                try insertOneOfEach(in: repositories)
                return try countOneOfEach(in: repositories)
            }
            #expect(count == 8)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `may go on after a refusal`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { try $0.clients.insert(Fixtures.client("taken")) }
            let refusal = try await store.change { repositories -> StoreError? in
                do {
                    try repositories.clients.insert(Fixtures.client("taken"))
                    return nil
                } catch let refusal as StoreError {
                    try repositories.clients.insert(Fixtures.client("free"))
                    return refusal
                }
            }
            #expect(refusal == .alreadyExists)
            #expect(try await store.read { try $0.clients.find(ClientID("free")) } != nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `that throws takes none of those beside it along`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
                for number in 0..<300 {
                    group.addTask {
                        let outcome = await Result {
                            try await store.change { repositories in
                                try repositories.clients.insert(Fixtures.client("client \(number)"))
                                if number % 3 == 0 { throw Interrupted() }
                            }
                        }
                        return (number, (try? outcome.get()) != nil)
                    }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            let kept = try await store.read { Set(try $0.clients.all().map(\.id.rawValue)) }

            #expect(outcomes.filter(\.value).count == 200)
            for (number, succeeded) in outcomes {
                #expect(succeeded == (number % 3 != 0))
                #expect(kept.contains("client \(number)") == succeeded)
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of a task that was cancelled before does not run`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let cancelled = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await store.change { try $0.clients.insert(Fixtures.client("tv")) }
            }
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            let clients = try await store.read { try $0.clients.all() }
            #expect(clients == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `cannot be made while reading`(store: StoreUnderTest) async throws {
        try await store.run { store in
            await #expect(throws: (any Error).self) {
                try await store.read { try $0.clients.insert(Fixtures.client("tv")) }
            }
            let clients = try await store.read { try $0.clients.all() }
            #expect(clients == [])
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

/// Adds a record of every noun.
@Sendable private func insertOneOfEach(in repositories: any Repositories) throws {
    try repositories.exchanges.insert(Fixtures.exchange("one"))
    try repositories.clients.insert(Fixtures.client("one"))
    try repositories.people.insert(Fixtures.person("one"))
    try repositories.browserSessions.insert(Fixtures.session("one"))
    try repositories.signIns.insert(Fixtures.signIn("one"))
    try repositories.accessTokens.insert(Fixtures.accessToken("one"))
    try repositories.refreshTokens.insert(Fixtures.refreshToken("one"))
    try repositories.serverKeys.insert(Fixtures.serverKey("one"))
}

/// Counts those records.
@Sendable private func countOneOfEach(in repositories: any Repositories) throws -> Int {
    let found: [Any?] = [
        try repositories.exchanges.find(Fixtures.deviceCode("one")),
        try repositories.clients.find(ClientID("one")),
        try repositories.people.find(Subject("one")),
        try repositories.browserSessions.find(Fixtures.session("one").cookie),
        try repositories.signIns.find(Grant.ID("one")),
        try repositories.accessTokens.find(Fixtures.accessToken("one").token),
        try repositories.refreshTokens.find(Fixtures.refreshToken("one").family),
        try repositories.serverKeys.all().first,
    ]
    return found.count { $0 != nil }
}
