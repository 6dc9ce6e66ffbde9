internal import Countersign
internal import CountersignStorage

/// The table `consents`.
struct SQLConsentRepository: ConsentRepository, SQLTable {
    static let table: SQLText = "consents"
    static let columns: SQLColumns = ["subject", "client", "scope", "given"]
    static let usual = SQLStatements(of: Self.self, key: ["subject", "client"])
    private static let ofSubject = selection("subject = ? ORDER BY given DESC, client LIMIT 1000")
    private static let removingOfSubject = removal("subject = ?")
    private static let removingOfClient = removal("client = ?")

    let connection: any SQLConnection

    static func values(of consent: Consent) -> [SQLValue?] {
        [consent.subject.column, consent.client.column, consent.scope.column, consent.given.column]
    }

    static func record(in row: SQLRow) throws -> Consent {
        try Consent(subject: row[0], client: row[1], scope: row[2], given: row[3])
    }

    func find(_ subject: Subject, _ client: ClientID) throws -> Consent? {
        try first(Self.usual.find, subject.column, client.column)
    }

    func all(of subject: Subject) throws -> [Consent] { try all(Self.ofSubject, subject.column) }

    func remove(_ subject: Subject, _ client: ClientID) throws -> Bool {
        try runs(Self.usual.remove, subject.column, client.column)
    }

    func removeAll(of subject: Subject) throws { try write(Self.removingOfSubject, subject.column) }
    func removeAll(of client: ClientID) throws { try write(Self.removingOfClient, client.column) }
}

/// The table `pushed_requests`.
struct SQLPushedRequestRepository: PushedRequestRepository, SQLTable, SQLExpiringTable {
    static let table: SQLText = "pushed_requests"
    static let columns: SQLColumns = ["reference", "client", "parameters", "expires"]
    static let usual = SQLStatements(of: Self.self, key: ["reference"])
    private static let removingOfClient = removal("client = ?")
    static let sweeping = sweep(by: "expires")

    let connection: any SQLConnection

    static func values(of request: PushedRequest) -> [SQLValue?] {
        [request.reference.column, request.client.column, request.parameters.column, request.expires.column]
    }

    static func record(in row: SQLRow) throws -> PushedRequest {
        try PushedRequest(reference: row[0], client: row[1], parameters: row[2], expires: row[3])
    }

    func find(_ reference: SecretDigest) throws -> PushedRequest? { try first(Self.usual.find, reference.column) }
    func remove(_ reference: SecretDigest) throws -> Bool { try runs(Self.usual.remove, reference.column) }
    func removeAll(of client: ClientID) throws { try write(Self.removingOfClient, client.column) }
}
