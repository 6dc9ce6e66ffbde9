internal import Foundation
package import FoundationEssentialsCompat

extension TimeZone {
    /// The names of the time zones to choose from, as in `Europe/Vienna`, in their order.
    static let names = knownTimeZoneIdentifiers.filter { $0.contains("/") }.sorted()

    /// The maximum number of characters of a name.
    private static let longestName = 64

    /// Finds a time zone by its name; `nil` for one that the system does not know.
    ///
    /// Standard: OpenID Connect Core 1.0 §5.1 (`zoneinfo`).
    ///
    /// - Parameter name: A name of the IANA time zone database, as in `Europe/Vienna`.
    package init?(named name: String) {
        let isName = name.utf8.count <= Self.longestName && name.utf8.contains(UInt8(ascii: "/"))
        guard isName || name == "UTC", let zone = TimeZone(identifier: name) else { return nil }
        self = zone
    }
}

extension Person {
    /// The time zone that the person chose; `nil` for none, or one that the system does not know.
    var timeZone: TimeZone? { profile.zoneInfo.flatMap { TimeZone(named: $0) } }
}
