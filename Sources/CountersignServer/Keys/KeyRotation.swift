public import FoundationEssentialsCompat

/// The life of signing keys.
///
///     created ──published only──▶ activates ──signs──▶ retired ──published only──▶ removed ──hints──▶ forgotten
///
/// A new key is published for an hour before it signs, for services that cache the keys; a retired one stays published
/// for a day, longer than the lifetime of its tokens. Its public half is stored longer for ID token hints. For
/// compromised keys, `Store.replaceKeys(by:at:)` removes all of them in one change.
public enum KeyRotation {
    /// The time between publication and first use of a key, in seconds.
    public static let lead: TimeInterval = 3600
    /// The time that clients may cache the keys and the metadata, in seconds.
    static let freshness = 300
    /// The time of publication after the last use of a key, in seconds.
    public static let overlap: TimeInterval = 86_400
    /// The time of acceptance of hints after the last use of their key, in seconds: longer than any session.
    public static let hints: TimeInterval = 400 * 86_400
    /// The time between automatic rotations, in seconds.
    public static let period: TimeInterval = 90 * 86_400

    /// The changes by a rotation to the keys of one purpose.
    package struct Step: Sendable, Equatable {
        /// The activation of a new key for signing; `nil` when none is due.
        package var successorActivates: Date?
        /// The keys to retire, because a younger one signs.
        package var retiring: [ServerKey] = []
        /// The keys whose last tokens have expired.
        package var removing: [ServerKey] = []
        /// The keys with dates too far in the future, because the clock was set back; these become now.
        package var misdated: [ServerKey] = []
    }

    /// Whether `key` is published.
    package static func isPublished(_ key: ServerKey, at now: Date) -> Bool {
        guard let retired = key.retired else { return true }
        return now < retired.addingTimeInterval(overlap)
    }

    private static func isMisdated(_ key: ServerKey, at now: Date) -> Bool {
        // A clock that is hours ahead does no harm; one that is years ahead would end all rotation.
        let latest = now.addingTimeInterval(lead + overlap)
        return key.activates > latest || key.retired.map { $0 > latest } ?? false
    }

    /// The changes that are due at `now` for the keys of one purpose.
    package static func due(for keys: [ServerKey], at now: Date) -> Step {
        var step = Step()
        step.misdated = keys.filter { isMisdated($0, at: now) }
        guard step.misdated.isEmpty else { return step }
        let inUse = keys.filter { $0.retired == nil }.sorted { $0.activates < $1.activates }
        if let youngest = inUse.last, youngest.activates.addingTimeInterval(period) <= now {
            step.successorActivates = now.addingTimeInterval(lead)
        }
        if let signing = inUse.last(where: { $0.activates <= now }) {
            step.retiring = inUse.filter { $0.activates < signing.activates }
        }
        step.removing = keys.filter { !isPublished($0, at: now) }
        return step
    }
}
