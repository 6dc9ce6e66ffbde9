internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `deliveries`.
struct SQLDeliveryRepository: DeliveryRepository {
    private static let columns: SQLColumns = [
        "id", "kind", "content", "words", "environment", "request_id", "device", "made", "expires", "attempts", "due",
        "state", "ended",
    ]
    private static let inserting = SQLStatement.insert(into: "deliveries", columns + ["lane", "receiver"])
    private static let byID: SQLStatement = "SELECT \(columns.names) FROM deliveries WHERE id = ?"
    private static let dueFirst: SQLStatement = """
        SELECT \(columns.names) FROM deliveries WHERE state = 'waiting' AND lane = ? AND due <= ? ORDER BY due, id LIMIT ?
        """
    private static let dueFirstOfOthers = SQLKeyedQuery {
        """
        SELECT \(columns.names) FROM deliveries
        WHERE state = 'waiting' AND lane = ? AND due <= ? AND receiver NOT IN (\($0)) ORDER BY due, id LIMIT ?
        """
    }
    private static let updating: SQLStatement = """
        UPDATE deliveries
        SET content = ?, words = ?, expires = ?, attempts = ?, due = ?, state = ?, ended = ?, receiver = ? WHERE id = ?
        """
    private static let ofEnvironment: SQLStatement = """
        SELECT \(columns.names) FROM deliveries WHERE environment = ? ORDER BY made DESC, id DESC LIMIT ?
        """
    private static let ofEnvironmentBefore: SQLStatement = """
        SELECT \(columns.names) FROM deliveries WHERE environment = ? AND (made, id) < (?, ?)
        ORDER BY made DESC, id DESC LIMIT ?
        """
    private static let ofNewDevices: SQLStatement = """
        SELECT \(columns.names) FROM deliveries WHERE kind = 'new_device' ORDER BY made DESC, id DESC LIMIT ?
        """
    private static let ofLimitAlarms: SQLStatement = """
        SELECT \(columns.names) FROM deliveries WHERE kind = 'limit_alarm' ORDER BY made DESC, id DESC LIMIT ?
        """
    private static let aboutRequest: SQLStatement =
        "SELECT \(columns.names) FROM deliveries WHERE request_id = ? ORDER BY made, id LIMIT 1000"
    private static let withdrawing: SQLStatement = """
        UPDATE deliveries SET state = ?, ended = ?, words = NULL
        WHERE request_id = ? AND state = 'waiting' AND kind <> 'webhook'
        """
    private static let bringingForward: SQLStatement = """
        UPDATE deliveries SET due = ?
        WHERE state = 'waiting' AND lane = ? AND due > ? AND (attempts > 0 AND due > ? OR made > ? AND due <= made)
        """
    private static let sweeping = SQLStatement.sweep("deliveries", by: "expires")

    let connection: any SQLConnection

    func insert(_ delivery: Delivery) throws {
        let content = StoredContent(delivery.content)
        let (state, ended) = Self.columns(of: delivery.state)
        try connection.insert(
            Self.inserting,
            [
                delivery.id.column, content.kind.column, try .document(content), Self.words(of: delivery)?.column,
                delivery.environment?.column, delivery.request?.column, delivery.device?.column,
                delivery.made.column, delivery.expires.column, delivery.attempts.column, delivery.due.column,
                state.column, ended?.column, delivery.lane.column, delivery.receiver.column,
            ]
        )
    }

    func find(_ id: Delivery.ID) throws -> Delivery? {
        try connection.first(Self.byID, [id.column], delivery)
    }

    func due(
        in lane: DeliveryLane,
        at instant: Date,
        exceptTo full: Set<Delivery.Receiver>,
        limit: Int
    ) throws -> [Delivery] {
        guard !full.isEmpty else {
            return try connection.all(Self.dueFirst, [lane.column, instant.column, limit.column], delivery)
        }
        let (statement, places) = Self.dueFirstOfOthers.statement(for: full.map(\.column))
        return try connection.all(statement, [lane.column, instant.column] + places + [limit.column], delivery)
    }

    func update(_ delivery: Delivery) throws {
        let (state, ended) = Self.columns(of: delivery.state)
        try connection.write(
            Self.updating,
            [
                try .document(StoredContent(delivery.content)), Self.words(of: delivery)?.column,
                delivery.expires.column, delivery.attempts.column, delivery.due.column, state.column, ended?.column,
                delivery.receiver.column, delivery.id.column,
            ]
        )
    }

    func page(of environment: EnvironmentID, before earlier: Delivery?, limit: Int) throws -> [Delivery] {
        guard let earlier else {
            return try connection.all(Self.ofEnvironment, [environment.column, limit.column], delivery)
        }
        return try connection.all(
            Self.ofEnvironmentBefore,
            [environment.column, earlier.made.column, earlier.id.column, limit.column],
            delivery
        )
    }

    func newDevices(limit: Int) throws -> [Delivery] {
        let found = try [Self.ofNewDevices, Self.ofLimitAlarms].flatMap { statement in
            try connection.all(statement, [limit.column], delivery)
        }
        return Array(found.sorted { ($0.made, $0.id.rawValue) > ($1.made, $1.id.rawValue) }.prefix(limit))
    }

    func all(about request: SignInRequest.ID) throws -> [Delivery] {
        try connection.all(Self.aboutRequest, [request.column], delivery)
    }

    func withdraw(about request: SignInRequest.ID, at instant: Date) throws -> Int {
        try connection.change(
            Self.withdrawing,
            [Delivery.Failure.withdrawn.column, instant.column, request.column]
        )
    }

    func bringForward(in lane: DeliveryLane, to now: Date, waitingLongerThan longest: TimeInterval) throws -> Int {
        let late = now + Date.clockTolerance
        let latest = late + longest
        return try connection.change(
            Self.bringingForward, [now.column, lane.column, late.column, latest.column, late.column])
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(Self.sweeping, [instant.column, limit.column])
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
        let name = try row.text(11)
        if name == Name.waiting { return .waiting }
        let ended = try row.instant(12)
        if name == Name.delivered { return .delivered(ended) }
        guard let reason = Delivery.Failure(rawValue: name) else { throw UnreadableRow(column: "state of a delivery") }
        return .failed(reason, at: ended)
    }

    private static func words(of delivery: Delivery) -> [UInt8]? {
        if case .text(let words, to: _) = delivery.content { words?.bytes } else { nil }
    }

    private func delivery(in row: SQLRow) throws -> Delivery {
        let content: StoredContent = try row.document(2)
        let words = row.optionalBytes(3).map { SealedText(restoring: $0) }
        return Delivery(
            id: try row.identifier(0),
            try content.content(kind: try row.name(1), words: words),
            for: row.optionalIdentifier(4),
            about: row.optionalIdentifier(5),
            device: row.optionalIdentifier(6),
            made: try row.instant(7),
            expires: try row.instant(8),
            attempts: try row.integer(9),
            due: try row.instant(10),
            state: try Self.state(row)
        )
    }
}

extension Delivery.Receiver {
    /// A receiver as it is stored; it is only ever compared.
    fileprivate var column: SQLValue {
        switch self {
        case .gateway: "gateway".column
        case .pushService(let service): "push \(service.rawValue)".column
        case .environment(let environment): "environment \(environment.rawValue)".column
        case .operator: "operator".column
        }
    }
}

/// The parts of what is sent, in one column: rows are read once or twice, and never searched by them.
private struct StoredContent: Codable {
    enum Kind: String {
        case text, push, webhook
        case newDevice = "new_device"
        case limitAlarm = "limit_alarm"
    }

    var number: String?
    var message: String?
    var environment: String?
    var request: String?
    var service: String?
    var token: String?
    var app: String?
    var development: Bool?
    var added: NewDevice?
    var alarm: LimitAlarm?

    init(_ content: Delivery.Content) {
        switch content {
        case .text(_, to: let number):
            self.number = number.text
        case .push(let payload, to: let address):
            message = payload.kind?.rawValue
            environment = payload.environment?.rawValue
            request = payload.request?.rawValue
            service = address.service.rawValue
            token = address.token
            app = address.app
            development = address.isDevelopment
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
        if added != nil { return .newDevice }
        if alarm != nil { return .limitAlarm }
        return service != nil ? .push : .webhook
    }

    func content(kind: Kind, words: SealedText?) throws -> Delivery.Content {
        switch kind {
        case .text:
            guard let number, let parsed = try? PhoneNumber(number) else { throw UnreadableRow(column: "number") }
            return .text(words, to: parsed)
        case .push:
            guard let service = service.flatMap(PushAddress.Service.init(rawValue:)), let token else {
                throw UnreadableRow(column: "push address")
            }
            let payload = PushPayload(
                message.flatMap(PushPayload.Kind.init(rawValue:)),
                environment: environment.map(EnvironmentID.init(rawValue:)),
                request: request.map(AuthenticationRequest.ID.init(rawValue:))
            )
            return .push(
                payload,
                to: PushAddress(service, token: token, app: app, isDevelopment: development ?? false)
            )
        case .webhook:
            guard let environment, let request else { throw UnreadableRow(column: "call of a server") }
            return .webhook(EnvironmentID(rawValue: environment), AuthenticationRequest.ID(rawValue: request))
        case .newDevice:
            guard let added else { throw UnreadableRow(column: "new device") }
            return .newDevice(added)
        case .limitAlarm:
            guard let alarm else { throw UnreadableRow(column: "alarm") }
            return .limitAlarm(alarm)
        }
    }
}
