internal import Countersign
internal import CountersignStorage
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The table `deliveries`.
struct SQLDeliveryRepository: DeliveryRepository, SQLTable, SQLExpiringTable {
    static let table: SQLText = "deliveries"
    static let columns: SQLColumns = [
        "id", "kind", "content", "words", "environment", "request_id", "device", "made", "expires", "attempts", "due",
        "state", "ended", "lane", "receiver", "addressee",
    ]
    static let usual = SQLStatements(of: Self.self, key: ["id"])
    /// Leaves out the kinds that a later version wrote, which sends them.
    private static let isKnown = SQLText(
        stringLiteral: "kind IN (\(StoredContent.Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")))")
    private static let dueFirst = selection(
        "state = 'waiting' AND lane = ? AND due <= ? AND \(isKnown) ORDER BY due, id LIMIT ?")
    private static let dueFirstOfOthers = SQLKeyedQuery {
        """
        SELECT \(columns.names) FROM deliveries
        WHERE state = 'waiting' AND lane = ? AND due <= ? AND receiver NOT IN (\($0)) AND \(isKnown)
        ORDER BY due, id LIMIT ?
        """
    }
    private static let updating = update(
        ["content", "words", "expires", "attempts", "due", "state", "ended", "receiver"], where: "id = ?")
    private static let newestFirst: SQLText = "ORDER BY made DESC, id DESC LIMIT ?"
    private static let ofEnvironment = selection("environment = ? AND \(isKnown) \(newestFirst)")
    private static let ofEnvironmentBefore = selection(
        "environment = ? AND (made, id) < (?, ?) AND \(isKnown) \(newestFirst)")
    private static let ofNewDevices = selection("kind = 'new_device' \(newestFirst)")
    private static let ofLimitAlarms = selection("kind = 'limit_alarm' \(newestFirst)")
    private static let notDelivered = selection(
        "attempts > 0 AND state <> 'delivered' AND state <> 'withdrawn' AND made < ? AND \(isKnown) \(newestFirst)")
    private static let aboutRequest = selection("request_id = ? AND \(isKnown) ORDER BY made, id LIMIT 1000")
    private static let withdrawing: SQLStatement = """
        UPDATE deliveries SET state = ?, ended = ?, words = NULL
        WHERE request_id = ? AND state = 'waiting' AND kind <> 'webhook'
        """
    private static let removingTo: SQLStatement = "DELETE FROM deliveries WHERE addressee = ?"
    private static let bringingForward: SQLStatement = """
        UPDATE deliveries SET due = ?
        WHERE state = 'waiting' AND lane = ? AND due > ? AND (attempts > 0 AND due > ? OR made > ? AND due <= made)
        """
    static let sweeping = sweep(by: "expires")

    let connection: any SQLConnection

    static func values(of delivery: Delivery) throws -> [SQLValue?] {
        let content = StoredContent(delivery)
        let (state, ended) = columns(of: delivery.state)
        return [
            delivery.id.column, content.kind.column, try .document(content), words(of: delivery)?.column,
            delivery.environment?.column, delivery.request?.column, delivery.device?.column,
            delivery.made.column, delivery.expires.column, delivery.attempts.column, delivery.due.column,
            state.column, ended?.column, delivery.lane.column, delivery.receiver.column,
            delivery.addressee?.column,
        ]
    }

    static func record(in row: SQLRow) throws -> Delivery {
        let content: StoredContent = try row.document(2)
        let words = row.optionalBytes(3).map { SealedText(restoring: $0) }
        var delivery = try Delivery(
            id: row[0], content.content(kind: row[1], words: words), for: row[4], about: row[5], device: row[6],
            made: row[7], expires: row[8], attempts: row[9], due: row[10], state: state(row))
        delivery.problem = content.problem
        return delivery
    }

    func find(_ id: Delivery.ID) throws -> Delivery? { try first(Self.usual.find, id.column) }

    func due(
        in lane: DeliveryLane,
        at instant: Date,
        exceptTo full: Set<Delivery.Receiver>,
        limit: Int
    ) throws -> [Delivery] {
        guard !full.isEmpty else { return try all(Self.dueFirst, lane.column, instant.column, limit.column) }
        let (statement, places) = Self.dueFirstOfOthers.statement(for: full.map(\.column))
        return try connection.all(statement, [lane.column, instant.column] + places + [limit.column], Self.record)
    }

    func update(_ delivery: Delivery) throws {
        let (state, ended) = Self.columns(of: delivery.state)
        try write(
            Self.updating, .document(StoredContent(delivery)), Self.words(of: delivery)?.column,
            delivery.expires.column, delivery.attempts.column, delivery.due.column, state.column, ended?.column,
            delivery.receiver.column, delivery.id.column)
    }

    func page(of environment: CustomerSiteID, before earlier: Delivery?, limit: Int) throws -> [Delivery] {
        guard let earlier else { return try all(Self.ofEnvironment, environment.column, limit.column) }
        return try all(
            Self.ofEnvironmentBefore, environment.column, earlier.made.column, earlier.id.column, limit.column)
    }

    func newDevices(limit: Int) throws -> [Delivery] {
        let found = try [Self.ofNewDevices, Self.ofLimitAlarms].flatMap { try all($0, limit.column) }
        return Array(found.sorted { ($0.made, $0.id.rawValue) > ($1.made, $1.id.rawValue) }.prefix(limit))
    }

    func failing(before instant: Date, limit: Int) throws -> [Delivery] {
        try all(Self.notDelivered, instant.column, limit.column)
    }

    func all(about request: SignInRequest.ID) throws -> [Delivery] { try all(Self.aboutRequest, request.column) }

    func withdraw(about request: SignInRequest.ID, at instant: Date) throws -> Int {
        try run(Self.withdrawing, Delivery.Failure.withdrawn.column, instant.column, request.column)
    }

    func removeAll(to addressees: [Delivery.Addressee]) throws {
        for addressee in addressees { try write(Self.removingTo, addressee.column) }
    }

    func bringForward(in lane: DeliveryLane, to now: Date, waitingLongerThan longest: TimeInterval) throws -> Int {
        let late = now + Date.clockTolerance
        return try run(Self.bringingForward, now.column, lane.column, late.column, (late + longest).column, late.column)
    }

    /// The states other than failures, as they are stored; a failure is stored by its own name.
    private enum Name {
        static let waiting = "waiting"
        static let delivered = "delivered"
    }

    private static func columns(of state: Delivery.State) -> (name: String, ended: Date?) {
        switch state {
        case .waiting: (Name.waiting, nil)
        case .delivered(let instant): (Name.delivered, instant)
        case .failed(let reason, at: let instant): (reason.rawValue, instant)
        }
    }

    private static func state(_ row: SQLRow) throws -> Delivery.State {
        let name: String = try row[11]
        if name == Name.waiting { return .waiting }
        let ended: Date = try row[12]
        if name == Name.delivered { return .delivered(ended) }
        guard let reason = Delivery.Failure(rawValue: name) else {
            throw RowDecodingError(column: "state of a delivery")
        }
        return .failed(reason, at: ended)
    }

    private static func words(of delivery: Delivery) -> [UInt8]? {
        switch delivery.content {
        case .text(let words, to: _), .mail(_, let words): words?.bytes
        case .push, .browserPush, .webhook, .newDevice, .limitAlarm: nil
        }
    }
}

extension Delivery.Receiver {
    /// A stored receiver; it is only ever compared.
    fileprivate var column: SQLValue {
        switch self {
        case .gateway: "gateway".column
        case .mailGateway: "mail gateway".column
        case .pushService(let service): "push \(service.rawValue)".column
        case .webPushService(let origin): "push \(origin.rawValue)".column
        case .environment(let environment): "environment \(environment.rawValue)".column
        case .operator: "operator".column
        }
    }
}

extension Delivery.Addressee {
    /// The number, or the person behind a word that no number begins with.
    fileprivate var column: SQLValue {
        switch self {
        case .number(let number): number.text.column
        case .person(let subject): "person \(subject.rawValue)".column
        }
    }
}

/// The parts of the message and the problem of its last attempt, in one column: rows are read once or twice, and never
/// searched by them.
private struct StoredContent: Codable {
    enum Kind: String, SQLColumnValue, CaseIterable {
        case text, mail, push, webhook
        case browserPush = "browser_push"
        case newDevice = "new_device"
        case limitAlarm = "limit_alarm"
    }

    var number: String?
    var mail: MailMessage?
    var message: String?
    var environment: String?
    var request: String?
    var service: String?
    var token: String?
    var app: String?
    var development: Bool?
    var browser: String?
    var origin: String?
    var added: NewDevice?
    var alarm: LimitAlarm?
    var problem: String?

    init(_ delivery: Delivery) {
        problem = delivery.problem
        switch delivery.content {
        case .text(_, to: let number):
            self.number = number.text
        case .mail(let message, _):
            mail = message
        case .push(let payload, to: let address):
            message = payload.kind?.rawValue
            environment = payload.environment?.rawValue
            request = payload.request?.rawValue
            service = address.service.rawValue
            token = address.token
            app = address.app
            development = address.isDevelopment
        case .browserPush(let payload, to: let browser, at: let origin):
            message = payload.kind?.rawValue
            request = payload.request?.rawValue
            self.browser = browser.rawValue
            self.origin = origin.rawValue
        case .webhook(let environment, let request):
            self.environment = environment.rawValue
            self.request = request.rawValue
        case .newDevice(let device):
            added = device
        case .limitAlarm(let alarm):
            self.alarm = alarm
        }
    }

    var kind: Kind {
        if number != nil { return .text }
        if mail != nil { return .mail }
        if added != nil { return .newDevice }
        if alarm != nil { return .limitAlarm }
        if browser != nil { return .browserPush }
        return service != nil ? .push : .webhook
    }

    /// The identifiers in a push message.
    private var payload: PushPayload {
        PushPayload(
            message.flatMap(PushPayload.Kind.init(rawValue:)),
            environment: environment.map(CustomerSiteID.init(rawValue:)),
            request: request.map(AuthenticationRequest.ID.init(rawValue:))
        )
    }

    func content(kind: Kind, words: SealedText?) throws -> Delivery.Content {
        switch kind {
        case .text:
            guard let number, let parsed = try? PhoneNumber(number) else { throw RowDecodingError(column: "number") }
            return .text(words, to: parsed)
        case .mail:
            guard let mail else { throw RowDecodingError(column: "mail") }
            return .mail(mail, words)
        case .push:
            guard let service = service.flatMap(PushAddress.Service.init(rawValue:)), let token else {
                throw RowDecodingError(column: "push address")
            }
            return .push(payload, to: PushAddress(service, token: token, app: app, isDevelopment: development ?? false))
        case .browserPush:
            guard let browser, let origin else { throw RowDecodingError(column: "browser") }
            return .browserPush(payload, to: ApproverID(browser), at: WebOrigin(origin))
        case .webhook:
            guard let environment, let request else { throw RowDecodingError(column: "call of a server") }
            return .webhook(CustomerSiteID(rawValue: environment), AuthenticationRequest.ID(rawValue: request))
        case .newDevice:
            guard let added else { throw RowDecodingError(column: "new device") }
            return .newDevice(added)
        case .limitAlarm:
            guard let alarm else { throw RowDecodingError(column: "alarm") }
            return .limitAlarm(alarm)
        }
    }
}
