internal import Countersign
internal import CountersignServer
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `exchanges`.
struct SQLSignInExchangeRepository: SignInExchangeRepository {
    /// Columns that never change, apart from those of the request.
    private static let keys: SQLColumns = ["device_code"] + SignInMethodColumns.columns
    /// Columns that the steps of the exchange change, apart from those of the grant.
    private static let state: SQLColumns = [
        "poll_interval", "phase", "approver_subject", "approver_id", "since", "taking_evidence", "nearby_link",
        "authenticator", "terms",
    ]
    private static let columns = keys + state + GrantColumns.columns + RequestColumns.columns
    private static let changing = state + GrantColumns.columns

    private static let selection: SQLText = "SELECT \(columns.names) FROM exchanges"
    private static let inserting = SQLStatement.insert(into: "exchanges", columns)
    private static let updating: SQLStatement =
        "UPDATE exchanges SET (\(changing.names)) = (\(changing.places)) WHERE request_id = ?"
    private static let byDeviceCode: SQLStatement = "\(selection) WHERE device_code = ?"
    private static let byUserCode: SQLStatement = "\(selection) WHERE user_code = ?"
    private static let byRequest: SQLStatement = "\(selection) WHERE request_id = ?"
    private static let approvals: SQLText =
        "\(selection) WHERE phase = 'approved' AND grant_subject = ? AND deadline > ?"
    private static let newestFirst: SQLText = "ORDER BY approved DESC, \(.arrival) DESC LIMIT 100"
    private static let byApproval: SQLStatement = "\(approvals) \(newestFirst)"
    private static let byEarlierApproval: SQLStatement = """
        \(approvals) AND (approved, \(.arrival)) < (SELECT approved, \(.arrival) FROM exchanges WHERE request_id = ?)
        \(newestFirst)
        """
    private static let byAddressee: SQLStatement = """
        \(selection) WHERE request_id IN (
            SELECT request_id FROM (
                SELECT request_id,
                    ROW_NUMBER() OVER (PARTITION BY client ORDER BY asked DESC, \(.arrival) DESC) AS place
                FROM exchanges WHERE addressee = ? AND phase IN ('open', 'taken') AND deadline > ?
            ) AS ranked WHERE place <= 20
        )
        ORDER BY asked DESC, \(.arrival) DESC LIMIT 100
        """
    private static let ofClient: SQLStatement =
        "SELECT request_id, device_code, addressee FROM exchanges WHERE client = ?"
    private static let removingOfClient: SQLStatement = "DELETE FROM exchanges WHERE client = ?"
    /// A row is kept while a webhook about its request waits to be delivered.
    private static let sweeping: SQLStatement = {
        let oldest: SQLText = """
            deadline < ? AND (authenticator IS NULL OR NOT EXISTS (
                SELECT 1 FROM deliveries
                WHERE deliveries.request_id = exchanges.request_id AND deliveries.state = 'waiting'
            )) ORDER BY deadline LIMIT ?
            """
        return "DELETE FROM exchanges WHERE \(.rows(of: "exchanges", where: oldest))"
    }()

    let connection: any SQLConnection
    let change: ChangeCollector?

    func insert(_ exchange: SignInExchangeRecord) throws {
        let keys = [exchange.deviceCode.column]
        let method = try SignInMethodColumns.values(exchange.method, under: exchange.deviceCode)
        try connection.insert(
            Self.inserting,
            keys + method + (try changing(in: exchange)) + RequestColumns.values(exchange.exchange.request)
        )
        noteInbox(of: exchange.exchange.request.addressee)
    }

    func find(_ deviceCode: SecretDigest) throws -> SignInExchangeRecord? {
        try connection.first(Self.byDeviceCode, [deviceCode.column], exchange)
    }

    func find(_ userCode: UserCodeDigest) throws -> SignInExchangeRecord? {
        try connection.first(Self.byUserCode, [userCode.bytes.column], exchange)
    }

    func find(_ id: SignInRequest.ID) throws -> SignInExchangeRecord? {
        try connection.first(Self.byRequest, [id.column], exchange)
    }

    func update(_ exchange: SignInExchangeRecord) throws {
        try connection.write(Self.updating, try changing(in: exchange) + [exchange.id.column])
        change?.add(.exchange(exchange.id, deviceCode: exchange.deviceCode))
        noteInbox(of: exchange.exchange.request.addressee)
    }

    func approved(
        by subject: Subject,
        at now: Date,
        after last: SignInRequest.ID?
    ) throws -> [SignInExchangeRecord] {
        guard let last else { return try connection.all(Self.byApproval, [subject.column, now.column], exchange) }
        return try connection.all(Self.byEarlierApproval, [subject.column, now.column, last.column], exchange)
    }

    func waiting(for subject: Subject, at now: Date) throws -> [SignInExchangeRecord] {
        try connection.all(Self.byAddressee, [subject.column, now.column], exchange).reversed()
    }

    /// There is no index for it: clients are rarely removed, and an index would slow down every start of a sign-in.
    func removeAll(of client: ClientID) throws {
        let removed: [(change: StoreChange, addressee: Subject?)] = try connection.all(
            Self.ofClient,
            [client.column]
        ) { row in
            (.exchange(try row.identifier(0), deviceCode: try row.digest(1)), row.optionalIdentifier(2))
        }
        try connection.write(Self.removingOfClient, [client.column])
        for exchange in removed {
            change?.add(exchange.change)
            noteInbox(of: exchange.addressee)
        }
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(Self.sweeping, [instant.column, limit.column])
    }

    private func noteInbox(of addressee: Subject?) {
        if let addressee { change?.add(.inbox(addressee)) }
    }

    private func changing(in exchange: SignInExchangeRecord) throws -> [SQLValue?] {
        let fields = SignInExchangeColumns(exchange.exchange)
        let state: [SQLValue?] = [
            exchange.interval.column, fields.phase.column, fields.approver?.subject.column,
            fields.approver?.id.column, fields.instant?.column, try fields.evidence.map(SQLValue.document),
            fields.link?.bytes.column, try SignInMethodColumns.authenticator(exchange.method),
            exchange.terms == .usual ? nil : try .document(exchange.terms),
        ]
        return state + (try GrantColumns.values(fields.grant))
    }

    private func exchange(in row: SQLRow) throws -> SignInExchangeRecord {
        var approver: Approver?
        if let subject: Subject = row.optionalIdentifier(7) {
            approver = Approver(subject: subject, id: try row.identifier(8))
        }
        let grant = Self.keys.count + Self.state.count
        let fields = SignInExchangeColumns(
            phase: try row.name(6),
            approver: approver,
            grant: try GrantColumns.grant(in: row, from: grant),
            instant: row.optionalInstant(9),
            evidence: row.isNull(10) ? nil : try row.evidence(10),
            link: row.optionalBytes(11).flatMap { NearbyLinkID($0) }
        )
        guard let state = fields.state else { throw UnreadableRow(column: "state of an exchange") }
        let request = try RequestColumns.request(in: row, from: grant + GrantColumns.columns.count)
        return SignInExchangeRecord(
            exchange: SignInExchange(restoring: request, in: state),
            deviceCode: try row.digest(0),
            method: try SignInMethodColumns.method(of: request, in: row, from: 1, authenticator: 12),
            interval: try row.integer(5),
            terms: row.isNull(13) ? .usual : try row.document(13)
        )
    }
}
