internal import Countersign
internal import CountersignServer
internal import Foundation
internal import GRDB

/// The table `exchanges`.
struct SQLiteExchangeRepository: ExchangeRepository {
    private static let selection = """
        SELECT device_code, user_code, poll_interval, phase, approver_subject, approver_id, since, taking_evidence,
            nearby_challenge, nearby_link, \(RequestColumns.names), \(GrantColumns.names)
        FROM exchanges
        """
    private static let insertion = """
        INSERT INTO exchanges
            (device_code, user_code, poll_interval, phase, approver_subject, approver_id, since, taking_evidence,
             nearby_link, nearby_challenge, \(RequestColumns.names), \(GrantColumns.names))
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, \(RequestColumns.places), \(GrantColumns.places))
        """
    private static let replacement = """
        UPDATE exchanges
        SET (poll_interval, phase, approver_subject, approver_id, since, taking_evidence, nearby_link,
             \(GrantColumns.names))
            = (?, ?, ?, ?, ?, ?, ?, \(GrantColumns.places))
        WHERE request_id = ?
        """
    private static let byDeviceCode = "\(selection) WHERE device_code = ?"
    private static let byUserCode = "\(selection) WHERE user_code = ?"
    private static let byRequest = "\(selection) WHERE request_id = ?"
    private static let byApproval = """
        \(selection) WHERE phase = 'approved' AND grant_subject = ? ORDER BY approved DESC, rowid DESC LIMIT 100
        """
    private static let byAddressee = """
        \(selection) WHERE addressee = ? AND phase IN ('open', 'taken') AND deadline > ?
        ORDER BY asked DESC, rowid DESC LIMIT 100
        """

    let database: Database
    let news: NewsSheet?

    func insert(_ exchange: StoredExchange) throws {
        let fields = ExchangeFields(exchange.exchange)
        let columns: [Column] =
            [exchange.deviceCode.column, exchange.userCode.column] + (try state(exchange, fields))
            + [exchange.nearbyChallenge?.bytes] + RequestColumns.values(exchange.exchange.request)
            + (try GrantColumns.values(fields.grant))
        try database.insert(Self.insertion, columns)
    }

    func find(_ deviceCode: SecretDigest) throws -> StoredExchange? {
        try database.first(Self.byDeviceCode, [deviceCode.column], exchange)
    }

    func find(_ userCode: UserCodeDigest) throws -> StoredExchange? {
        try database.first(Self.byUserCode, [userCode.column], exchange)
    }

    func find(_ id: SignInRequest.ID) throws -> StoredExchange? {
        try database.first(Self.byRequest, [id.column], exchange)
    }

    func update(_ exchange: StoredExchange) throws {
        let fields = ExchangeFields(exchange.exchange)
        let columns: [Column] =
            try state(exchange, fields) + (try GrantColumns.values(fields.grant)) + [exchange.id.column]
        try database.change(Self.replacement, columns)
        news?.note(.exchange(exchange.id, deviceCode: exchange.deviceCode))
    }

    func approved(by subject: Subject) throws -> [StoredExchange] {
        try database.all(Self.byApproval, [subject.column], exchange)
    }

    func waiting(for subject: Subject, at now: Date) throws -> [StoredExchange] {
        try database.all(Self.byAddressee, [subject.column, now.column], exchange)
    }

    /// No index helps to find them: a client is seldom removed, and an index would slow down every start.
    func removeAll(of client: ClientID) throws {
        let removed: [StoreNews] = try database.all(
            "DELETE FROM exchanges WHERE client = ? RETURNING request_id, device_code",
            [client.column]
        ) { row in .exchange(row.identifier(0), deviceCode: row.digest(1)) }
        for exchange in removed { news?.note(exchange) }
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try database.change(
            """
            DELETE FROM exchanges WHERE rowid IN
                (SELECT rowid FROM exchanges WHERE deadline < ? ORDER BY deadline LIMIT ?)
            """,
            [instant.column, limit]
        )
    }

    private func state(_ exchange: StoredExchange, _ fields: ExchangeFields) throws -> [Column] {
        [
            exchange.interval, fields.phase.rawValue, fields.approver?.subject.column,
            fields.approver?.id.column, fields.instant?.column, try fields.evidence.map(documentText),
            fields.link?.bytes,
        ]
    }

    private func exchange(in row: Row) throws -> StoredExchange {
        var approver: Approver?
        if let subject: Subject = row.optionalIdentifier(4) {
            approver = Approver(subject: subject, id: row.identifier(5))
        }
        let fields = ExchangeFields(
            phase: try row.name(3),
            approver: approver,
            grant: try GrantColumns.grant(in: row, from: 10 + RequestColumns.count),
            instant: row.optionalInstant(6),
            evidence: row.hasNull(atIndex: 7) ? nil : try row.evidence(7),
            link: row.hasNull(atIndex: 9) ? nil : NearbyLinkID(row.bytes(9))
        )
        guard let state = fields.state else { throw UnreadableRow(column: "state of an exchange") }
        return StoredExchange(
            exchange: SignInExchange(restoring: try RequestColumns.request(in: row, from: 10), in: state),
            deviceCode: row.digest(0),
            userCode: UserCodeDigest(restoring: row.bytes(1)),
            interval: row[2],
            nearbyChallenge: row.hasNull(atIndex: 8) ? nil : NearbyChallenge(restoring: row.bytes(8))
        )
    }
}
