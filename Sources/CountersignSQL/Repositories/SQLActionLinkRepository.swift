internal import Countersign
internal import CountersignStorage
internal import FoundationEssentialsCompat

/// The table `action_links`.
struct SQLActionLinkRepository: ActionLinkRepository, SQLTable, SQLExpiringTable {
    static let table: SQLText = "action_links"
    static let columns: SQLColumns = ["digest", "subject", "act", "email", "created", "expires", "used"]
    static let usual = SQLStatements(of: Self.self, key: ["digest"])
    private static let updating = update(["used"], where: "digest = ?")
    private static let ofSubject = selection("subject = ?")
    private static let waiting = selection(
        """
        act = 'invitation' AND used IS NULL AND expires > ? AND (created, subject) > (?, ?)
        ORDER BY created, subject LIMIT ?
        """)
    private static let removingOfSubject = removal("subject = ?")
    private static let removingUnused = removal("subject = ? AND used IS NULL")
    private static let removingOfAddress = removal("lower(email) = ? AND used IS NULL")
    static let sweeping = sweep(by: "expires")

    /// The stored name of an act.
    private enum ActName: String, SQLColumnValue {
        case passwordReset = "password_reset"
        case invitation
    }

    let connection: any SQLConnection

    static func values(of link: ActionLink) -> [SQLValue?] {
        let (act, email): (ActName, EmailAddress?) =
            switch link.act {
            case .passwordReset: (.passwordReset, nil)
            case .invitation(let address): (.invitation, address)
            }
        return [
            link.digest.column, link.subject.column, act.rawValue.column, email?.column, link.created.column,
            link.expires.column, link.used?.column,
        ]
    }

    static func record(in row: SQLRow) throws -> ActionLink {
        let name: ActName = try row[2]
        let act: ActionLink.Act =
            switch name {
            case .passwordReset: .passwordReset
            case .invitation: .invitation(row.optionalText(3).map(EmailAddress.init(rawValue:)))
            }
        return try ActionLink(
            digest: row[0], to: act, for: row[1], created: row[4], expires: row[5], used: row[6])
    }

    func insert(_ link: ActionLink) throws {
        try write(Self.removingOfSubject, link.subject.column)
        if case .invitation(let address?) = link.act { try write(Self.removingOfAddress, address.folded.column) }
        try insertRow(link)
    }

    func find(_ digest: SecretDigest) throws -> ActionLink? { try first(Self.usual.find, digest.column) }

    func find(of subject: Subject) throws -> ActionLink? { try first(Self.ofSubject, subject.column) }

    func invitations(at now: Date, after last: ActionLink.Position?, limit: Int) throws -> [ActionLink] {
        try all(
            Self.waiting, now.column, (last?.created ?? .distantPast).column, (last?.subject.rawValue ?? "").column,
            limit.column)
    }

    func update(_ link: ActionLink) throws { try write(Self.updating, link.used?.column, link.digest.column) }

    func removeUnused(of subject: Subject) throws -> Bool { try runs(Self.removingUnused, subject.column) }

    func remove(of subject: Subject) throws { try write(Self.removingOfSubject, subject.column) }
}
