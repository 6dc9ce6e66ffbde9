public import FoundationEssentialsCompat

/// A group of people: its members are people and other groups.
public struct Group: Sendable, Equatable {
    /// The name in claims.
    public let name: GroupName
    /// A note for operators; `nil` for none.
    public var note: String?
    /// The groups that it is a member of, by name. Whoever is in it is in these, too.
    public var memberOf: [GroupName]
    /// The time of its creation.
    public let created: Date

    /// The greatest number of groups of a server.
    public static let most = 1_000

    /// Creates a group to add.
    public init(name: GroupName, note: String? = nil, memberOf: [GroupName] = [], created: Date) {
        self.name = name
        self.note = note
        self.memberOf = memberOf
        self.created = created
    }

    /// Ends the membership in another group.
    ///
    /// - Parameter group: The other group.
    /// - Returns: Whether it was a member.
    package mutating func leave(_ group: GroupName) -> Bool {
        guard memberOf.contains(group) else { return false }
        memberOf.removeAll { $0 == group }
        return true
    }
}

/// The groups of a server, with the groups that each is a member of.
public struct GroupHierarchy: Sendable, Equatable {
    private let memberOf: [GroupName: [GroupName]]

    /// Creates the hierarchy of all groups.
    ///
    /// - Parameter groups: The groups, each once.
    public init(_ groups: [Group]) {
        memberOf = Dictionary(groups.map { ($0.name, $0.memberOf) }) { first, _ in first }
    }

    /// All groups that a member of some groups is in.
    ///
    /// - Parameter groups: The groups that it is a member of itself.
    /// - Returns: Those of them that exist, and all groups that these are members of, near and far.
    public func groups(around groups: [GroupName]) -> Set<GroupName> {
        var found: Set<GroupName> = []
        var waiting = groups
        while let next = waiting.popLast() {
            guard let outer = memberOf[next], found.insert(next).inserted else { continue }
            waiting += outer
        }
        return found
    }
}
