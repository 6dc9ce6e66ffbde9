internal import Countersign

/// A browser on the account page that shows requests to its person.
struct BrowserPushView: Sendable {
    /// The form field `session`, to end it; no secret.
    let pushSession: String
    let pushBrowser: LocalizedText
    let pushAdded: TimeDisplay
    /// Whether it is the browser that shows the page.
    let isPushHere: Bool
}
