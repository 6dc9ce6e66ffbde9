internal import Countersign
internal import CountersignStorage
internal import FoundationEssentialsCompat

/// The table `people`.
struct SQLPersonRepository: PersonRepository, SQLTable {
    static let table: SQLText = "people"
    static let columns: SQLColumns = [
        "subject", "username", "name", "email", "password", "backchannel_user_code", "standing", "administrator",
        "created", "password_changed", "email_verified", "locale", "zone_info", "updated", "attributes",
        "email_verification",
    ]
    static let usual = SQLStatements(of: Self.self, key: ["subject"])
    private static let byUsername = selection("username = ?")
    private static let byAddress = selection("lower(email) = ? AND email_verified = 1 LIMIT 2")
    static let bySubjects = SQLKeyedQuery { "SELECT \(columns.names) FROM people WHERE subject IN (\($0))" }
    /// Only PostgreSQL runs this; SQLite has no ANY.
    static let byFamilies = SQLKeyedQuery {
        """
        SELECT \(columns.names) FROM people
        WHERE subject = ANY(ARRAY(\(SQLSignInRecordRepository.subjects(ofFamilies: $0))))
        """
    }
    private static let everything = selection(orderedBy: "username")

    let connection: any SQLConnection
    let change: ChangeCollector?
    let prefetched: PrefetchedRows?

    static func values(of person: Person) throws -> [SQLValue?] {
        let profile = person.profile
        let attributes = Dictionary(uniqueKeysWithValues: profile.attributes.map { ($0.key.rawValue, $0.value) })
        return [
            person.subject.column, person.username.column, person.name.column, person.email?.column,
            person.password?.text.column, person.backchannelUserCode?.column, person.standing.column,
            person.isAdministrator.column, person.created.column, person.passwordChanged?.column,
            person.isEmailVerified.column, profile.locale?.column, profile.zoneInfo?.column, profile.updated?.column,
            try attributes.isEmpty ? nil : .document(attributes),
            try person.emailVerification.map { try .document(StoredVerification($0)) },
        ]
    }

    static func record(in row: SQLRow) throws -> Person {
        try Person(
            subject: row[0], username: row[1], name: row[2], email: row[3], isEmailVerified: row[10],
            emailVerification: row.isNull(15) ? nil : (row.document(15) as StoredVerification).verification,
            profile: profile(in: row),
            password: row.optionalText(4).map { PasswordHash(restoring: $0) }, passwordChanged: row[9],
            backchannelUserCode: row[5], standing: row[6], isAdministrator: row[7], created: row[8])
    }

    private static func profile(in row: SQLRow) throws -> PersonProfile {
        let attributes: [String: String] = row.isNull(14) ? [:] : try row.document(14)
        return try PersonProfile(
            locale: row[11], zoneInfo: row[12], updated: row[13],
            attributes: Dictionary(uniqueKeysWithValues: attributes.map { (AttributeName(rawValue: $0.key), $0.value) })
        )
    }

    func insert(_ person: Person) throws {
        prefetched?.forgetPeople()
        try insertRow(person)
    }

    func find(_ username: Username) throws -> Person? { try first(Self.byUsername, username.column) }
    func all(at address: EmailAddress) throws -> [Person] { try all(Self.byAddress, address.folded.column) }

    func find(_ subject: Subject) throws -> Person? {
        if let prefetched = prefetched?.person(subject) { return prefetched }
        return try first(Self.usual.find, subject.column)
    }

    func update(_ person: Person) throws {
        change?.add(.person(person.subject))
        prefetched?.forgetPeople()
        // In PostgreSQL a violated constraint would abort the transaction. There is one writer at a time, so the name
        // stays free between this lookup and the update.
        let holder = try find(person.username)?.subject
        guard holder == nil || holder == person.subject else { throw StoreError.alreadyExists }
        try write(person, by: Self.usual.update, key: person.subject.column)
    }

    func all() throws -> [Person] { try all(Self.everything) }

    func remove(_ subject: Subject) throws -> Bool {
        change?.add(.person(subject))
        prefetched?.forgetPeople()
        return try runs(Self.usual.remove, subject.column)
    }
}

/// The verification of an address, in one column.
private struct StoredVerification: Codable {
    let address: EmailAddress
    let code: [UInt8]
    let sent: Double
    let wrong: Int

    init(_ verification: EmailVerification) {
        address = verification.address
        code = verification.code.bytes
        sent = verification.sent.timeIntervalSince1970
        wrong = verification.wrong
    }

    var verification: EmailVerification {
        EmailVerification(
            of: address, code: SecretDigest(restoring: code), sent: Date(timeIntervalSince1970: sent), wrong: wrong)
    }
}
