internal import Countersign
internal import CountersignStorage
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The table `phone_numbers`.
struct SQLPhoneNumberRepository: PhoneNumberRepository, SQLTable {
    static let table: SQLText = "phone_numbers"
    static let columns: SQLColumns = [
        "number", "subject", "device", "verified", "move_device", "move_subject", "move_due",
    ]
    static let usual = SQLStatements(of: Self.self, key: ["number"])
    private static let ofPerson = selection("subject = ? ORDER BY number LIMIT 1000")
    private static let dueMoves = selection("move_due IS NOT NULL AND move_due <= ? ORDER BY move_due LIMIT ?")
    private static let removingOfPerson = removal("subject = ?")

    let connection: any SQLConnection

    static func values(of record: PhoneNumberRecord) -> [SQLValue?] {
        [
            record.number.text.column, record.subject.column, record.device?.column, record.verified.column,
            record.move?.device.column, record.move?.subject?.column, record.move?.due.column,
        ]
    }

    static func record(in row: SQLRow) throws -> PhoneNumberRecord {
        let isMoving = !row.isNull(4) && !row.isNull(6)
        return try PhoneNumberRecord(
            row.phoneNumber(0), of: row[1], device: row[2], verified: row[3],
            move: isMoving ? PhoneNumberRecord.Move(to: row[4], of: row[5], due: row[6]) : nil)
    }

    func find(_ number: PhoneNumber) throws -> PhoneNumberRecord? { try first(Self.usual.find, number.text.column) }
    func all(of subject: Subject) throws -> [PhoneNumberRecord] { try all(Self.ofPerson, subject.column) }

    func moving(at instant: Date, limit: Int) throws -> [PhoneNumberRecord] {
        try all(Self.dueMoves, instant.column, limit.column)
    }

    func remove(_ number: PhoneNumber) throws -> Bool { try runs(Self.usual.remove, number.text.column) }
    func removeAll(of subject: Subject) throws -> Int { try run(Self.removingOfPerson, subject.column) }
}

/// The table `phone_registrations`.
struct SQLPhoneRegistrationRepository: PhoneRegistrationRepository, SQLTable, SQLExpiringTable {
    static let table: SQLText = "phone_registrations"
    static let columns: SQLColumns = [
        "device", "state", "number", "before_number", "code", "sent", "wrong", "until", "codes_sent", "last_sent",
        "touched",
    ]
    static let usual = SQLStatements(of: Self.self, key: ["device"])
    private static let removingOfNumber = removal("number = ? AND state IN ('verified', 'moving')")
    private static let unproved: SQLText =
        "state <> 'verified' AND state <> 'moving' AND before_number IS NULL AND touched < ? ORDER BY touched LIMIT ?"
    static let sweeping = removal(.rows(of: table, where: unproved))

    let connection: any SQLConnection

    private enum StateName: String, SQLColumnValue {
        case unverified, pending, moving, verified
    }

    static func values(of record: PhoneRegistrationRecord) -> [SQLValue?] {
        var name = StateName.unverified
        var number: PhoneNumber?
        var before: PhoneNumber?
        var code: SentCode<PhoneNumber>?
        var until: Date?
        switch record.registration.state {
        case .unverified:
            break
        case .pending(let sent, before: let proved):
            (name, number, before, code) = (.pending, sent.address, proved, sent)
        case .moving(let wanted, until: let due):
            (name, number, until) = (.moving, wanted, due)
        case .verified(let proved):
            (name, number) = (.verified, proved)
        }
        return [
            record.device.column, name.column, number?.text.column, before?.text.column,
            code?.digest.column, code?.sent.column, (code?.wrong ?? 0).column, until?.column,
            // Servers before 0010 of the decisions paused by these two.
            0.column, code?.sent.column, record.touched.column,
        ]
    }

    static func record(in row: SQLRow) throws -> PhoneRegistrationRecord {
        try PhoneRegistrationRecord(row[0], PhoneRegistration(state(in: row)), touched: row[10])
    }

    func find(_ device: DeviceRegistration.ID) throws -> PhoneRegistrationRecord? {
        try first(Self.usual.find, device.column)
    }
    func remove(_ device: DeviceRegistration.ID) throws -> Bool { try runs(Self.usual.remove, device.column) }
    func removeAll(of number: PhoneNumber) throws { try write(Self.removingOfNumber, number.text.column) }

    private static func state(in row: SQLRow) throws -> PhoneRegistration.State {
        switch try row[1] as StateName {
        case .unverified:
            return .unverified
        case .pending:
            let code = try SentCode(row[4], to: row.phoneNumber(2), sent: row[5], wrong: row[6])
            return .pending(code, before: row.isNull(3) ? nil : try row.phoneNumber(3))
        case .moving:
            return try .moving(row.phoneNumber(2), until: row[7])
        case .verified:
            return .verified(try row.phoneNumber(2))
        }
    }
}

extension SQLRow {
    /// A telephone number in its international form.
    fileprivate func phoneNumber(_ column: Int) throws -> PhoneNumber {
        guard let number = try? PhoneNumber(self[column]) else { throw RowDecodingError(column: "telephone number") }
        return number
    }
}
