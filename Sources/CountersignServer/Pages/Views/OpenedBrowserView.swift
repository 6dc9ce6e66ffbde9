internal import FoundationEssentialsCompat

/// A browser on the account page that the person signed in by an approval on another device.
struct OpenedBrowserView: Sendable {
    /// The form field `grant`, to sign the browser out; no secret.
    let browserGrant: String
    /// The browser, as it names itself.
    let browserName: LocalizedText
    /// The network address that it asked from; `nil` when the server saw none.
    let browserAddress: String?
    /// The time of the approval.
    let browserApproved: TimeDisplay
    /// The name of the approving browser or device; `nil` for none.
    let browserApprover: String?
    /// The last use of its session; `nil` while it has not used the approval.
    let browserUsed: TimeDisplay?
    /// The end of its session; `nil` while it has not used the approval.
    let browserEnds: TimeDisplay?
    /// Whether it is the browser that shows the page.
    let isThisBrowser: Bool

    /// - Parameters:
    ///   - approver: The name of the approving browser or device; `nil` for none.
    ///   - session: The session; `nil`, the default, before it began.
    ///   - isHere: Whether it is the browser that shows the page.
    init(
        _ opening: SessionOpening,
        by approver: String?,
        in session: BrowserSession? = nil,
        isHere: Bool = false,
        at now: Date
    ) {
        browserGrant = opening.grant.id.rawValue
        browserName = opening.software.map { .verbatim(FactLine.claim($0)) } ?? .text(.accountABrowser)
        browserAddress = opening.address
        browserApproved = TimeDisplay(opening.grant.approved, at: now)
        browserApprover = approver.map(FactLine.claim)
        browserUsed = session.map { TimeDisplay($0.lastUsed, at: now) }
        browserEnds = session.map { TimeDisplay($0.expires, at: now) }
        isThisBrowser = isHere
    }
}
