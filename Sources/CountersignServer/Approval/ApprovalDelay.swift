internal import Countersign
internal import CountersignWire
internal import Foundation

/// The delay before a person can approve on a page, so that they see what is asked, and no page that covers ours gets a
/// hurried click.
///
/// The page carries when it was shown, sealed for one browser session and one request. Nothing is stored.
struct ApprovalDelay: Sendable {
    /// For how long a page has to be shown, in seconds.
    static let delay = 3
    /// The form field with the mark of when the page was shown.
    static let field = "shown"

    private let keys: Keys
    private let session: BrowserSession
    private let request: String

    /// Creates it for what is decided in one browser session.
    ///
    /// - Parameter request: What identifies the request.
    init(on request: String, in session: BrowserSession, under keys: Keys) {
        self.keys = keys
        self.session = session
        self.request = request
    }

    /// The same for a request that the store has.
    init(on request: SignInRequest.ID, in session: BrowserSession, under keys: Keys) {
        self.init(on: "request \(request)", in: session, under: keys)
    }

    /// What the page needs that is shown now.
    func view(at now: Date) -> ApprovalDelayView {
        let time = String(Int64(now.timeIntervalSince1970 * 1000))
        return ApprovalDelayView(shownMark: "\(time).\(code(of: time))", delaySeconds: String(Self.delay))
    }

    /// Whether an approval comes from a page that was shown for long enough.
    ///
    /// - Parameter mark: What the form says.
    func isOver(_ mark: String?, at now: Date) -> Bool {
        guard let mark, let dot = mark.firstIndex(of: "."), let time = Int64(mark[..<dot]),
            ConstantTime.areSame(code(of: String(mark[..<dot])), String(mark[mark.index(after: dot)...]))
        else { return false }
        return Date(timeIntervalSince1970: Double(time) / 1000) + TimeInterval(Self.delay) <= now
    }

    private func code(of time: String) -> String {
        keys.authenticationCode(for: "\(session.id)\n\(time)\n\(request)", use: "when a page was shown")
    }
}

/// What a page needs where a person can approve only after a delay.
struct ApprovalDelayView: Sendable {
    /// When the page was shown; the form field `shown`.
    let shownMark: String
    /// How long the button waits, in seconds.
    let delaySeconds: String
}
