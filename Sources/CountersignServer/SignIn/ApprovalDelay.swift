internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The delay before a person can approve on a page, so that they see what is asked, and no page that covers ours gets a
/// hurried click.
///
/// The page carries when it was shown, sealed for one viewer and one request. Nothing is stored. ``ApprovalService``
/// alone checks that the delay is over, for every party that answers from a ``FormContext``. A page only asks
/// ``init(_:on:shownTo:under:)`` whether there is a delay to show.
struct ApprovalDelay: Sendable {
    /// The viewer of a page. Its mark counts for no other viewer.
    enum Viewer: Sendable {
        /// A person who is signed in at a browser.
        case session(BrowserSession)
        /// A browser that needs no signed-in person.
        case browser(BrowserCookie)

        fileprivate var name: String {
            switch self {
            case .session(let session): "\(session.id)"
            case .browser(let cookie): "browser \(URLSafeText.encode(cookie.digest.bytes))"
            }
        }
    }

    /// The question that a page asks. Its mark counts for nothing else.
    enum Question: Sendable {
        /// A request that is stored.
        case request(SignInRequest.ID)
        /// A request of an app by way of the browser, which is stored together with its answer: what identifies its
        /// parameters, and what the page shows of it.
        case authorization(String)

        fileprivate var name: String {
            switch self {
            case .request(let id): "request \(id)"
            case .authorization(let reference): reference
            }
        }
    }

    /// The time that a page has to be shown, in seconds.
    static let delay = 3
    /// The form field with the mark of when the page was shown.
    static let field = "shown"
    /// The query parameter of the page that follows an approval that came too soon.
    static let early = "early"

    private let keys: Keys
    private let viewer: Viewer
    private let question: Question

    /// The delay that an approval demands; `nil` for an approval that demands none.
    ///
    /// - Parameters:
    ///   - demands: The demands of the approval.
    ///   - question: The question that the page asks.
    ///   - viewer: The viewer of the page that asks for the approval.
    ///   - keys: The keys that seal the mark.
    init?(_ demands: ScopeDemands, on question: Question, shownTo viewer: Viewer, under keys: Keys) {
        guard demands.contains(.deliberate) else { return nil }
        self.keys = keys
        self.viewer = viewer
        self.question = question
    }

    /// The values that the page shown at `now` needs.
    func view(at now: Date) -> ApprovalDelayView {
        let time = String(Int64(now.timeIntervalSince1970 * 1000))
        return ApprovalDelayView(shownMark: "\(time).\(code(of: time))", delaySeconds: String(Self.delay))
    }

    /// Whether an approval comes from a page that was shown for long enough.
    ///
    /// - Parameter mark: The mark, as the form has it.
    func isOver(_ mark: String?, at now: Date) -> Bool {
        guard let mark, let dot = mark.firstIndex(of: "."), let time = Int64(mark[..<dot]),
            ConstantTime.areSame(code(of: String(mark[..<dot])), String(mark[mark.index(after: dot)...]))
        else { return false }
        return Date(timeIntervalSince1970: Double(time) / 1000) + TimeInterval(Self.delay) <= now
    }

    private func code(of time: String) -> String {
        keys.authenticationCode(for: "\(viewer.name)\n\(time)\n\(question.name)", use: "when a page was shown")
    }
}

extension SignInExchangeRecord {
    /// The delay before the request can be approved on a page; `nil` for none.
    func approvalDelay(
        for viewer: ApprovalDelay.Viewer,
        under policy: Policy,
        sealedBy keys: Keys
    ) -> ApprovalDelay? {
        ApprovalDelay(demands(under: policy), on: .request(id), shownTo: viewer, under: keys)
    }
}

/// The values that a page needs where a person can approve only after a delay.
struct ApprovalDelayView: Sendable {
    /// The mark of the time when the page was shown; the form field `shown`.
    let shownMark: String
    /// The delay of the button, in seconds.
    let delaySeconds: String
}
