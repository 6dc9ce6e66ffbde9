internal import Countersign
internal import CountersignServer
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `consents`.
struct SQLConsentRepository: ConsentRepository {
    private static let columns: SQLColumns = ["subject", "client", "scope", "given"]
    private static let keeping = SQLStatement.upsert(into: "consents", columns, key: ["subject", "client"])
    private static let one: SQLStatement =
        "SELECT \(columns.names) FROM consents WHERE subject = ? AND client = ?"
    private static let ofSubject: SQLStatement = """
        SELECT \(columns.names) FROM consents WHERE subject = ? ORDER BY given DESC, client LIMIT 1000
        """
    private static let removing: SQLStatement = "DELETE FROM consents WHERE subject = ? AND client = ?"
    private static let removingOfSubject: SQLStatement = "DELETE FROM consents WHERE subject = ?"
    private static let removingOfClient: SQLStatement = "DELETE FROM consents WHERE client = ?"

    let connection: any SQLConnection

    func keep(_ consent: Consent) throws {
        try connection.write(
            Self.keeping,
            [consent.subject.column, consent.client.column, consent.scope.column, consent.given.column]
        )
    }

    func find(_ subject: Subject, _ client: ClientID) throws -> Consent? {
        try connection.first(Self.one, [subject.column, client.column], consent)
    }

    func all(of subject: Subject) throws -> [Consent] {
        try connection.all(Self.ofSubject, [subject.column], consent)
    }

    func remove(_ subject: Subject, _ client: ClientID) throws -> Bool {
        try connection.change(Self.removing, [subject.column, client.column]) > 0
    }

    func removeAll(of subject: Subject) throws {
        try connection.write(Self.removingOfSubject, [subject.column])
    }

    func removeAll(of client: ClientID) throws {
        try connection.write(Self.removingOfClient, [client.column])
    }

    private func consent(in row: SQLRow) throws -> Consent {
        Consent(
            subject: try row.identifier(0),
            client: try row.identifier(1),
            scope: try row.scope(2),
            given: try row.instant(3)
        )
    }
}

/// The table `pushed_requests`.
struct SQLPushedRequestRepository: PushedRequestRepository {
    private static let columns: SQLColumns = ["reference", "client", "parameters", "expires"]
    private static let inserting = SQLStatement.insert(into: "pushed_requests", columns)
    private static let byReference: SQLStatement =
        "SELECT \(columns.names) FROM pushed_requests WHERE reference = ?"
    private static let removing: SQLStatement = "DELETE FROM pushed_requests WHERE reference = ?"
    private static let removingOfClient: SQLStatement = "DELETE FROM pushed_requests WHERE client = ?"
    private static let sweeping = SQLStatement.sweep("pushed_requests", by: "expires")

    let connection: any SQLConnection

    func insert(_ request: PushedRequest) throws {
        try connection.insert(
            Self.inserting,
            [
                request.reference.column, request.client.column, request.parameters.column, request.expires.column,
            ]
        )
    }

    func find(_ reference: SecretDigest) throws -> PushedRequest? {
        try connection.first(Self.byReference, [reference.column]) { row in
            PushedRequest(
                reference: try row.digest(0),
                client: try row.identifier(1),
                parameters: try row.text(2),
                expires: try row.instant(3)
            )
        }
    }

    func remove(_ reference: SecretDigest) throws -> Bool {
        try connection.change(Self.removing, [reference.column]) > 0
    }

    func removeAll(of client: ClientID) throws {
        try connection.write(Self.removingOfClient, [client.column])
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(Self.sweeping, [instant.column, limit.column])
    }
}
