internal import Countersign
internal import CountersignServer
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `repeatable_answers`. It is separate from tokens because its rows live for seconds, and tokens for days.
struct SQLRepeatableAnswerRepository: RepeatableAnswerRepository {
    private static let keeping = SQLStatement.upsert(
        into: "repeatable_answers",
        ["grant_id", "credential", "answer", "answered"],
        key: ["grant_id"]
    )
    private static let byGrant: SQLStatement =
        "SELECT credential, answer, answered FROM repeatable_answers WHERE grant_id = ?"
    private static let removing: SQLStatement = "DELETE FROM repeatable_answers WHERE grant_id = ?"
    private static let sweeping = SQLStatement.sweep("repeatable_answers", by: "answered")

    let connection: any SQLConnection

    func keep(_ answer: RepeatableAnswer) throws {
        try connection.write(
            Self.keeping,
            [answer.grant.column, answer.credential.column, answer.answer.bytes.column, answer.answered.column]
        )
    }

    func find(_ grant: Grant.ID) throws -> RepeatableAnswer? {
        try connection.first(Self.byGrant, [grant.column]) { row in
            RepeatableAnswer(
                grant: grant,
                credential: try row.digest(0),
                answer: SealedAnswer(restoring: try row.bytes(1)),
                answered: try row.instant(2)
            )
        }
    }

    func remove(_ grant: Grant.ID) throws {
        try connection.write(Self.removing, [grant.column])
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(Self.sweeping, [instant.column, limit.column])
    }
}
