internal import Countersign
internal import CountersignStorage
internal import FoundationEssentialsCompat

/// The table `exchanges`.
struct SQLSignInExchangeRepository: SignInExchangeRepository, SQLTable, SQLExpiringTable {
    static let table: SQLText = "exchanges"
    /// Columns that never change, apart from those of the request.
    private static let keys: SQLColumns = ["device_code"] + SignInMethodColumns.columns + ["remembered_person"]
    /// Columns that the steps of the exchange change, apart from those of the grant.
    private static let state: SQLColumns = [
        "poll_interval", "phase", "approver_subject", "approver_id", "since", "taking_evidence", "nearby_link",
        "authenticator", "terms", "browser_session",
    ]
    static let columns = keys + state + GrantColumns.columns + RequestColumns.columns
    private static let changing = state + GrantColumns.columns

    static let usual = SQLStatements(of: Self.self, key: ["device_code"])
    private static let updating = update(changing, where: "request_id = ?")
    private static let byUserCode = selection("user_code = ?")
    private static let byRequest = selection("request_id = ?")
    private static let requests: SQLStatement = """
        SELECT request_id FROM exchanges WHERE request_id >= ? AND request_id < ? ORDER BY request_id LIMIT ?
        """
    private static let approvals: SQLText = "phase = 'approved' AND grant_subject = ? AND deadline > ?"
    private static let newestFirst: SQLText = "ORDER BY approved DESC, \(.arrival) DESC LIMIT 100"
    private static let byApproval = selection("\(approvals) \(newestFirst)")
    private static let byEarlierApproval = selection(
        """
        \(approvals) AND (approved, \(.arrival)) < (SELECT approved, \(.arrival) FROM exchanges WHERE request_id = ?)
        \(newestFirst)
        """
    )
    private static let byAddressee = selection(
        """
        request_id IN (
            SELECT request_id FROM (
                SELECT request_id,
                    ROW_NUMBER() OVER (PARTITION BY client ORDER BY asked DESC, arrived DESC) AS place
                FROM (
                    \(waitingFor("addressee")) UNION ALL \(waitingFor("remembered_person"))
                ) AS waiting
            ) AS ranked WHERE place <= 20
        )
        ORDER BY asked DESC, \(.arrival) DESC LIMIT 100
        """
    )
    private static func waitingFor(_ column: SQLText) -> SQLText {
        """
        SELECT request_id, client, asked, \(.arrival) AS arrived
        FROM exchanges WHERE \(column) = ? AND phase IN ('open', 'taken') AND deadline > ?
        """
    }
    private static let cancelledOf: SQLStatement = """
        SELECT request_id FROM exchanges
        WHERE COALESCE(addressee, remembered_person) = ? AND phase = 'cancelled' AND deadline > ?
        ORDER BY asked DESC LIMIT 20
        """
    private static let ofClient: SQLStatement =
        "SELECT request_id, device_code, COALESCE(addressee, remembered_person) FROM exchanges WHERE client = ?"
    private static let removingOfClient = removal("client = ?")
    /// A row is retained while a webhook about its request waits to be delivered.
    static let sweeping = removal(
        .rows(
            of: table,
            where: """
                deadline < ? AND (authenticator IS NULL OR NOT EXISTS (
                    SELECT 1 FROM deliveries
                    WHERE deliveries.request_id = exchanges.request_id AND deliveries.state = 'waiting'
                )) ORDER BY deadline LIMIT ?
                """
        )
    )

    let connection: any SQLConnection
    let change: ChangeCollector?

    static func values(of exchange: SignInExchangeRecord) throws -> [SQLValue?] {
        let method = try SignInMethodColumns.values(exchange.method, under: exchange.requestCode)
        let request = exchange.exchange.request
        return [exchange.requestCode.column] + method + [request.rememberedPerson?.column]
            + (try changing(in: exchange)) + RequestColumns.values(request)
    }

    func insert(_ exchange: SignInExchangeRecord) throws {
        try insertRow(exchange)
        noteInbox(of: exchange.exchange.request.personAsked)
    }

    func find(_ requestCode: SecretDigest) throws -> SignInExchangeRecord? {
        try first(Self.usual.find, requestCode.column)
    }

    func find(_ userCode: UserCodeDigest) throws -> SignInExchangeRecord? {
        try first(Self.byUserCode, userCode.bytes.column)
    }

    func find(_ id: SignInRequest.ID) throws -> SignInExchangeRecord? { try first(Self.byRequest, id.column) }

    func update(_ exchange: SignInExchangeRecord) throws {
        try connection.write(Self.updating, try Self.changing(in: exchange) + [exchange.id.column])
        change?.add(.exchange(exchange.id, requestCode: exchange.requestCode))
        noteInbox(of: exchange.exchange.request.personAsked)
    }

    func approved(by subject: Subject, at now: Date, after last: SignInRequest.ID?) throws -> [SignInExchangeRecord] {
        guard let last else { return try all(Self.byApproval, subject.column, now.column) }
        return try all(Self.byEarlierApproval, subject.column, now.column, last.column)
    }

    func waiting(for subject: Subject, at now: Date) throws -> [SignInExchangeRecord] {
        try all(Self.byAddressee, subject.column, now.column, subject.column, now.column).reversed()
    }

    func cancelled(for subject: Subject, at now: Date) throws -> [SignInRequest.ID] {
        try connection.all(Self.cancelledOf, [subject.column, now.column]) { try $0[0] }
    }

    func requests(beginningWith prefix: String, limit: Int) throws -> [SignInRequest.ID] {
        try connection.all(Self.requests, [prefix.column, prefix.endOfPrefix.column, limit.column]) { try $0[0] }
    }

    /// There is no index for it: clients are rarely removed, and an index would slow down every start of a sign-in.
    func removeAll(of client: ClientID) throws {
        let removed: [(change: StoreChange, addressee: Subject?)] = try connection.all(
            Self.ofClient, [client.column]
        ) { row in
            (.exchange(try row[0], requestCode: try row[1]), try row[2])
        }
        try write(Self.removingOfClient, client.column)
        for exchange in removed {
            change?.add(exchange.change)
            noteInbox(of: exchange.addressee)
        }
    }

    private func noteInbox(of addressee: Subject?) {
        if let addressee { change?.add(.inbox(addressee)) }
    }

    private static func changing(in exchange: SignInExchangeRecord) throws -> [SQLValue?] {
        let fields = SignInExchangeColumns(exchange.exchange)
        let state: [SQLValue?] = [
            exchange.interval.column, fields.phase.column, fields.approver?.subject.column,
            fields.approver?.id.column, fields.instant?.column, try fields.evidence.map(SQLValue.document),
            fields.link?.bytes.column, try SignInMethodColumns.authenticator(exchange.method),
            exchange.terms == .usual ? nil : try .document(exchange.terms),
            try SignInMethodColumns.browserSession(exchange.method),
        ]
        return state + (try GrantColumns.values(fields.grant))
    }

    static func record(in row: SQLRow) throws -> SignInExchangeRecord {
        let grant = keys.count + state.count
        let fields = try SignInExchangeColumns(
            phase: row[8],
            approver: row.isNull(9) ? nil : ApproverIdentity(subject: row[9], id: row[10]),
            grant: GrantColumns.grant(in: row, from: grant),
            instant: row[11],
            evidence: row.isNull(12) ? nil : row.evidence(12),
            link: row.optionalBytes(13).flatMap { NearbyLinkID($0) }
        )
        guard let state = fields.state else { throw RowDecodingError(column: "state of an exchange") }
        var request = try RequestColumns.request(in: row, from: grant + GrantColumns.columns.count)
        request.rememberedPerson = try row[6]
        return try SignInExchangeRecord(
            exchange: SignInExchange(restoring: request, in: state),
            requestCode: row[0],
            method: try SignInMethodColumns.method(
                of: request, in: row, from: 1, authenticator: 14, browserSession: 16),
            interval: row[7],
            terms: row.isNull(15) ? .usual : row.document(15)
        )
    }
}
