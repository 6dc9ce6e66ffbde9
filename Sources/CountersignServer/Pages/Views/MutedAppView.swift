internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One app on the account page that may not ask the person anything.
struct MutedAppView: Sendable, Equatable {
    /// The form field `client`.
    let clientID: String
    /// The app's name.
    let client: String
    /// Whether the app gave itself that name.
    var isSelfNamed = false
    /// The reason that the person gave.
    let cause: LocalizedText
    /// The instant since when it may not.
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
