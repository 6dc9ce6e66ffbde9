internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The tables `devices`, `device_environments` and `quiet_times`.
struct SQLEnrolledDeviceRepository: EnrolledDeviceRepository {
    private static let keys: SQLColumns = ["id", "dialect", "grant_id", "created"]
    private static let state: SQLColumns = [
        "subject", "app_key", "details", "push_token", "push_enabled", "development", "push_died", "phone_number",
        "status", "last_seen",
    ]
    private static let columns = keys + state
    private static let selection: SQLText = "SELECT \(columns.names) FROM devices"
    private static let inserting = SQLStatement.insert(into: "devices", columns)
    private static let byID: SQLStatement = "\(selection) WHERE id = ?"
    private static let bySignIn: SQLStatement = "\(selection) WHERE grant_id = ?"
    private static let ofPerson: SQLStatement = "\(selection) WHERE subject = ? ORDER BY created, id LIMIT 100"
    private static let byNumber: SQLStatement = "\(selection) WHERE phone_number = ? ORDER BY created, id LIMIT 100"
    private static let byToken: SQLStatement = "\(selection) WHERE push_token = ? ORDER BY created, id LIMIT 100"
    private static let verifiedByNumber: SQLStatement =
        "\(selection) WHERE phone_number = ? AND status = ? ORDER BY created, id LIMIT 100"
    private static let updating: SQLStatement =
        "UPDATE devices SET (\(state.names)) = (\(state.places)) WHERE id = ?"
    private static let forgetting: SQLStatement =
        "UPDATE devices SET push_died = ? WHERE push_token = ? AND push_died IS NULL"
    private static let removingToken: SQLStatement =
        "UPDATE devices SET push_token = NULL WHERE push_token = ? AND id <> ?"
    private static let removing: SQLStatement = "DELETE FROM devices WHERE id = ?"
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

    func insert(_ device: EnrolledDevice) throws {
        let keys: [SQLValue?] = [
            device.id.column, device.dialect.column, device.signIn?.column, device.created.column,
        ]
        try connection.insert(Self.inserting, keys + (try state(of: device)))
    }

    func find(_ id: DeviceRegistration.ID) throws -> EnrolledDevice? {
        try connection.first(Self.byID, [id.column], device)
    }

    func find(_ signIn: Grant.ID) throws -> EnrolledDevice? {
        try connection.first(Self.bySignIn, [signIn.column], device)
    }

    func all(of subject: Subject) throws -> [EnrolledDevice] {
        try connection.all(Self.ofPerson, [subject.column], device)
    }

    func all(with number: PhoneNumber) throws -> [EnrolledDevice] {
        try connection.all(Self.byNumber, [number.text.column], device)
    }

    func all(with token: PushToken) throws -> [EnrolledDevice] {
        try connection.all(Self.byToken, [token.revealed.column], device)
    }

    func verified(with number: PhoneNumber) throws -> [EnrolledDevice] {
        try connection.all(Self.verifiedByNumber, [number.text.column, RegistrationStatus.verified.column], device)
    }

    func update(_ device: EnrolledDevice) throws {
        try connection.write(Self.updating, try state(of: device) + [device.id.column])
    }

    func forgetPushAddress(of token: PushToken, at now: Date) throws {
        try connection.write(Self.forgetting, [now.column, token.revealed.column])
    }

    func removePushToken(_ token: PushToken, exceptOf device: DeviceRegistration.ID) throws {
        try connection.write(Self.removingToken, [token.revealed.column, device.column])
    }

    func remove(_ id: DeviceRegistration.ID) throws -> Bool {
        try connection.change(Self.removingEnrollments, [id.column])
        try connection.change(Self.removingRegistration, [id.column])
        return try connection.change(Self.removing, [id.column]) > 0
    }

    func removeAll(of subject: Subject) throws -> Int {
        try connection.change(Self.removingQuiet, [subject.column])
        return try removeAll(Self.idsOfPerson, [subject.column])
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try removeAll(Self.ended, [instant.column, limit.column])
    }

    func sweepOfNobody(before instant: Date, limit: Int) throws -> Int {
        try removeAll(Self.ofNobody, [instant.column, limit.column])
    }

    private func removeAll(_ selected: SQLStatement, _ values: [SQLValue?]) throws -> Int {
        let ids: [DeviceRegistration.ID] = try connection.all(selected, values) { try $0.identifier(0) }
        for id in ids { _ = try remove(id) }
        return ids.count
    }

    private func state(of device: EnrolledDevice) throws -> [SQLValue?] {
        [
            device.subject?.column, device.appKey?.column, try .document(device.details),
            device.pushToken?.revealed.column, device.isPushEnabled.column, device.isDevelopment.column,
            device.pushDied?.column, device.phoneNumber?.text.column, device.status.column, device.lastSeen.column,
        ]
    }

    private func device(in row: SQLRow) throws -> EnrolledDevice {
        var device = EnrolledDevice(
            id: try row.identifier(0),
            dialect: try row.name(1),
            subject: row.optionalIdentifier(4),
            signIn: row.optionalIdentifier(2),
            created: try row.instant(3)
        )
        device.appKey = row.optionalIdentifier(5)
        device.details = try row.document(6)
        device.pushToken = row.optionalText(7).map { PushToken(revealing: $0) }
        device.isPushEnabled = try row.bool(8)
        device.isDevelopment = try row.bool(9)
        device.pushDied = row.optionalInstant(10)
        if let number = row.optionalText(11) {
            guard let number = try? PhoneNumber(number) else { throw UnreadableRow(column: "phone_number") }
            device.phoneNumber = number
        }
        device.status = try row.name(12)
        device.lastSeen = try row.instant(13)
        return device
    }
}

// MARK: Environments

extension SQLEnrolledDeviceRepository {
    private static let enrollmentColumns: SQLColumns = ["device", "environment", "sealed_secret", "subject", "added"]
    private static let enrolling = SQLStatement.upsert(
        into: "device_environments",
        enrollmentColumns,
        key: ["device", "environment"]
    )
    private static let enrollments: SQLText = "SELECT \(enrollmentColumns.names) FROM device_environments"
    private static let oneEnrollment: SQLStatement = "\(enrollments) WHERE device = ? AND environment = ?"
    private static let enrollmentsOfDevice: SQLStatement =
        "\(enrollments) WHERE device = ? ORDER BY added, environment LIMIT 1000"
    private static let unenrolling: SQLStatement =
        "DELETE FROM device_environments WHERE device = ? AND environment = ?"
    fileprivate static let removingEnrollments: SQLStatement = "DELETE FROM device_environments WHERE device = ?"
    private static let removingOfEnvironment: SQLStatement = "DELETE FROM device_environments WHERE environment = ?"

    func enroll(_ enrollment: DeviceEnvironment) throws {
        try connection.write(
            Self.enrolling,
            [
                enrollment.device.column, enrollment.environment.column, enrollment.sealedSecret?.column,
                enrollment.subject?.column, enrollment.added.column,
            ]
        )
        try noteInbox(of: enrollment.device)
    }

    /// Notes a change of the inbox: the list of a device follows from its environments.
    private func noteInbox(of device: DeviceRegistration.ID) throws {
        guard let change, let subject = try find(device)?.subject else { return }
        change.add(.inbox(subject))
    }

    func enrollment(of device: DeviceRegistration.ID, in environment: EnvironmentID) throws -> DeviceEnvironment? {
        try connection.first(Self.oneEnrollment, [device.column, environment.column], enrollment)
    }

    func enrollments(of device: DeviceRegistration.ID) throws -> [DeviceEnvironment] {
        try connection.all(Self.enrollmentsOfDevice, [device.column], enrollment)
    }

    func unenroll(_ device: DeviceRegistration.ID, from environment: EnvironmentID) throws -> Bool {
        guard try connection.change(Self.unenrolling, [device.column, environment.column]) > 0 else { return false }
        try noteInbox(of: device)
        return true
    }

    func removeEnrollments(in environment: EnvironmentID) throws -> Int {
        try connection.change(Self.removingOfEnvironment, [environment.column])
    }

    private func enrollment(in row: SQLRow) throws -> DeviceEnvironment {
        DeviceEnvironment(
            device: try row.identifier(0),
            environment: try row.identifier(1),
            sealedSecret: row.optionalBytes(2),
            of: row.optionalIdentifier(3),
            added: try row.instant(4)
        )
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
        try connection.write(Self.keepingQuiet, [subject.column, end.column])
    }

    func quiet(of subject: Subject) throws -> Date? {
        try connection.first(Self.oneQuiet, [subject.column]) { try $0.instant(0) }
    }

    func sweepQuietTimes(before instant: Date, limit: Int) throws -> Int {
        try connection.change(Self.sweepingQuiet, [instant.column, limit.column])
    }
}

/// The table `enrollment_tickets`.
struct SQLEnrollmentTicketRepository: EnrollmentTicketRepository {
    private static let columns: SQLColumns = [
        "digest", "subject", "client", "environment", "sealed_secret", "evidence", "made", "expires", "used",
        "grant_id", "gave_sign_in", "session",
    ]
    private static let inserting = SQLStatement.insert(into: "enrollment_tickets", columns)
    private static let one: SQLStatement = "SELECT \(columns.names) FROM enrollment_tickets WHERE digest = ?"
    private static let sharing: SQLStatement = """
        SELECT \(columns.names) FROM enrollment_tickets WHERE subject = ? AND environment = ?
        AND sealed_secret IS NOT NULL AND used IS NULL AND expires > ? ORDER BY made DESC, digest LIMIT 5
        """
    private static let updating: SQLStatement =
        "UPDATE enrollment_tickets SET used = ?, grant_id = ?, gave_sign_in = ? WHERE digest = ?"
    private static let removingOfPerson: SQLStatement = "DELETE FROM enrollment_tickets WHERE subject = ?"
    private static let removingOfSession: SQLStatement =
        "DELETE FROM enrollment_tickets WHERE subject = ? AND session = ? AND used IS NULL"
    private static let sweeping = SQLStatement.sweep("enrollment_tickets", by: "expires")

    let connection: any SQLConnection

    func insert(_ ticket: EnrollmentTicketRecord) throws {
        let terms: [SQLValue?] = [
            ticket.digest.column, ticket.subject.column, ticket.client?.column, ticket.environment?.column,
            ticket.sealedSecret?.column, try .document(ticket.evidence), ticket.made.column, ticket.expires.column,
        ]
        try connection.insert(Self.inserting, terms + use(of: ticket) + [ticket.session?.column])
    }

    func find(_ digest: SecretDigest) throws -> EnrollmentTicketRecord? {
        try connection.first(Self.one, [digest.column], ticket)
    }

    func sharing(
        with subject: Subject,
        in environment: EnvironmentID,
        at now: Date
    ) throws -> [EnrollmentTicketRecord] {
        try connection.all(Self.sharing, [subject.column, environment.column, now.column], ticket)
    }

    private func ticket(in row: SQLRow) throws -> EnrollmentTicketRecord {
        var ticket = EnrollmentTicketRecord(
            digest: try row.digest(0),
            subject: try row.identifier(1),
            client: row.optionalIdentifier(2),
            environment: row.optionalIdentifier(3),
            sealedSecret: row.optionalBytes(4),
            evidence: try row.evidence(5),
            session: row.optionalIdentifier(11),
            made: try row.instant(6),
            expires: try row.instant(7)
        )
        if let used = row.optionalInstant(8) {
            ticket.use = EnrollmentTicketRecord.Use(
                at: used,
                signIn: row.optionalIdentifier(9),
                gaveSignIn: try row.bool(10)
            )
        }
        return ticket
    }

    func update(_ ticket: EnrollmentTicketRecord) throws {
        try connection.write(Self.updating, use(of: ticket) + [ticket.digest.column])
    }

    func removeAll(of subject: Subject) throws -> Int {
        try connection.change(Self.removingOfPerson, [subject.column])
    }

    func removeUnused(of subject: Subject, madeIn session: ApproverID) throws {
        try connection.write(Self.removingOfSession, [subject.column, session.column])
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(Self.sweeping, [instant.column, limit.column])
    }

    private func use(of ticket: EnrollmentTicketRecord) -> [SQLValue?] {
        [ticket.use?.at.column, ticket.use?.signIn?.column, (ticket.use?.gaveSignIn ?? false).column]
    }
}
