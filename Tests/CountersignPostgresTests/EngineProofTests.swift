#if PostgreSQL
import Countersign
import CountersignSQL
import CountersignServer
import Foundation
import PostgresUnderTest
import Testing

@testable import CountersignPostgres

@Suite("An engine", .enabled(if: PostgresCases.areRun, Comment(rawValue: PostgresCases.need)))
struct EngineProofTests {
    /// Functions that take what PostgreSQL's take and do nothing.
    private static let ignoring = """
        CREATE FUNCTION pg_advisory_xact_lock(integer, integer) RETURNS void LANGUAGE sql AS '';
        CREATE FUNCTION pg_try_advisory_xact_lock(integer, integer) RETURNS boolean LANGUAGE sql AS 'SELECT true';
        CREATE FUNCTION never_taken(integer, integer) RETURNS boolean LANGUAGE sql AS 'SELECT false';
        CREATE FUNCTION pg_notify(text, text) RETURNS void LANGUAGE sql AS '';
        CREATE FUNCTION txid_visible_in_snapshot(bigint, txid_snapshot) RETURNS boolean LANGUAGE sql AS 'SELECT true';
        CREATE FUNCTION never_visible(bigint, txid_snapshot) RETURNS boolean LANGUAGE sql AS 'SELECT false';
        CREATE FUNCTION now() RETURNS timestamptz LANGUAGE sql AS 'SELECT NULL::timestamptz';
        """

    @Test func `that does what the store relies on is used`() async throws {
        try await TestSchema.with { schema in
            let address = try DatabaseAddress(schema.url)
            let first = try PostgresConnection(to: address, as: .migrator)
            let second = try PostgresConnection(to: address, as: .listener)
            for _ in 0..<2 { try EngineProof().prove(on: first, and: second) }
            #expect(try PostgresInspection.of(schema.url).writeProblem == nil)
        }
    }

    @Test func `is proved by several servers at once`() async throws {
        try await TestSchema.with { schema in
            _ = try await all(8) { _ in
                let address = try DatabaseAddress(schema.url)
                try EngineProof().prove(
                    on: try PostgresConnection(to: address, as: .migrator),
                    and: try PostgresConnection(to: address, as: .listener))
            }
        }
    }

    @Test(arguments: [
        ("lock", EngineProof.ProofError.lockDoesNotExclude), ("try", .lockDoesNotExclude), ("wait", .lockDoesNotWait),
        ("release", .lockIsNotReleased),
        ("notify", .noNotification), ("visible", .unstableReads), ("invisible", .staleReads),
    ])
    func `that ignores what it accepts is refused by its name`(
        function: String,
        fault: EngineProof.ProofError
    ) async throws {
        try await TestSchema.with { schema in
            try PostgresStore.run(Self.ignoring, at: schema.url)
            let own = try #require(try PostgresStore.run("SELECT current_schema()", at: schema.url))
            var proof = EngineProof(mostWaits: 4)
            switch function {
            case "lock": proof.functions.lock = "\(own).pg_advisory_xact_lock"
            case "try": proof.functions.tryLock = "\(own).pg_try_advisory_xact_lock"
            case "release": proof.functions.tryLock = "\(own).never_taken"
            case "wait":
                proof.functions.tryLock = "\(own).never_taken"
                proof.functions.lock = "\(own).pg_advisory_xact_lock"
            case "notify": proof.functions.notify = "\(own).pg_notify"
            case "visible": proof.functions.isVisible = "\(own).txid_visible_in_snapshot"
            default: proof.functions.isVisible = "\(own).never_visible"
            }
            let address = try DatabaseAddress(schema.url)
            let first = try PostgresConnection(to: address, as: .migrator)
            let second = try PostgresConnection(to: address, as: .listener)
            let failure = #expect(throws: PostgresStoreOpeningError.self) { try proof.prove(on: first, and: second) }
            #expect(failure?.code == .unusable)
            #expect(failure?.reason.contains(fault.rawValue) == true, "\(failure?.reason ?? "")")
            #expect(failure?.description.contains("PostgreSQL ") == true, "\(failure?.description ?? "")")
        }
    }

    /// Shown from outside with twelve rounds of one initial access token on two nodes.
    @Test func `is not deceived by functions of another schema in the search path`() async throws {
        try await TestSchema.with { evil in
            let own = try TestSchema(at: TestSchema.shared ?? "")
            defer { try? own.remove() }
            try PostgresStore.run(Self.ignoring, at: evil.url)
            let names = try [own, evil].map {
                try #require(try PostgresStore.run("SELECT current_schema()", at: $0.url))
            }
            let url = own.url.replacing(names[0], with: "\(names[0]),\(names[1]),pg_catalog")
            let stores = try await all(2) { _ in try PostgresStore.open(url) }
            // The rows of each are in the schema that the path names first.
            try await stores[0].add("token")
            #expect(try await stores[1].has("token"))

            let writer = try PostgresConnection(to: DatabaseAddress(url), as: .migrator)
            try writer.command("BEGIN")
            try writer.command(WriterLock.taking)
            let other = try PostgresConnection(to: DatabaseAddress(url), as: .migrator)
            let again = WriterLock.taking.replacing("pg_advisory", with: "pg_try_advisory")
            #expect(try other.commandAnswer(again) == "f")
            #expect(try other.commandAnswer("SELECT pg_try_advisory_xact_lock(1, 2)") == "t")
            #expect(try other.commandAnswer("SELECT now() IS NULL") == "f")
            try writer.command("COMMIT")
            #expect(try other.commandAnswer(again) == "t")

            // One of two uses wins, however often they come together.
            for round in 0..<12 {
                let key = RateCounterKey(CounterName("once"), of: "\(round)")
                let firsts = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for store in stores {
                        group.addTask {
                            try await store.change { repositories in
                                guard try repositories.counts.find(key) == nil else { return false }
                                _ = try repositories.counts.add(1, to: key, lasting: 60, at: noon)
                                return true
                            }
                        }
                    }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(firsts == 1)
            }
            for store in stores { await store.close() }
        }
    }
}
#endif
