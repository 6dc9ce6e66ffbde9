/// The local users who are somebody by their name alone: those whom the system counts as people.
///
/// All others are the system's own, such as `root` or `nobody`, and those of containers and services: a person who could
/// register such a name at the server would be them.
///
/// Standard: login.defs(5), `UID_MIN` and `UID_MAX`.
struct PersonalUsers: Sendable, Equatable {
    /// The file of a host that sets them.
    static let path = "/etc/login.defs"

    private let numbers: ClosedRange<UInt32>

    /// `nobody`, and the number that stands for none in 16 bits.
    private static let never: Set<UInt32> = [65_534, 65_535]

    /// Reads the definitions.
    ///
    /// - Parameter definitions: The text of the file; `nil` where there is none, for 1000 to 60000.
    init(definitions: String?) {
        var values: [Substring: UInt32] = [:]
        for line in (definitions ?? "").split(whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.count > 1, let value = UInt32(words[1]) { values[words[0]] = value }
        }
        // Never root.
        let first = max(values["UID_MIN"] ?? 1000, 1)
        let last = values["UID_MAX"] ?? 60_000
        numbers = first <= last ? first...last : 1000...60_000
    }

    func contains(_ number: UInt32) -> Bool { numbers.contains(number) && !Self.never.contains(number) }

    /// Whether a number is above those of people, as a directory may have them.
    func isExceeded(by number: UInt32) -> Bool { number > numbers.upperBound && !Self.never.contains(number) }
}
