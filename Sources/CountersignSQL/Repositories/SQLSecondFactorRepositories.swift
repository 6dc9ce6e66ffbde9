internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The tables `passkeys` and `used_challenges`.
struct SQLPasskeyRepository: PasskeyRepository {
    private static let columns: SQLColumns = [
        "credential", "subject", "user_handle", "public_key", "counter", "backup_eligible", "backed_up", "transports",
        "name", "created", "last_used",
    ]
    private static let inserting = SQLStatement.insert(into: "passkeys", columns)
    private static let byID: SQLStatement = "SELECT \(columns.names) FROM passkeys WHERE credential = ?"
    private static let ofPerson: SQLStatement = """
        SELECT \(columns.names) FROM passkeys WHERE subject = ? ORDER BY created, credential LIMIT 1000
        """
    private static let updating: SQLStatement =
        "UPDATE passkeys SET counter = ?, backed_up = ?, last_used = ? WHERE credential = ?"
    private static let removing: SQLStatement = "DELETE FROM passkeys WHERE credential = ? AND subject = ?"
    private static let removingOfPerson: SQLStatement = "DELETE FROM passkeys WHERE subject = ?"
    private static let challengeColumns: SQLColumns = ["challenge", "expires"]
    private static let using = SQLStatement.insert(into: "used_challenges", challengeColumns)
    private static let sweeping = SQLStatement.sweep("used_challenges", by: "expires")

    let connection: any SQLConnection

    func insert(_ record: PasskeyRecord) throws {
        let passkey = record.passkey
        try connection.insert(
            Self.inserting,
            [
                passkey.id.column, record.subject.column, passkey.userHandle.column, passkey.key.bytes.column,
                Int(passkey.counter).column, passkey.isBackupEligible.column, passkey.isBackedUp.column,
                try .document(passkey.transports), record.name.column, record.created.column,
                record.lastUsed?.column,
            ]
        )
    }

    func find(_ id: CredentialID) throws -> PasskeyRecord? {
        try connection.first(Self.byID, [id.column], record)
    }

    func all(of subject: Subject) throws -> [PasskeyRecord] {
        try connection.all(Self.ofPerson, [subject.column], record)
    }

    func update(_ record: PasskeyRecord) throws {
        let passkey = record.passkey
        try connection.write(
            Self.updating,
            [
                Int(passkey.counter).column, passkey.isBackedUp.column, record.lastUsed?.column, passkey.id.column,
            ]
        )
    }

    func remove(_ id: CredentialID, of subject: Subject) throws -> Bool {
        try connection.change(Self.removing, [id.column, subject.column]) > 0
    }

    func removeAll(of subject: Subject) throws -> Int {
        try connection.change(Self.removingOfPerson, [subject.column])
    }

    func use(_ challenge: SecretDigest, until expires: Date) throws {
        try connection.insert(Self.using, [challenge.column, expires.column])
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(Self.sweeping, [instant.column, limit.column])
    }

    private func record(in row: SQLRow) throws -> PasskeyRecord {
        guard let counter = UInt32(exactly: try row.integer(4)), let key = try? COSEKey(parsing: try row.bytes(3))
        else {
            throw UnreadableRow(column: "passkey")
        }
        return PasskeyRecord(
            passkey: Passkey(
                id: try row.identifier(0),
                key: key,
                userHandle: try row.identifier(2),
                isBackupEligible: try row.bool(5),
                counter: counter,
                isBackedUp: try row.bool(6),
                transports: try row.document(7)
            ),
            subject: try row.identifier(1),
            name: try row.text(8),
            created: try row.instant(9),
            lastUsed: row.optionalInstant(10)
        )
    }
}

/// The table `one_time_passwords`.
struct SQLOneTimePasswordRepository: OneTimePasswordRepository {
    private static let columns: SQLColumns = [
        "subject", "sealed_secret", "moving_factor", "last_accepted", "drift", "enrolled",
    ]
    private static let keeping = SQLStatement.upsert(into: "one_time_passwords", columns, key: ["subject"])
    private static let one: SQLStatement = "SELECT \(columns.names) FROM one_time_passwords WHERE subject = ?"
    private static let removing: SQLStatement = "DELETE FROM one_time_passwords WHERE subject = ?"

    let connection: any SQLConnection

    func keep(_ record: OneTimePasswordRecord) throws {
        try connection.write(
            Self.keeping,
            [
                record.subject.column, record.sealedSecret.column, record.movingFactor.rawValue.column,
                record.last.map { Int(clamping: $0).column },
                record.drift.column, record.enrolled.column,
            ]
        )
    }

    func find(_ subject: Subject) throws -> OneTimePasswordRecord? {
        try connection.first(Self.one, [subject.column]) { row in
            OneTimePasswordRecord(
                subject: subject,
                sealedSecret: try row.bytes(1),
                movingFactor: try row.name(2),
                last: row.optionalInteger(3).map { UInt64(clamping: $0) },
                drift: try row.integer(4),
                enrolled: try row.instant(5)
            )
        }
    }

    func remove(_ subject: Subject) throws -> Bool {
        try connection.change(Self.removing, [subject.column]) > 0
    }
}

/// The table `recovery_codes`.
struct SQLRecoveryCodeRepository: RecoveryCodeRepository {
    private static let columns: SQLColumns = ["subject", "digests"]
    private static let keeping = SQLStatement.upsert(into: "recovery_codes", columns, key: ["subject"])
    private static let one: SQLStatement = "SELECT \(columns.names) FROM recovery_codes WHERE subject = ?"
    private static let removing: SQLStatement = "DELETE FROM recovery_codes WHERE subject = ?"
    private static let digestLength = 32

    let connection: any SQLConnection

    func keep(_ codes: RecoveryCodeSet) throws {
        try connection.write(Self.keeping, [codes.subject.column, codes.digests.flatMap(\.bytes).column])
    }

    func find(_ subject: Subject) throws -> RecoveryCodeSet? {
        try connection.first(Self.one, [subject.column]) { row in
            let bytes = try row.bytes(1)
            guard bytes.count % Self.digestLength == 0 else { throw UnreadableRow(column: "digests") }
            let digests = stride(from: 0, to: bytes.count, by: Self.digestLength).map { start in
                SecretDigest(restoring: Array(bytes[start..<start + Self.digestLength]))
            }
            return RecoveryCodeSet(subject: subject, restoring: digests)
        }
    }

    func remove(_ subject: Subject) throws -> Bool {
        try connection.change(Self.removing, [subject.column]) > 0
    }
}
