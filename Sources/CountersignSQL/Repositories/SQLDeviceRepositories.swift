internal import Countersign
internal import CountersignStorage
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The tables `devices`, `device_environments` and `quiet_times`.
struct SQLEnrolledDeviceRepository: EnrolledDeviceRepository, SQLTable {
    static let table: SQLText = "devices"
    private static let keys: SQLColumns = ["id", "dialect", "grant_id", "created"]
    private static let state: SQLColumns = [
        "subject", "app_key", "details", "push_token", "push_enabled", "development", "push_died", "phone_number",
        "status", "last_seen",
    ]
    static let columns = keys + state
    private static let oldestFirst: SQLText = "ORDER BY created, id LIMIT 100"
    static let usual = SQLStatements(of: Self.self, key: ["id"])
    private static let bySignIn = selection("grant_id = ?")
    private static let ofPerson = selection("subject = ? \(oldestFirst)")
    private static let everything = selection(orderedBy: "created, id")
    private static let byNumber = selection("phone_number = ? \(oldestFirst)")
    private static let byToken = selection("push_token = ? \(oldestFirst)")
    private static let verifiedByNumber = selection("phone_number = ? AND status = ? \(oldestFirst)")
    private static let updating = update(state, where: "id = ?")
    private static let forgetting: SQLStatement =
        "UPDATE devices SET push_died = ? WHERE push_token = ? AND push_died IS NULL"
    private static let removingToken: SQLStatement =
        "UPDATE devices SET push_token = NULL WHERE push_token = ? AND id <> ?"
    private static let removingRegistration: SQLStatement = "DELETE FROM phone_registrations WHERE device = ?"
    private static let idsOfPerson: SQLStatement = "SELECT id FROM devices WHERE subject = ?"
    private static let ended: SQLStatement = "SELECT id FROM devices WHERE last_seen < ? ORDER BY last_seen LIMIT ?"
    private static let ofNobody: SQLStatement = """
        SELECT id FROM devices WHERE subject IS NULL AND last_seen < ?
        AND NOT EXISTS (SELECT 1 FROM device_environments WHERE device = devices.id)
        AND NOT EXISTS (SELECT 1 FROM phone_registrations WHERE device = devices.id AND state = 'moving')
        ORDER BY last_seen LIMIT ?
        """

    let connection: any SQLConnection
    let change: ChangeCollector?

    static func values(of device: EnrolledDevice) throws -> [SQLValue?] {
        let keys: [SQLValue?] = [device.id.column, device.dialect.column, device.signIn?.column, device.created.column]
        return keys + (try state(of: device))
    }

    private static func state(of device: EnrolledDevice) throws -> [SQLValue?] {
        [
            device.subject?.column, device.appKey?.column, try .document(device.details),
            device.pushToken?.revealed.column, device.isPushEnabled.column, device.isDevelopment.column,
            device.pushDied?.column, device.phoneNumber?.text.column, device.status.column, device.lastSeen.column,
        ]
    }

    static func record(in row: SQLRow) throws -> EnrolledDevice {
        var device = try EnrolledDevice(id: row[0], dialect: row[1], subject: row[4], signIn: row[2], created: row[3])
        device.appKey = try row[5]
        device.details = try row.document(6)
        device.pushToken = row.optionalText(7).map { PushToken(revealing: $0) }
        device.isPushEnabled = try row[8]
        device.isDevelopment = try row[9]
        device.pushDied = try row[10]
        if let number = row.optionalText(11) {
            guard let number = try? PhoneNumber(number) else { throw RowDecodingError(column: "phone_number") }
            device.phoneNumber = number
        }
        device.status = try row[12]
        device.lastSeen = try row[13]
        return device
    }

    func find(_ id: DeviceRegistration.ID) throws -> EnrolledDevice? { try first(Self.usual.find, id.column) }
    func find(_ signIn: Grant.ID) throws -> EnrolledDevice? { try first(Self.bySignIn, signIn.column) }
    func all(of subject: Subject) throws -> [EnrolledDevice] { try all(Self.ofPerson, subject.column) }
    func all() throws -> [EnrolledDevice] { try all(Self.everything) }
    func all(with number: PhoneNumber) throws -> [EnrolledDevice] { try all(Self.byNumber, number.text.column) }
    func all(with token: PushToken) throws -> [EnrolledDevice] { try all(Self.byToken, token.revealed.column) }

    func verified(with number: PhoneNumber) throws -> [EnrolledDevice] {
        try all(Self.verifiedByNumber, number.text.column, RegistrationStatus.verified.column)
    }

    func update(_ device: EnrolledDevice) throws {
        try connection.write(Self.updating, try Self.state(of: device) + [device.id.column])
    }

    func forgetPushAddress(of token: PushToken, at now: Date) throws {
        try write(Self.forgetting, now.column, token.revealed.column)
    }

    func removePushToken(_ token: PushToken, exceptOf device: DeviceRegistration.ID) throws {
        try write(Self.removingToken, token.revealed.column, device.column)
    }

    func remove(_ id: DeviceRegistration.ID) throws -> Bool {
        try run(Self.removingEnrollments, id.column)
        try run(Self.removingRegistration, id.column)
        return try runs(Self.usual.remove, id.column)
    }

    func removeAll(of subject: Subject) throws -> Int {
        try run(Self.removingQuiet, subject.column)
        return try removeAll(Self.idsOfPerson, [subject.column])
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try removeAll(Self.ended, [instant.column, limit.column])
    }

    func sweepOfNobody(before instant: Date, limit: Int) throws -> Int {
        try removeAll(Self.ofNobody, [instant.column, limit.column])
    }

    private func removeAll(_ selected: SQLStatement, _ values: [SQLValue?]) throws -> Int {
        let ids: [DeviceRegistration.ID] = try connection.all(selected, values) { try $0[0] }
        for id in ids { _ = try remove(id) }
        return ids.count
    }
}

// MARK: Sites

extension SQLEnrolledDeviceRepository {
    private static let enrollmentColumns: SQLColumns = ["device", "environment", "sealed_secret", "subject", "added"]
    private static let enrolling = SQLStatement.upsert(
        into: "device_environments", enrollmentColumns, key: ["device", "environment"])
    private static let enrollments: SQLText = "SELECT \(enrollmentColumns.names) FROM device_environments"
    private static let oneEnrollment: SQLStatement = "\(enrollments) WHERE device = ? AND environment = ?"
    private static let enrollmentsOfDevice: SQLStatement =
        "\(enrollments) WHERE device = ? ORDER BY added, environment LIMIT 1000"
    private static let unenrolling: SQLStatement =
        "DELETE FROM device_environments WHERE device = ? AND environment = ?"
    fileprivate static let removingEnrollments: SQLStatement = "DELETE FROM device_environments WHERE device = ?"
    private static let removingOfEnvironment: SQLStatement = "DELETE FROM device_environments WHERE environment = ?"

    func enroll(_ enrollment: DeviceCustomerSite) throws {
        try write(
            Self.enrolling, enrollment.device.column, enrollment.environment.column, enrollment.sealedSecret?.column,
            enrollment.subject?.column, enrollment.added.column)
        try noteInbox(of: enrollment.device)
    }

    /// Records a change of the inbox: the list of a device follows from its sites.
    private func noteInbox(of device: DeviceRegistration.ID) throws {
        guard let change, let subject = try find(device)?.subject else { return }
        change.add(.inbox(subject))
    }

    func enrollment(of device: DeviceRegistration.ID, in environment: CustomerSiteID) throws -> DeviceCustomerSite? {
        try connection.first(Self.oneEnrollment, [device.column, environment.column], enrollment)
    }

    func enrollments(of device: DeviceRegistration.ID) throws -> [DeviceCustomerSite] {
        try connection.all(Self.enrollmentsOfDevice, [device.column], enrollment)
    }

    func unenroll(_ device: DeviceRegistration.ID, from environment: CustomerSiteID) throws -> Bool {
        guard try runs(Self.unenrolling, device.column, environment.column) else { return false }
        try noteInbox(of: device)
        return true
    }

    func removeEnrollments(in environment: CustomerSiteID) throws -> Int {
        try run(Self.removingOfEnvironment, environment.column)
    }

    private func enrollment(in row: SQLRow) throws -> DeviceCustomerSite {
        try DeviceCustomerSite(device: row[0], environment: row[1], sealedSecret: row[2], of: row[3], added: row[4])
    }
}

// MARK: Quiet times

extension SQLEnrolledDeviceRepository {
    private static let quietColumns: SQLColumns = ["subject", "ends"]
    private static let keepingQuiet = SQLStatement.upsert(into: "quiet_times", quietColumns, key: ["subject"])
    private static let oneQuiet: SQLStatement = "SELECT ends FROM quiet_times WHERE subject = ?"
    fileprivate static let removingQuiet: SQLStatement = "DELETE FROM quiet_times WHERE subject = ?"
    private static let sweepingQuiet = SQLStatement.sweep("quiet_times", by: "ends")

    func keepQuiet(_ subject: Subject, until end: Date) throws {
        try write(Self.keepingQuiet, subject.column, end.column)
    }

    func quiet(of subject: Subject) throws -> Date? {
        try connection.first(Self.oneQuiet, [subject.column]) { try $0[0] }
    }

    func sweepQuietTimes(before instant: Date, limit: Int) throws -> Int {
        try run(Self.sweepingQuiet, instant.column, limit.column)
    }
}

/// The table `enrollment_tickets`.
struct SQLEnrollmentTicketRepository: EnrollmentTicketRepository, SQLTable, SQLExpiringTable {
    static let table: SQLText = "enrollment_tickets"
    static let columns: SQLColumns = [
        "digest", "subject", "client", "environment", "sealed_secret", "evidence", "made", "expires", "used",
        "grant_id", "gave_sign_in", "session",
    ]
    static let usual = SQLStatements(of: Self.self, key: ["digest"])
    private static let sharing = selection(
        """
        subject = ? AND environment = ? AND sealed_secret IS NOT NULL AND used IS NULL AND expires > ?
        ORDER BY made DESC, digest LIMIT 5
        """
    )
    private static let updating = update(["used", "grant_id", "gave_sign_in"], where: "digest = ?")
    private static let removingOfPerson = removal("subject = ?")
    private static let removingOfSession = removal("subject = ? AND session = ? AND used IS NULL")
    static let sweeping = sweep(by: "expires")

    let connection: any SQLConnection

    static func values(of ticket: EnrollmentTicketRecord) throws -> [SQLValue?] {
        let terms: [SQLValue?] = [
            ticket.digest.column, ticket.subject.column, ticket.client?.column, ticket.environment?.column,
            ticket.sealedSecret?.column, try .document(ticket.evidence), ticket.made.column, ticket.expires.column,
        ]
        return terms + use(of: ticket) + [ticket.session?.column]
    }

    static func record(in row: SQLRow) throws -> EnrollmentTicketRecord {
        var ticket = try EnrollmentTicketRecord(
            digest: row[0], subject: row[1], client: row[2], environment: row[3], sealedSecret: row[4],
            evidence: row.evidence(5), session: row[11], made: row[6], expires: row[7])
        if !row.isNull(8) {
            ticket.use = try EnrollmentTicketRecord.Use(at: row[8], signIn: row[9], gaveSignIn: row[10])
        }
        return ticket
    }

    func find(_ digest: SecretDigest) throws -> EnrollmentTicketRecord? { try first(Self.usual.find, digest.column) }

    func sharing(
        with subject: Subject,
        in environment: CustomerSiteID,
        at now: Date
    ) throws -> [EnrollmentTicketRecord] {
        try all(Self.sharing, subject.column, environment.column, now.column)
    }

    func update(_ ticket: EnrollmentTicketRecord) throws {
        try connection.write(Self.updating, Self.use(of: ticket) + [ticket.digest.column])
    }

    func removeAll(of subject: Subject) throws -> Int { try run(Self.removingOfPerson, subject.column) }

    func removeUnused(of subject: Subject, madeIn session: ApproverID) throws {
        try write(Self.removingOfSession, subject.column, session.column)
    }

    private static func use(of ticket: EnrollmentTicketRecord) -> [SQLValue?] {
        [ticket.use?.at.column, ticket.use?.signIn?.column, (ticket.use?.gaveSignIn ?? false).column]
    }
}
