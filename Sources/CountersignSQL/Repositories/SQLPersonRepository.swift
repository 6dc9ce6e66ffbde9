internal import Countersign
internal import CountersignStorage
internal import FoundationEssentialsCompat

/// The table `people`.
struct SQLPersonRepository: PersonRepository, SQLTable {
    static let table: SQLText = "people"
    static let columns: SQLColumns = [
        "subject", "username", "name", "email", "password", "backchannel_user_code", "standing", "role",
        "created", "password_changed", "email_verified", "locale", "zone_info", "updated", "attributes",
        "email_verification", "removal",
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
    private static let leaving: SQLStatement = """
        SELECT subject FROM people WHERE removal IS NOT NULL AND removal <= ? ORDER BY removal LIMIT ?
        """
    private static let everything = selection(orderedBy: "username")
    // The row from which a page goes on is left out by its subject, so that the range alone bounds the search.
    private static let pageByUsername = selection(
        "username >= ? AND username < ? AND (username > ? OR subject > ?) ORDER BY username LIMIT ?")
    private static let pageByAddress = page(by: "lower(email)")
    private static let pageByName = page(by: "lower(name)")

    let connection: any SQLConnection
    let change: ChangeCollector?
    let prefetched: PrefetchedRows?

    static func values(of person: Person) throws -> [SQLValue?] {
        let profile = person.profile
        let attributes = Dictionary(uniqueKeysWithValues: profile.attributes.map { ($0.key.rawValue, $0.value) })
        return [
            person.subject.column, person.username.column, person.name.column, person.email?.column,
            person.password?.text.column, person.backchannelUserCode?.column, person.standing.column,
            person.role.column, person.created.column, person.passwordChanged?.column,
            person.isEmailVerified.column, profile.locale?.column, profile.zoneInfo?.column, profile.updated?.column,
            try attributes.isEmpty ? nil : .document(attributes),
            try person.emailVerification.map { try .document(StoredVerification($0)) }, person.removal?.column,
        ]
    }

    static func record(in row: SQLRow) throws -> Person {
        try Person(
            subject: row[0], username: row[1], name: row[2], email: row[3], isEmailVerified: row[10],
            emailVerification: row.isNull(15) ? nil : (row.document(15) as StoredVerification).sentCode,
            profile: profile(in: row),
            password: row.optionalText(4).map { PasswordHash(restoring: $0) }, passwordChanged: row[9],
            backchannelUserCode: row[5], standing: row[6], removal: row[16], role: row[7], created: row[8])
    }

    private static func profile(in row: SQLRow) throws -> PersonProfile {
        let attributes: [String: String] = row.isNull(14) ? [:] : try row.document(14)
        return try PersonProfile(
            locale: row[11], zoneInfo: row[12], updated: row[13],
            attributes: Dictionary(uniqueKeysWithValues: attributes.map { (AttributeName(rawValue: $0.key), $0.value) })
        )
    }

    private static func page(by field: SQLText) -> SQLStatement {
        selection(
            """
            \(field) >= ? AND \(field) < ? AND (\(field) > ? OR subject > ?)
            ORDER BY \(field), subject LIMIT ?
            """)
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
    func leaving(by instant: Date, limit: Int) throws -> [Subject] {
        try connection.all(Self.leaving, [instant.column, limit.column]) { try $0[0] }
    }

    func page(
        by field: PersonSearchField, beginningWith prefix: String, after last: Person?, limit: Int
    ) throws -> [Person] {
        let prefix = Self.folded(prefix)
        let (statement, key): (SQLStatement, @Sendable (Person) -> String) =
            switch field {
            case .username: (Self.pageByUsername, { $0.username.rawValue })
            case .email: (Self.pageByAddress, { Self.folded($0.email ?? "") })
            case .name: (Self.pageByName, { Self.folded($0.name) })
            }
        let spellings = field == .username ? [prefix] : CaseSpellings.of(prefix)
        let found = try spellings.flatMap { spelling -> [Person] in
            // A page goes on in the spelling of its last row, and begins in those after it.
            let passed = last.map(key).flatMap { spelling.isOrdered(before: $0) || spelling == $0 ? $0 : nil }
            let (start, subject) = (passed ?? spelling, passed == nil ? "" : last?.subject.rawValue ?? "")
            return try all(
                statement, start.column, spelling.endOfPrefix.column, start.column, subject.column, limit.column)
        }
        guard spellings.count > 1 else { return found }
        let ordered = found.map { (key: key($0), person: $0) }.sorted { one, other in
            one.key == other.key
                ? one.person.subject.rawValue.isOrdered(before: other.person.subject.rawValue)
                : one.key.isOrdered(before: other.key)
        }
        return ordered.prefix(limit).map(\.person)
    }

    /// The text with the letters of ASCII in lower case, as both engines fold it.
    private static func folded(_ text: String) -> String {
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return String(decoding: text.utf8.map { capitals.contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }

    func remove(_ subject: Subject) throws -> Bool {
        change?.add(.person(subject))
        prefetched?.forgetPeople()
        return try runs(Self.usual.remove, subject.column)
    }
}

/// The code for an address that is being verified, in one column.
private struct StoredVerification: Codable {
    let address: EmailAddress
    let code: [UInt8]
    let sent: Double
    let wrong: Int

    init(_ sentCode: SentCode<EmailAddress>) {
        address = sentCode.address
        code = sentCode.digest.bytes
        sent = sentCode.sent.timeIntervalSince1970
        wrong = sentCode.wrong
    }

    var sentCode: SentCode<EmailAddress> {
        SentCode(
            SecretDigest(restoring: code), to: address, sent: Date(timeIntervalSince1970: sent), wrong: wrong)
    }
}
