internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// The table `nearby_looks`.
struct SQLNearbyLookRepository: NearbyLookRepository {
    private static let columns: SQLColumns = [
        "nonce", "request_id", "subject", "grant_id", "shown", "expires", "decision_type",
    ]
    private static let inserting = SQLStatement.insert(into: "nearby_looks", columns)
    private static let byNonce: SQLStatement = "SELECT \(columns.names) FROM nearby_looks WHERE nonce = ?"
    private static let removingOfRequest: SQLStatement = "DELETE FROM nearby_looks WHERE request_id = ?"
    private static let sweeping = SQLStatement.sweep("nearby_looks", by: "expires")

    let connection: any SQLConnection

    func insert(_ look: NearbyLook) throws {
        try connection.insert(
            Self.inserting,
            [
                look.nonce.column, look.request.column, look.subject.column, look.signIn.column,
                look.shown.bytes.column, look.expires.column, look.decisionType.column,
            ]
        )
    }

    func find(_ nonce: SecretDigest) throws -> NearbyLook? {
        try connection.first(Self.byNonce, [nonce.column]) { row in
            NearbyLook(
                decisionType: try row.text(6),
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

/// The table `nearby_decisions`.
struct SQLNearbyDecisionRepository: NearbyDecisionRepository {
    private static let columns: SQLColumns = [
        "request_id", "subject", "grant_id", "approver_key", "decided", "signed",
    ]
    private static let inserting = SQLStatement.insert(into: "nearby_decisions", columns)
    private static let byRequest: SQLStatement = "SELECT \(columns.names) FROM nearby_decisions WHERE request_id = ?"
    private static let sweeping = SQLStatement.sweep("nearby_decisions", by: "decided")

    let connection: any SQLConnection

    func insert(_ decision: NearbyDecisionRecord) throws {
        try connection.insert(
            Self.inserting,
            [
                decision.request.column, decision.subject.column, decision.signIn.column,
                decision.key.rawRepresentation.column, decision.decided.column, decision.signed.column,
            ]
        )
    }

    func find(_ request: SignInRequest.ID) throws -> NearbyDecisionRecord? {
        try connection.first(Self.byRequest, [request.column]) { row in
            NearbyDecisionRecord(
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
