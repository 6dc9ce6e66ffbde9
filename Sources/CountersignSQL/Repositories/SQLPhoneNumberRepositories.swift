internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The table `phone_numbers`.
struct SQLPhoneNumberRepository: PhoneNumberRepository {
    private static let columns: SQLColumns = [
        "number", "subject", "device", "verified", "move_device", "move_subject", "move_due",
    ]
    private static let keeping = SQLStatement.upsert(into: "phone_numbers", columns, key: ["number"])
    private static let one: SQLStatement = "SELECT \(columns.names) FROM phone_numbers WHERE number = ?"
    private static let ofPerson: SQLStatement =
        "SELECT \(columns.names) FROM phone_numbers WHERE subject = ? ORDER BY number LIMIT 1000"
    private static let dueMoves: SQLStatement = """
        SELECT \(columns.names) FROM phone_numbers WHERE move_due IS NOT NULL AND move_due <= ? ORDER BY move_due LIMIT ?
        """
    private static let removing: SQLStatement = "DELETE FROM phone_numbers WHERE number = ?"
    private static let removingOfPerson: SQLStatement = "DELETE FROM phone_numbers WHERE subject = ?"

    let connection: any SQLConnection

    func keep(_ record: PhoneNumberRecord) throws {
        try connection.write(
            Self.keeping,
            [
                record.number.text.column, record.subject.column, record.device?.column, record.verified.column,
                record.move?.device.column, record.move?.subject?.column, record.move?.due.column,
            ]
        )
    }

    func find(_ number: PhoneNumber) throws -> PhoneNumberRecord? {
        try connection.first(Self.one, [number.text.column], record)
    }

    func all(of subject: Subject) throws -> [PhoneNumberRecord] {
        try connection.all(Self.ofPerson, [subject.column], record)
    }

    func moving(at instant: Date, limit: Int) throws -> [PhoneNumberRecord] {
        try connection.all(Self.dueMoves, [instant.column, limit.column], record)
    }

    func remove(_ number: PhoneNumber) throws -> Bool {
        try connection.change(Self.removing, [number.text.column]) > 0
    }

    func removeAll(of subject: Subject) throws -> Int {
        try connection.change(Self.removingOfPerson, [subject.column])
    }

    private func record(in row: SQLRow) throws -> PhoneNumberRecord {
        var move: PhoneNumberRecord.Move?
        let device: DeviceRegistration.ID? = row.optionalIdentifier(4)
        if let device, let due = row.optionalInstant(6) {
            move = PhoneNumberRecord.Move(to: device, of: row.optionalIdentifier(5), due: due)
        }
        return PhoneNumberRecord(
            try row.phoneNumber(0),
            of: try row.identifier(1),
            device: row.optionalIdentifier(2),
            verified: try row.instant(3),
            move: move
        )
    }
}

/// The table `phone_registrations`.
struct SQLPhoneRegistrationRepository: PhoneRegistrationRepository {
    private static let columns: SQLColumns = [
        "device", "state", "number", "before_number", "code", "sent", "wrong", "until", "codes_sent", "last_sent",
        "touched",
    ]
    private static let keeping = SQLStatement.upsert(into: "phone_registrations", columns, key: ["device"])
    private static let one: SQLStatement = "SELECT \(columns.names) FROM phone_registrations WHERE device = ?"
    private static let removing: SQLStatement = "DELETE FROM phone_registrations WHERE device = ?"
    private static let removingOfNumber: SQLStatement = """
        DELETE FROM phone_registrations WHERE number = ? AND state IN ('verified', 'moving')
        """
    private static let unproved: SQLText =
        "state <> 'verified' AND state <> 'moving' AND before_number IS NULL AND touched < ? ORDER BY touched LIMIT ?"
    private static let sweeping: SQLStatement =
        "DELETE FROM phone_registrations WHERE \(.rows(of: "phone_registrations", where: unproved))"

    let connection: any SQLConnection

    private enum StateName: String {
        case unverified, pending, moving, verified
    }

    func keep(_ record: PhoneRegistrationRecord) throws {
        var name = StateName.unverified
        var number: PhoneNumber?
        var before: PhoneNumber?
        var challenge: PhoneRegistration.Challenge?
        var until: Date?
        switch record.registration.state {
        case .unverified:
            break
        case .pending(let sent, before: let proved):
            (name, number, before, challenge) = (.pending, sent.number, proved, sent)
        case .moving(let wanted, until: let due):
            (name, number, until) = (.moving, wanted, due)
        case .verified(let proved):
            (name, number) = (.verified, proved)
        }
        try connection.write(
            Self.keeping,
            [
                record.device.column, name.column, number?.text.column, before?.text.column,
                challenge?.code.column, challenge?.sent.column, (challenge?.wrong ?? 0).column, until?.column,
                // Servers before 0010 of the decisions paused by these two.
                0.column, challenge?.sent.column, record.touched.column,
            ]
        )
    }

    func find(_ device: DeviceRegistration.ID) throws -> PhoneRegistrationRecord? {
        try connection.first(Self.one, [device.column]) { row in
            PhoneRegistrationRecord(
                device,
                PhoneRegistration(try state(in: row)),
                touched: try row.instant(10)
            )
        }
    }

    func remove(_ device: DeviceRegistration.ID) throws -> Bool {
        try connection.change(Self.removing, [device.column]) > 0
    }

    func removeAll(of number: PhoneNumber) throws {
        try connection.write(Self.removingOfNumber, [number.text.column])
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(Self.sweeping, [instant.column, limit.column])
    }

    private func state(in row: SQLRow) throws -> PhoneRegistration.State {
        switch try row.name(1, as: StateName.self) {
        case .unverified:
            return .unverified
        case .pending:
            let challenge = PhoneRegistration.Challenge(
                try row.phoneNumber(2),
                code: try row.digest(4),
                sent: try row.instant(5),
                wrong: try row.integer(6)
            )
            return .pending(challenge, before: row.isNull(3) ? nil : try row.phoneNumber(3))
        case .moving:
            return .moving(try row.phoneNumber(2), until: try row.instant(7))
        case .verified:
            return .verified(try row.phoneNumber(2))
        }
    }
}

extension SQLRow {
    /// A telephone number in its international form.
    fileprivate func phoneNumber(_ column: Int) throws -> PhoneNumber {
        guard let number = try? PhoneNumber(try text(column)) else { throw UnreadableRow(column: "telephone number") }
        return number
    }
}
