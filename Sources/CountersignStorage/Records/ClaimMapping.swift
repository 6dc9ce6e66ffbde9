public import CountersignWire
public import FoundationEssentialsCompat

/// A claim that an operator declared: its name, and the source of its values.
public struct ClaimMapping: Sendable, Equatable {
    /// The source of the values.
    public enum Source: Sendable, Equatable {
        /// The names of the groups that the person is in; with values, the values of these groups alone, in this order.
        case groups([GroupValue])
        /// An attribute of the person.
        case attribute(AttributeName)
    }

    /// The value that stands for a group.
    public struct GroupValue: Sendable, Equatable, Codable {
        /// The group.
        public let group: GroupName
        /// The value for its members.
        public let value: String

        /// Creates a value.
        public init(_ group: GroupName, _ value: String) {
            self.group = group
            self.value = value
        }
    }

    /// The JSON form of the claim.
    public enum Form: String, Sendable, CaseIterable {
        /// A list of all values, empty for none.
        case list
        /// The first value as one text; no claim without a value.
        case text
    }

    /// The name of the claim.
    public let claim: ClaimName
    /// The source of its values.
    public let source: Source
    /// The form of the claim.
    public let form: Form
    /// The scope value that gives it.
    public let scope: ScopeWord
    /// The time of the declaration.
    public let created: Date

    /// The greatest number of declared claims.
    public static let most = 20
    /// The greatest number of groups with values in one declaration.
    public static let mostValues = 50
    /// The length of the longest value, in characters.
    public static let longestValue = 64

    /// Creates a declaration.
    public init(claim: ClaimName, source: Source, form: Form, scope: ScopeWord, created: Date) {
        self.claim = claim
        self.source = source
        self.form = form
        self.scope = scope
        self.created = created
    }
}
