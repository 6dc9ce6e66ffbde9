internal import FoundationEssentialsCompat

/// A screen on the account page that remembers the person.
struct RememberedScreenView: Sendable, Equatable {
    /// The form field `screen`, to end it; no secret.
    let screenID: String
    /// The app's name.
    let client: String
    /// Whether the app chose that name itself.
    let isSelfNamed: Bool
    /// The screen's name, as it stated it.
    let deviceName: String?
    /// The time when the person chose it.
    let since: TimeDisplay
    /// The time of the last sign-in there.
    let lastUsed: TimeDisplay
}
