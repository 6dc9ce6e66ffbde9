internal import Countersign
internal import FoundationEssentialsCompat

/// Another browser on the account page, where the person signed in themselves.
struct OtherBrowserView: Sendable {
    /// The form field `session`, to sign it out; no secret.
    let browserSession: String
    let browserName: LocalizedText
    /// The network address that the person signed in from; `nil` when the server saw none.
    let browserAddress: String?
    /// The last use of the session.
    let browserUsed: TimeDisplay
    let signedIn: TimeDisplay
    /// The proofs of the sign-in.
    let signInProofs: [SignInProof]
    let sessionEnds: TimeDisplay

    /// One proof.
    struct SignInProof: Sendable, Equatable {
        let proofWords: LocalizedText
    }
}

extension OtherBrowserView {
    init(_ session: BrowserSession, at now: Date) {
        browserSession = session.id.rawValue
        browserName = session.browser.shownName
        browserAddress = session.browser.address
        browserUsed = TimeDisplay(session.lastUsed, at: now)
        signedIn = TimeDisplay(session.authenticated, at: now)
        signInProofs = session.proofs.compactMap { $0.words.map { SignInProof(proofWords: $0) } }
        sessionEnds = TimeDisplay(session.expires, at: now)
    }
}
