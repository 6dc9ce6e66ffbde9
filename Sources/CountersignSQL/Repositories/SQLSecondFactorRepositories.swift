internal import Countersign
internal import CountersignStorage
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The tables `passkeys` and `used_challenges`.
struct SQLPasskeyRepository: PasskeyRepository, SQLTable, SQLExpiringTable {
    static let table: SQLText = "passkeys"
    static let columns: SQLColumns = [
        "credential", "subject", "user_handle", "public_key", "counter", "backup_eligible", "backed_up", "transports",
        "name", "created", "last_used",
    ]
    static let usual = SQLStatements(of: Self.self, key: ["credential"])
    private static let ofPerson = selection("subject = ? ORDER BY created, credential LIMIT 1000")
    private static let updating: SQLStatement =
        "UPDATE passkeys SET counter = ?, backed_up = ?, last_used = ? WHERE credential = ?"
    private static let removing = removal("credential = ? AND subject = ?")
    private static let removingOfPerson = removal("subject = ?")
    private static let using = SQLStatement.insert(into: "used_challenges", ["challenge", "expires"])
    static let sweeping = SQLStatement.sweep("used_challenges", by: "expires")

    let connection: any SQLConnection

    static func values(of record: PasskeyRecord) throws -> [SQLValue?] {
        let passkey = record.passkey
        return [
            passkey.id.column, record.subject.column, passkey.userHandle.column, passkey.key.bytes.column,
            Int(passkey.counter).column, passkey.isBackupEligible.column, passkey.isBackedUp.column,
            try .document(passkey.transports), record.name.column, record.created.column, record.lastUsed?.column,
        ]
    }

    static func record(in row: SQLRow) throws -> PasskeyRecord {
        guard let counter = UInt32(exactly: try row.integer(4)), let key = try? COSEKey(parsing: row[3]) else {
            throw RowDecodingError(column: "passkey")
        }
        let passkey = try Passkey(
            id: row[0], key: key, userHandle: row[2], isBackupEligible: row[5], counter: counter, isBackedUp: row[6],
            transports: row.document(7))
        return try PasskeyRecord(passkey: passkey, subject: row[1], name: row[8], created: row[9], lastUsed: row[10])
    }

    func find(_ id: CredentialID) throws -> PasskeyRecord? { try first(Self.usual.find, id.column) }
    func all(of subject: Subject) throws -> [PasskeyRecord] { try all(Self.ofPerson, subject.column) }

    func update(_ record: PasskeyRecord) throws {
        let passkey = record.passkey
        try write(
            Self.updating, Int(passkey.counter).column, passkey.isBackedUp.column, record.lastUsed?.column,
            passkey.id.column)
    }

    func remove(_ id: CredentialID, of subject: Subject) throws -> Bool {
        try runs(Self.removing, id.column, subject.column)
    }

    func removeAll(of subject: Subject) throws -> Int { try run(Self.removingOfPerson, subject.column) }

    func use(_ challenge: SecretDigest, until expires: Date) throws {
        try connection.insert(Self.using, [challenge.column, expires.column])
    }
}

/// The table `one_time_passwords`.
struct SQLOneTimePasswordRepository: OneTimePasswordRepository, SQLTable {
    static let table: SQLText = "one_time_passwords"
    static let columns: SQLColumns = [
        "subject", "sealed_secret", "moving_factor", "last_accepted", "drift", "enrolled",
    ]
    static let usual = SQLStatements(of: Self.self, key: ["subject"])

    let connection: any SQLConnection

    static func values(of record: OneTimePasswordRecord) -> [SQLValue?] {
        [
            record.subject.column, record.sealedSecret.column, record.movingFactor.rawValue.column,
            record.last.map { Int(clamping: $0).column }, record.drift.column, record.enrolled.column,
        ]
    }

    static func record(in row: SQLRow) throws -> OneTimePasswordRecord {
        let last: Int? = try row[3]
        return try OneTimePasswordRecord(
            subject: row[0], sealedSecret: row[1], movingFactor: row[2], last: last.map { UInt64(clamping: $0) },
            drift: row[4], enrolled: row[5])
    }

    func find(_ subject: Subject) throws -> OneTimePasswordRecord? { try first(Self.usual.find, subject.column) }
    func remove(_ subject: Subject) throws -> Bool { try runs(Self.usual.remove, subject.column) }
}

/// The table `recovery_codes`.
struct SQLRecoveryCodeRepository: RecoveryCodeRepository, SQLTable {
    static let table: SQLText = "recovery_codes"
    static let columns: SQLColumns = ["subject", "digests"]
    static let usual = SQLStatements(of: Self.self, key: ["subject"])
    private static let digestLength = 32

    let connection: any SQLConnection

    static func values(of codes: RecoveryCodeSet) -> [SQLValue?] {
        [codes.subject.column, codes.digests.flatMap(\.bytes).column]
    }

    static func record(in row: SQLRow) throws -> RecoveryCodeSet {
        let bytes: [UInt8] = try row[1]
        guard bytes.count % digestLength == 0 else { throw RowDecodingError(column: "digests") }
        let digests = stride(from: 0, to: bytes.count, by: digestLength).map { start in
            SecretDigest(restoring: Array(bytes[start..<start + digestLength]))
        }
        return RecoveryCodeSet(subject: try row[0], restoring: digests)
    }

    func find(_ subject: Subject) throws -> RecoveryCodeSet? { try first(Self.usual.find, subject.column) }
    func remove(_ subject: Subject) throws -> Bool { try runs(Self.usual.remove, subject.column) }
}
