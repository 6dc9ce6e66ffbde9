internal import Countersign
internal import CountersignStorage
internal import FoundationEssentialsCompat

/// The table `person_codes`.
struct SQLPersonCodeRepository: PersonCodeRepository, SQLTable, SQLExpiringTable {
    static let table: SQLText = "person_codes"
    static let columns: SQLColumns = ["digest", "subject", "approver_id", "sealed", "expires", "request_id"]
    static let usual = SQLStatements(of: Self.self, key: ["subject"])
    private static let byDigest = selection("digest = ?")
    private static let updating = update(["request_id"], where: "digest = ?")
    private static let removingOfHolder = removal("subject = ? AND approver_id = ?")
    static let sweeping = sweep(by: "expires")

    let connection: any SQLConnection

    static func values(of code: PersonCodeRecord) -> [SQLValue?] {
        [
            code.digest.column, code.holder.subject.column, code.holder.id.column, code.sealed.column,
            code.expires.column, code.request?.column,
        ]
    }

    static func record(in row: SQLRow) throws -> PersonCodeRecord {
        try PersonCodeRecord(
            digest: row[0], holder: ApproverIdentity(subject: row[1], id: row[2]), sealed: row[3], expires: row[4],
            request: row[5])
    }

    func insert(_ code: PersonCodeRecord) throws {
        try removeAll(of: code.holder.subject)
        try insertRow(code)
    }

    func find(_ digest: SecretDigest) throws -> PersonCodeRecord? { try first(Self.byDigest, digest.column) }

    func find(of subject: Subject) throws -> PersonCodeRecord? { try first(Self.usual.find, subject.column) }

    func update(_ code: PersonCodeRecord) throws {
        try write(Self.updating, code.request?.column, code.digest.column)
    }

    func removeAll(of subject: Subject) throws { try write(Self.usual.remove, subject.column) }

    func remove(shownBy holder: ApproverIdentity) throws {
        try write(Self.removingOfHolder, holder.subject.column, holder.id.column)
    }
}
