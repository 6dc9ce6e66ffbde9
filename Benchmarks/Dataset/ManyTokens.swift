internal import Countersign
internal import CountersignSQL
internal import CountersignSQLite
internal import Foundation
internal import GRDB
internal import NIOConcurrencyHelpers

/// Inserts millions of access tokens directly into an SQLite database, in the order of their digests.
///
/// Through the store it would take many minutes.
enum ManyTokens {
    static func add(_ count: Int, to directory: URL, issuer: String) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            database.add(
                function: DatabaseFunction("token_digest", argumentCount: 1, pure: true) { values in
                    guard let number = Int.fromDatabaseValue(values[0]) else { return nil }
                    return Data(Dataset.accessToken(number).digest.bytes)
                }
            )
            // The digests come in their order; of those with the same number each later one takes the next.
            let last = NIOLockedValueBox(-1)
            database.add(
                function: DatabaseFunction("next_number", argumentCount: 1) { values in
                    guard let digest = Data.fromDatabaseValue(values[0]) else { return nil }
                    let number = RowNumber(of: SecretDigest(restoring: Array(digest))).rawValue
                    return last.withLockedValue { last in
                        last = max(number, last + 1)
                        return last
                    }
                }
            )
            try database.execute(sql: "PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA temp_store = FILE")
        }
        let path = directory.appendingPathComponent(SQLiteStore.fileName).path
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let now = Date.now.timeIntervalSinceReferenceDate
        let indexes = try queue.read {
            try Row.fetchAll(
                $0,
                sql:
                    "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'access_tokens' AND sql IS NOT NULL"
            ).map { ($0["name"] as String, $0["sql"] as String) }
        }
        try queue.write { database in
            for (name, _) in indexes { try database.execute(sql: "DROP INDEX \(name)") }
            try database.execute(
                sql: """
                    WITH RECURSIVE numbers(n) AS (SELECT ? UNION ALL SELECT n + 1 FROM numbers WHERE n < ?),
                    tokens AS MATERIALIZED (SELECT n, token_digest(n) AS token FROM numbers ORDER BY 2)
                    INSERT INTO access_tokens
                        (number, token, id, client, subject, grant_id, scope, audience, issued, expires)
                    SELECT next_number(token), token, 'token-' || n, ?, 'person-' || (n % ?), '0-grant-of-token-' || n,
                        'openid profile', ?, ?, ? FROM tokens
                    """,
                arguments: [
                    Dataset.accessTokens + 1, count, Dataset.screen.rawValue, Dataset.people, issuer, now, now + 86_400,
                ]
            )
            for (_, sql) in indexes { try database.execute(sql: sql) }
        }
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try queue.close()
    }
}
