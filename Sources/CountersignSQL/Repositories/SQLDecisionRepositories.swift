internal import Countersign
internal import CountersignStorage
internal import CountersignWire

/// The table `decision_nonces`.
struct SQLDecisionNonceRepository: DecisionNonceRepository, SQLTable, SQLExpiringTable {
    static let table: SQLText = "decision_nonces"
    static let columns: SQLColumns = [
        "nonce", "request_id", "subject", "grant_id", "shown", "expires", "decision_type",
    ]
    static let usual = SQLStatements(of: Self.self, key: ["nonce"])
    private static let removingOfRequest = removal("request_id = ?")
    static let sweeping = sweep(by: "expires")

    let connection: any SQLConnection

    static func values(of record: DecisionNonceRecord) -> [SQLValue?] {
        [
            record.nonce.column, record.request.column, record.subject.column, record.signIn.column,
            record.shown.bytes.column, record.expires.column, record.method.rawValue.column,
        ]
    }

    static func record(in row: SQLRow) throws -> DecisionNonceRecord {
        try DecisionNonceRecord(
            method: row[6], nonce: row[0], request: row[1], subject: row[2], signIn: row[3],
            shown: AnswerDigest(restoring: row[4]), expires: row[5])
    }

    func find(_ nonce: SecretDigest) throws -> DecisionNonceRecord? { try first(Self.usual.find, nonce.column) }
    func removeAll(of request: SignInRequest.ID) throws { try write(Self.removingOfRequest, request.column) }
}

/// The table `signed_decisions`.
struct SQLSignedDecisionRepository: SignedDecisionRepository, SQLTable, SQLExpiringTable {
    static let table: SQLText = "signed_decisions"
    static let columns: SQLColumns = ["request_id", "subject", "grant_id", "approver_key", "decided", "signed"]
    static let usual = SQLStatements(of: Self.self, key: ["request_id"])
    static let sweeping = sweep(by: "decided")

    let connection: any SQLConnection

    static func values(of decision: SignedDecisionRecord) -> [SQLValue?] {
        [
            decision.request.column, decision.subject.column, decision.signIn.column,
            decision.key.rawRepresentation.column, decision.decided.column, decision.signed.column,
        ]
    }

    static func record(in row: SQLRow) throws -> SignedDecisionRecord {
        try SignedDecisionRecord(
            request: row[0], subject: row[1], signIn: row[2], key: ApproverKey(restoring: row[3]), decided: row[4],
            signed: row[5])
    }

    func find(_ request: SignInRequest.ID) throws -> SignedDecisionRecord? {
        try first(Self.usual.find, request.column)
    }
}
