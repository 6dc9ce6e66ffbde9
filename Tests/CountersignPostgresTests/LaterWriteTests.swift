#if PostgreSQL
import Countersign
import CountersignServer
import NIOConcurrencyHelpers
import PostgresUnderTest
import Testing

@testable import CountersignPostgres

/// Writes are sent with the next look-up or at the end of their batch; nobody who uses the store can tell.
@Suite("What a change writes later", .enabled(if: PostgresCases.areRun, Comment(rawValue: PostgresCases.need)))
struct LaterWriteTests {
    @Test func `is seen by the look-ups of the same change`() async throws {
        try await TestSchema.withStore { store, _ in
            let record = token("token")
            let found = try await store.change { repositories in
                try repositories.accessTokens.insert(record)
                let inserted = try repositories.accessTokens.find(record.token)
                try repositories.accessTokens.remove(record.token)
                return (inserted, try repositories.accessTokens.find(record.token))
            }
            #expect(found.0 == record)
            #expect(found.1 == nil)
        }
    }

    @Test(arguments: [1, 40])
    func `is refused with the error of the change that wrote it`(neighbours: Int) async throws {
        try await TestSchema.withStore { store, _ in
            try await store.add("taken")
            async let others: [Void] = all(neighbours) { try await store.add("neighbour \($0)") }
            await #expect(throws: StoreError.alreadyExists) { try await store.add("taken") }
            #expect(try await others.count == neighbours)
            for number in 0..<neighbours { #expect(try await store.has("neighbour \(number)")) }
        }
    }

    @Test func `is refused where the change catches it, and the change goes on`() async throws {
        try await TestSchema.withStore { store, _ in
            try await store.add("taken")
            let (taken, other) = (token("taken"), token("other"))
            let wasRefused = try await store.change { repositories in
                do {
                    try repositories.accessTokens.insert(taken)
                    return false
                } catch StoreError.alreadyExists {
                    try repositories.accessTokens.insert(other)
                    return true
                }
            }
            #expect(wasRefused)
            #expect(try await store.has("other"))
        }
    }

    @Test func `is undone when the change throws afterwards`() async throws {
        try await TestSchema.withStore { store, _ in
            async let others: [Void] = all(40) { try await store.add("neighbour \($0)") }
            await #expect(throws: Interrupted.self) { try await store.addAndThrow("undone") }
            let count = try await others.count
            #expect(count == 40)
            #expect(try await store.has("undone") == false)
        }
    }
}

/// Rows that were fetched ahead are those that a look-up would find.
@Suite("A row that a change prefetched", .enabled(if: PostgresCases.areRun, Comment(rawValue: PostgresCases.need)))
struct PrefetchedRowTests {
    @Test func `is found as it is, and as the change has made it`() async throws {
        try await TestSchema.withStore { store, _ in
            let (anna, other) = (person("anna"), person("berta"))
            try await store.change { try $0.people.insert(anna) }
            let found = try await store.change(prefetching: [.person(anna.subject), .person(other.subject)]) {
                repositories in
                let before = try repositories.people.find(anna.subject)
                let absent = try repositories.people.find(other.subject)
                var changed = anna
                changed.name = "Anna B."
                try repositories.people.update(changed)
                try repositories.people.insert(other)
                return (
                    before, absent, try repositories.people.find(anna.subject)?.name,
                    try repositories.people.find(other.subject)
                )
            }
            #expect(found.0 == anna)
            #expect(found.1 == nil)
            #expect(found.2 == "Anna B.")
            #expect(found.3 == other)
        }
    }

    @Test func `is found as earlier changes of its batch have made it`() async throws {
        try await TestSchema.withStore { store, _ in
            let anna = person("anna")
            try await store.change { try $0.people.insert(anna) }
            // Each adds a letter to what the one before it wrote; none is lost, however they share batches.
            _ = try await all(60) { _ in
                try await store.change(prefetching: [.person(anna.subject)]) { repositories in
                    var found = try #require(try repositories.people.find(anna.subject))
                    found.name += "x"
                    try repositories.people.update(found)
                }
            }
            let name = try await store.read(prefetching: [.person(anna.subject)]) {
                try $0.people.find(anna.subject)?.name
            }
            #expect(name == anna.name + String(repeating: "x", count: 60))
        }
    }

    @Test func `is an error at once where the database refuses to look it up`() async throws {
        try await TestSchema.withStore { store, schema in
            try PostgresStore.run("DROP TABLE people", at: schema.url)
            await #expect(throws: PostgresError.self) {
                _ = try await store.read(prefetching: [.person(Subject("anna"))]) {
                    try $0.people.find(Subject("anna"))
                }
            }
            // Others are answered as before.
            #expect(try await store.has("anything") == false)
        }
    }

    @Test func `is fetched for many look-ups at once, and each gets its own`() async throws {
        try await TestSchema.withStore { store, _ in
            let people = (0..<50).map { person("person \($0)") }
            for person in people { try await store.change { try $0.people.insert(person) } }
            let found = try await all(50) { number in
                try await store.read(prefetching: [.person(people[number].subject)]) {
                    try $0.people.find(people[number].subject)
                }
            }
            #expect(found.compactMap(\.self).count == 50)
            #expect(Set(found.compactMap { $0?.subject }) == Set(people.map(\.subject)))
        }
    }
}

private struct Interrupted: Error {}

extension Store {
    fileprivate func addAndThrow(_ name: String) async throws {
        let record = token(name)
        try await change { (repositories: any Repositories) throws -> Void in
            try repositories.accessTokens.insert(record)
            throw Interrupted()
        }
    }
}

private func person(_ name: String) -> Person {
    Person(
        subject: Subject("subject of \(name)"),
        username: Username(name.replacing(" ", with: "-")),
        name: name,
        password: nil,
        created: noon
    )
}
#endif
