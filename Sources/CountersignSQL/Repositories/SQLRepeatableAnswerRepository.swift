internal import Countersign
internal import CountersignServer
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `repeatable_answers`. It is separate from tokens because most of its rows live for an hour, and tokens for
/// days.
struct SQLRepeatableAnswerRepository: RepeatableAnswerRepository {
    private static let keeping = SQLStatement.upsert(
        into: "repeatable_answers",
        ["grant_id", "deadline", "credential", "answer", "answered", "ends"],
        key: ["grant_id"]
    )
    private static let byGrant: SQLStatement =
        "SELECT deadline, credential, answer, answered, ends FROM repeatable_answers WHERE grant_id = ?"
    private static let removing: SQLStatement = "DELETE FROM repeatable_answers WHERE grant_id = ?"
    private static let sweeping = SQLStatement.sweep("repeatable_answers", by: "ends")

    let connection: any SQLConnection

    func keep(_ answer: RepeatableAnswer) throws {
        let deadline: Date? =
            switch answer.kind {
            case .refreshToken: nil
            case .code(let deadline): deadline
            }
        try connection.write(
            Self.keeping,
            [
                answer.grant.column, deadline?.column, answer.credential.column, answer.answer.bytes.column,
                answer.answered.column, answer.ends.column,
            ]
        )
    }

    func find(_ grant: Grant.ID) throws -> RepeatableAnswer? {
        try connection.first(Self.byGrant, [grant.column]) { row in
            RepeatableAnswer(
                grant: grant,
                kind: row.optionalInstant(0).map { .code(deadline: $0) } ?? .refreshToken,
                credential: try row.digest(1),
                answer: SealedAnswer(restoring: try row.bytes(2)),
                answered: try row.instant(3),
                ends: try row.instant(4)
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
