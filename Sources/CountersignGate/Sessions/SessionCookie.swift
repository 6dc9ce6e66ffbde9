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
    /// The name of the session's cookie. The prefixes bind it to its host, or to TLS.
    ///
    /// Standard: draft-ietf-httpbis-rfc6265bis §4.1.3.
    var cookieName: String {
        guard isSecure else { return "countersign-gate" }
        return cookieDomain == nil ? "__Host-countersign-gate" : "__Secure-countersign-gate"
    }

    /// The name of the cookie that ties the answers to sign-ins to the browser that began them.
    var browserCookieName: String { isSecure ? "__Host-countersign-browser" : "countersign-browser" }

    /// The place of the sessions that the cookie names.
    var sessionPlace: String { cookieDomain ?? origin.rawValue }

    /// The header that sets the session's cookie.
    func cookie(_ cookie: SessionCookie, lasting seconds: TimeInterval) -> String {
        "\(cookieName)=\(cookie.revealed); Max-Age=\(Int(seconds)); \(cookieAttributes)"
    }

    /// The header that takes the session's cookie away.
    var takenCookie: String { "\(cookieName)=; Max-Age=0; \(cookieAttributes)" }

    /// The header that sets the browser's cookie.
    func browserCookie(_ value: String) -> String {
        "\(browserCookieName)=\(value); Path=/; HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")"
    }

    private var cookieAttributes: String {
        let domain = cookieDomain.map { "; Domain=\($0)" } ?? ""
        return "Path=/; HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")\(domain)"
    }
}
