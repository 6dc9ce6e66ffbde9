public import FoundationEssentialsCompat

/// The facts about a person, besides name and e-mail address, that apps may learn.
public struct PersonProfile: Sendable, Equatable {
    /// The language and region, as in `de-AT`; `nil` when it is unknown. Standard: OpenID Connect Core 1.0 §5.1;
    /// RFC 5646.
    public var locale: String?
    /// The time zone, as in `Europe/Vienna`; `nil` when it is unknown. Standard: OpenID Connect Core 1.0 §5.1.
    public var zoneInfo: String?
    /// The time of the last change of what apps learn; `nil` for an account that is as it began.
    public var updated: Date?
    /// The attributes that the operator defined, each a short text.
    public var attributes: [AttributeName: String]

    /// The greatest number of attributes of one person.
    public static let mostAttributes = 20
    /// The length of the longest value of an attribute, in characters.
    public static let longestValue = 256

    /// Creates a profile.
    public init(
        locale: String? = nil, zoneInfo: String? = nil, updated: Date? = nil, attributes: [AttributeName: String] = [:]
    ) {
        self.locale = locale
        self.zoneInfo = zoneInfo
        self.updated = updated
        self.attributes = attributes
    }
}
