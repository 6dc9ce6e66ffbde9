#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The life of signing keys.
///
///     created ──published only──▶ activates ──signs──▶ retired ──published only──▶ removed ──hints──▶ forgotten
///
/// A new key is published for an hour before it signs, so that services that cache the keys have it; a retired one
/// stays published for a day, longer than the life of any token that it signed. Its public half is kept after that,
/// since clients bring an ID token as a hint for as long as the person stays signed in. Keys that may be compromised
/// skip these steps: `Store.replaceKeys(by:at:)` removes all of them in one change.
public enum KeyRotation {
    /// The time that a key is published before it signs, in seconds.
    public static let lead: TimeInterval = 3600
    /// The time that clients may cache the keys and the metadata, in seconds.
    static let freshness = 300
    /// The time that a key stays published after it stopped signing, in seconds.
    public static let overlap: TimeInterval = 86_400
    /// The time that ID tokens are known as hints after their key stopped signing, in seconds: longer than any session.
    public static let hints: TimeInterval = 400 * 86_400
    /// The time that a key signs before the server replaces it by itself, in seconds.
    public static let period: TimeInterval = 90 * 86_400

    /// The changes by a rotation to the keys of one purpose.
    package struct Step: Sendable, Equatable {
        /// The activation of a new key for signing; `nil` when none is due.
        package var successorActivates: Date?
        /// The keys that stop signing, now that a younger one signs.
        package var retiring: [ServerKey] = []
        /// The keys whose last tokens have expired.
        package var removing: [ServerKey] = []
        /// The keys whose instants lie further ahead than any rotation puts them, because the clock was set back; they
        /// begin, or stop, to sign now.
        package var misdated: [ServerKey] = []
    }

    /// Whether others may still, or soon, need the public half of `key`.
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
