internal import FoundationEssentialsCompat

/// A muted app on the account page.
struct MutedAppView: Sendable, Equatable {
    /// The form field `client`.
    let clientID: String
    /// The app's name.
    let client: String
    /// Whether the app chose that name itself.
    var isSelfNamed = false
    /// The reason that the person gave.
    let cause: LocalizedText
    /// The time of the mute.
    let since: TimeDisplay
}

extension MutedAppView {
    init(_ mute: Mute, of client: Client, at now: Date) {
        clientID = mute.client.rawValue
        self.client = client.shownName
        isSelfNamed = client.namedItself
        cause =
            switch mute.cause {
            case .reported: .text(.accountMutedReported)
            case .muted: .text(.accountMutedChosen)
            }
        since = TimeDisplay(mute.since, at: now)
    }
}
