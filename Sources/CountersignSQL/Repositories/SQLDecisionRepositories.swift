internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `decision_nonces`.
struct SQLDecisionNonceRepository: DecisionNonceRepository {
    private static let columns: SQLColumns = [
        "nonce", "request_id", "subject", "grant_id", "shown", "expires", "method",
    ]
    private static let inserting = SQLStatement.insert(into: "decision_nonces", columns)
    private static let byNonce: SQLStatement = "SELECT \(columns.names) FROM decision_nonces WHERE nonce = ?"
    private static let removingOfRequest: SQLStatement = "DELETE FROM decision_nonces WHERE request_id = ?"
    private static let sweeping = SQLStatement.sweep("decision_nonces", by: "expires")

    let connection: any SQLConnection

    func insert(_ record: DecisionNonceRecord) throws {
        try connection.insert(
            Self.inserting,
            [
                record.nonce.column, record.request.column, record.subject.column, record.signIn.column,
                record.shown.bytes.column, record.expires.column, record.method.rawValue.column,
            ]
        )
    }

    func find(_ nonce: SecretDigest) throws -> DecisionNonceRecord? {
        try connection.first(Self.byNonce, [nonce.column]) { row in
            guard let method = ApprovalMethod(rawValue: try row.text(6)) else {
                throw UnreadableRow(column: "method of a nonce")
            }
            return DecisionNonceRecord(
                method: method,
                nonce: nonce,
                request: try row.identifier(1),
                subject: try row.identifier(2),
                signIn: try row.identifier(3),
                shown: ShownDigest(restoring: try row.bytes(4)),
                expires: try row.instant(5)
            )
        }
    }

    func removeAll(of request: SignInRequest.ID) throws {
        try connection.write(Self.removingOfRequest, [request.column])
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(Self.sweeping, [instant.column, limit.column])
    }
}

/// The table `signed_decisions`.
struct SQLSignedDecisionRepository: SignedDecisionRepository {
    private static let columns: SQLColumns = [
        "request_id", "subject", "grant_id", "approver_key", "decided", "signed",
    ]
    private static let inserting = SQLStatement.insert(into: "signed_decisions", columns)
    private static let byRequest: SQLStatement = "SELECT \(columns.names) FROM signed_decisions WHERE request_id = ?"
    private static let sweeping = SQLStatement.sweep("signed_decisions", by: "decided")

    let connection: any SQLConnection

    func insert(_ decision: SignedDecisionRecord) throws {
        try connection.insert(
            Self.inserting,
            [
                decision.request.column, decision.subject.column, decision.signIn.column,
                decision.key.rawRepresentation.column, decision.decided.column, decision.signed.column,
            ]
        )
    }

    func find(_ request: SignInRequest.ID) throws -> SignedDecisionRecord? {
        try connection.first(Self.byRequest, [request.column]) { row in
            SignedDecisionRecord(
                request: request,
                subject: try row.identifier(1),
                signIn: try row.identifier(2),
                key: ApproverKey(restoring: try row.bytes(3)),
                decided: try row.instant(4),
                signed: try row.text(5)
            )
        }
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(Self.sweeping, [instant.column, limit.column])
    }
}
