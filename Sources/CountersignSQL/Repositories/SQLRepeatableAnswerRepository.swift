internal import Countersign
internal import CountersignStorage

/// The table `repeatable_answers`. It is separate from tokens because most of its rows live for an hour, and tokens for
/// days.
struct SQLRepeatableAnswerRepository: RepeatableAnswerRepository, SQLTable, SQLExpiringTable {
    static let table: SQLText = "repeatable_answers"
    static let columns: SQLColumns = ["grant_id", "deadline", "credential", "answer", "answered", "ends"]
    static let usual = SQLStatements(of: Self.self, key: ["grant_id"])
    static let sweeping = sweep(by: "ends")

    let connection: any SQLConnection

    static func values(of answer: RepeatableAnswer) -> [SQLValue?] {
        let deadline: SQLValue? =
            switch answer.kind {
            case .refreshToken: nil
            case .code(let deadline): deadline.column
            }
        return [
            answer.grant.column, deadline, answer.credential.column, answer.answer.bytes.column,
            answer.answered.column, answer.ends.column,
        ]
    }

    static func record(in row: SQLRow) throws -> RepeatableAnswer {
        try RepeatableAnswer(
            grant: row[0], kind: row.isNull(1) ? .refreshToken : .code(deadline: row[1]), credential: row[2],
            answer: SealedAnswer(restoring: row[3]), answered: row[4], ends: row[5])
    }

    func find(_ grant: Grant.ID) throws -> RepeatableAnswer? { try first(Self.usual.find, grant.column) }
    func remove(_ grant: Grant.ID) throws { try write(Self.usual.remove, grant.column) }
}
