internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The secret of a session, which a browser keeps in a cookie; the gate keeps its digest.
struct SessionCookie: Secret {
    let revealed: String

    init(revealing text: String) { revealed = text }

    /// Draws a new one of 256 bits.
    init(drawingFrom random: RandomSource) { revealed = URLSafeText.encode(random.bytes(32)) }

    /// Reads the value of a cookie; `nil` for one that the gate never sets.
    init?(parsing text: String) {
        guard text.utf8.count == 43, text.utf8.allSatisfy(URLSafeText.isUnreserved) else { return nil }
        revealed = text
    }
}

extension GateSite {
    /// The name of the cookie that ties the answers to sign-ins to the browser that began them.
    var browserCookieName: String { isSecure ? "__Host-countersign-browser" : "countersign-browser" }

    /// The header that sets the session's cookie.
    func cookie(_ cookie: SessionCookie, lasting seconds: TimeInterval) -> String {
        "\(sessionPlace.cookieName)=\(cookie.revealed); Max-Age=\(Int(seconds)); \(cookieAttributes)"
    }

    /// The headers that take the cookies away: that of the session, and that of the browser.
    var takenCookies: [String] { [takenCookie, takenBrowserCookie] }

    private var takenCookie: String { "\(sessionPlace.cookieName)=; Max-Age=0; \(cookieAttributes)" }

    /// The header that sets the browser's cookie, which each sign-in renews and a sign-out takes away. It outlives every
    /// session, so that tabs that begin at once, as a browser restores them, find the same one.
    func browserCookie(_ value: String) -> String {
        "\(browserCookieName)=\(value); Max-Age=\(GateConfiguration.Times.longest); \(hostAttributes)"
    }

    /// The header that takes the browser's cookie away.
    private var takenBrowserCookie: String { "\(browserCookieName)=; Max-Age=0; \(hostAttributes)" }

    private var cookieAttributes: String { hostAttributes + (cookieDomain.map { "; Domain=\($0)" } ?? "") }

    private var hostAttributes: String { "Path=/; HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")" }
}
