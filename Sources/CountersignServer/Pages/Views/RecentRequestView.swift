internal import Countersign
internal import FoundationEssentialsCompat

/// A recent request on the account page.
struct RecentRequestView: Sendable, Equatable {
    /// The identifier of the request; no secret.
    let recentID: String
    /// The name of the app that asked.
    let recentApp: LocalizedText
    /// Whether the app chose that name itself.
    let isRecentNameOwn: Bool
    /// The last decision about it, or its end.
    let recentOutcome: LocalizedText
    let recentTime: TimeDisplay
}

extension RecentRequestView {
    /// The request of a history; `nil` when it has no decision.
    init?(_ history: RequestHistory, at now: Date) {
        guard let last = history.outcome else { return nil }
        let client = history.records.shownClient
        self.init(
            recentID: history.records.id.rawValue,
            recentApp: history.records.shownApp,
            isRecentNameOwn: client.isOwn,
            recentOutcome: last.words,
            recentTime: TimeDisplay(last.at, at: now)
        )
    }
}

/// A notice on the account page that the screen undid an approval.
struct ScreenUndoView: Sendable, Equatable {
    /// The name of the app, as it is registered.
    let undoneApp: LocalizedText
    /// Whether the app chose that name itself.
    let isUndoneNameOwn: Bool
    let undoneTime: TimeDisplay
}

extension ScreenUndoView {
    /// The notice about a request; `nil` for one that the screen did not undo.
    init?(_ history: RequestHistory, at now: Date) {
        guard let last = history.outcome, last.kind == .undone, last.by == .client else { return nil }
        let client = history.records.shownClient
        self.init(
            undoneApp: history.records.shownApp, isUndoneNameOwn: client.isOwn,
            undoneTime: TimeDisplay(last.at, at: now))
    }
}

extension RequestRecords {
    /// The name of the client on pages, and whether the client chose it.
    var shownClient: (name: String, isOwn: Bool) {
        (client ?? clientID.flatMap(Client.page)).map { ($0.shownName, $0.namedItself) }
            ?? (clientID?.rawValue ?? "", false)
    }

    /// The same name in the language of the reader.
    fileprivate var shownApp: LocalizedText {
        askingPage.map { .text($0.pageName) } ?? .verbatim(shownClient.name)
    }

    /// The purpose of a browser that asked at a page of this server; `nil` for a request of a client.
    var askingPage: BrowserSignInTerms.Purpose? { clientID.flatMap(BrowserSignInTerms.Purpose.init(ofPage:)) }
}
