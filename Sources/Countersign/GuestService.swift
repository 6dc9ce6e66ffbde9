public import FoundationEssentialsCompat

/// A program that acts for a person for one purpose and a bounded time, such as a backup until tomorrow.
///
/// It says both itself; the person who approves sees them, and may shorten the time. Nothing that it gets lives past
/// ``ends``. This is an addition of Countersign.
public struct GuestService: Sendable, Hashable, Codable {
    /// The longest purpose, in characters.
    public static let longestPurpose = 64

    /// The purpose in the program's own words, such as "backup on nas": one line of at most ``longestPurpose`` characters.
    public let purpose: String
    /// The end that the program wishes.
    public let ends: Date

    /// Creates a service. A fraction of the last second is cut, as messages have whole ones.
    public init(purpose: String, ends: Date) {
        self.purpose = purpose
        self.ends = Date(named: ends.numericDate)
    }
}
