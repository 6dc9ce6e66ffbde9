internal import Countersign
internal import CountersignStorage
internal import CountersignWire

/// The tables `people_groups` and `group_members`.
struct SQLGroupRepository: GroupRepository, SQLTable {
    static let table: SQLText = "people_groups"
    static let columns: SQLColumns = ["name", "note", "member_of", "created"]
    static let usual = SQLStatements(of: Self.self, key: ["name"])
    private static let everything = selection(orderedBy: "name")
    private static let adding: SQLStatement =
        "INSERT INTO group_members (subject, name) VALUES (?, ?) ON CONFLICT (subject, name) DO NOTHING"
    private static let ending: SQLStatement = "DELETE FROM group_members WHERE subject = ? AND name = ?"
    private static let endingOfSubject: SQLStatement = "DELETE FROM group_members WHERE subject = ?"
    private static let endingOfGroup: SQLStatement = "DELETE FROM group_members WHERE name = ?"
    private static let ofSubject: SQLStatement = "SELECT name FROM group_members WHERE subject = ? ORDER BY name"
    private static let ofGroup: SQLStatement =
        "SELECT subject FROM group_members WHERE name = ? AND subject > ? ORDER BY subject LIMIT ?"

    let connection: any SQLConnection
    let change: ChangeCollector?

    static func values(of group: Group) throws -> [SQLValue?] {
        [group.name.column, group.note?.column, try .document(group.memberOf), group.created.column]
    }

    static func record(in row: SQLRow) throws -> Group {
        try Group(name: row[0], note: row[1], memberOf: row.document(2), created: row[3])
    }

    func insert(_ group: Group) throws {
        change?.add(.groups)
        try insertRow(group)
    }

    func find(_ name: GroupName) throws -> Group? { try first(Self.usual.find, name.column) }
    func all() throws -> [Group] { try all(Self.everything) }
    func hierarchy() throws -> GroupHierarchy { GroupHierarchy(try all()) }

    func update(_ group: Group) throws {
        change?.add(.groups)
        try write(group, by: Self.usual.update, key: group.name.column)
    }

    func remove(_ name: GroupName) throws -> Bool {
        change?.add(.groups)
        guard try runs(Self.usual.remove, name.column) else { return false }
        try write(Self.endingOfGroup, name.column)
        for var member in try all() where member.leave(name) { try update(member) }
        return true
    }

    func add(_ subject: Subject, to name: GroupName) throws {
        change?.add(.person(subject))
        try write(Self.adding, subject.column, name.column)
    }

    func remove(_ subject: Subject, from name: GroupName) throws -> Bool {
        guard try runs(Self.ending, subject.column, name.column) else { return false }
        change?.add(.person(subject))
        return true
    }

    func all(of subject: Subject) throws -> [GroupName] {
        try connection.all(Self.ofSubject, [subject.column]) { try $0[0] }
    }

    func members(of name: GroupName, after last: Subject?, limit: Int) throws -> [Subject] {
        let last = (last?.rawValue ?? "").column
        return try connection.all(Self.ofGroup, [name.column, last, limit.column]) { try $0[0] }
    }

    func removeAll(of subject: Subject) throws {
        change?.add(.person(subject))
        try write(Self.endingOfSubject, subject.column)
    }
}

/// The table `claim_mappings`.
struct SQLClaimMappingRepository: ClaimMappingRepository, SQLTable {
    static let table: SQLText = "claim_mappings"
    static let columns: SQLColumns = ["claim", "attribute", "group_values", "form", "scope", "created"]
    static let usual = SQLStatements(of: Self.self, key: ["claim"])
    private static let everything = selection(orderedBy: "claim")

    let connection: any SQLConnection
    let change: ChangeCollector?

    static func values(of mapping: ClaimMapping) throws -> [SQLValue?] {
        let source: [SQLValue?] =
            switch mapping.source {
            case .attribute(let name): [name.column, nil]
            case .groups(let values): [nil, try .document(values)]
            }
        return [mapping.claim.column] + source
            + [mapping.form.column, mapping.scope.column, mapping.created.column]
    }

    static func record(in row: SQLRow) throws -> ClaimMapping {
        let attribute: AttributeName? = try row[1]
        return try ClaimMapping(
            claim: row[0], source: attribute.map { .attribute($0) } ?? .groups(row.document(2)), form: row[3],
            scope: row[4], created: row[5])
    }

    func insert(_ mapping: ClaimMapping) throws {
        change?.add(.claims)
        try insertRow(mapping)
    }

    func all() throws -> [ClaimMapping] { try all(Self.everything) }

    func remove(_ claim: ClaimName) throws -> Bool {
        change?.add(.claims)
        return try runs(Self.usual.remove, claim.column)
    }
}
