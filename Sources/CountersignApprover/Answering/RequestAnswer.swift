/// The person's answer to a request that waits.
public enum RequestAnswer: Sendable, Hashable {
    /// Yes; with the number that is shown where they started, if required. With `remembers` they need not be asked again
    /// for the same app, if no other app can impersonate it; and a screen nearby that wants to be is paired.
    case approve(number: String? = nil, remembers: Bool = false)
    /// No.
    case deny
    /// No, and it was not they who started it: the server shows them nothing more of its client until they lift that on
    /// `/account`. The reason is in their own words, at most 200 bytes; what is longer is cut.
    case report(reason: String? = nil)
    /// No, and the server shows them nothing more of its client until they lift that on `/account`.
    case mute
    /// Neither: the person goes on in the browser, as with another account. Only for the request of another app.
    case goOnInBrowser

    /// Whether it lets the other side in.
    public var isApproval: Bool {
        switch self {
        case .approve: true
        case .deny, .report, .mute, .goOnInBrowser: false
        }
    }
}
