#if PostgreSQL
internal import Countersign
internal import CountersignServer
internal import Foundation

/// The table `exchanges`.
struct PostgresExchangeRepository: ExchangeRepository {
    private static let selection = """
        SELECT device_code, user_code, poll_interval, phase, approver_subject, approver_id, since, taking_evidence,
            nearby_challenge, nearby_link, \(RequestColumns.names), \(GrantColumns.names)
        FROM exchanges
        """
    private static let insertion = """
        INSERT INTO exchanges
            (device_code, user_code, poll_interval, phase, approver_subject, approver_id, since, taking_evidence,
             nearby_link, nearby_challenge, \(RequestColumns.names), \(GrantColumns.names))
        VALUES (\(places(10 + RequestColumns.count + GrantColumns.count))) ON CONFLICT DO NOTHING
        """
    private static let replacement = """
        UPDATE exchanges
        SET (poll_interval, phase, approver_subject, approver_id, since, taking_evidence, nearby_link,
             \(GrantColumns.names))
            = (\(places(7 + GrantColumns.count)))
        WHERE request_id = $\(8 + GrantColumns.count)
        """
    private static let byDeviceCode = "\(selection) WHERE device_code = $1"
    private static let byUserCode = "\(selection) WHERE user_code = $1"
    private static let byRequest = "\(selection) WHERE request_id = $1"
    private static let byApproval = """
        \(selection) WHERE phase = 'approved' AND grant_subject = $1 ORDER BY approved DESC, arrival DESC LIMIT 100
        """
    private static let byAddressee = """
        \(selection) WHERE addressee = $1 AND phase IN ('open', 'taken') AND deadline > $2
        ORDER BY asked DESC, arrival DESC LIMIT 100
        """

    let connection: Connection
    let news: NewsSheet?

    func insert(_ exchange: StoredExchange) throws {
        let fields = ExchangeFields(exchange.exchange)
        let columns: [Column] =
            [exchange.deviceCode.column, exchange.userCode.column] + (try state(exchange, fields))
            + [exchange.nearbyChallenge?.bytes] + RequestColumns.values(exchange.exchange.request)
            + (try GrantColumns.values(fields.grant))
        try connection.insert(Self.insertion, columns)
    }

    func find(_ deviceCode: SecretDigest) throws -> StoredExchange? {
        try connection.first(Self.byDeviceCode, [deviceCode.column], exchange)
    }

    func find(_ userCode: UserCodeDigest) throws -> StoredExchange? {
        try connection.first(Self.byUserCode, [userCode.column], exchange)
    }

    func find(_ id: SignInRequest.ID) throws -> StoredExchange? {
        try connection.first(Self.byRequest, [id.column], exchange)
    }

    func update(_ exchange: StoredExchange) throws {
        let fields = ExchangeFields(exchange.exchange)
        let columns: [Column] =
            try state(exchange, fields) + (try GrantColumns.values(fields.grant)) + [exchange.id.column]
        try connection.change(Self.replacement, columns)
        news?.note(.exchange(exchange.id, deviceCode: exchange.deviceCode))
    }

    func approved(by subject: Subject) throws -> [StoredExchange] {
        try connection.all(Self.byApproval, [subject.column], exchange)
    }

    func waiting(for subject: Subject, at now: Date) throws -> [StoredExchange] {
        try connection.all(Self.byAddressee, [subject.column, now.column], exchange)
    }

    /// No index helps to find them: a client is seldom removed, and an index would slow down every start.
    func removeAll(of client: ClientID) throws {
        let removed: [StoreNews] = try connection.all(
            "DELETE FROM exchanges WHERE client = $1 RETURNING request_id, device_code",
            [client.column]
        ) { row in .exchange(try row.identifier(0), deviceCode: try row.digest(1)) }
        for exchange in removed { news?.note(exchange) }
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(
            """
            DELETE FROM exchanges WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM exchanges WHERE deadline < $1 ORDER BY deadline LIMIT $2))
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
            approver = Approver(subject: subject, id: try row.identifier(5))
        }
        let fields = ExchangeFields(
            phase: try row.name(3),
            approver: approver,
            grant: try GrantColumns.grant(in: row, from: 10 + RequestColumns.count),
            instant: try row.optionalInstant(6),
            evidence: row.isNull(7) ? nil : try row.document(7),
            link: row.optionalBytes(9).flatMap { NearbyLinkID($0) }
        )
        guard let state = fields.state else { throw UnreadableRow(column: "state of an exchange") }
        return StoredExchange(
            exchange: SignInExchange(restoring: try RequestColumns.request(in: row, from: 10), in: state),
            deviceCode: try row.digest(0),
            userCode: UserCodeDigest(restoring: try row.bytes(1)),
            interval: try row.whole(2),
            nearbyChallenge: row.optionalBytes(8).map { NearbyChallenge(restoring: $0) }
        )
    }
}
#endif
