internal import HTTPTypes
internal import Hummingbird
internal import FoundationEssentialsCompat

/// Reads and writes the cookies of pages: those of sessions, known browsers, opened links, and requests of browsers.
///
/// Over TLS the names begin with `__Host-`. On a loopback address without TLS they contain the port, because browsers
/// do not separate the cookies of ports.
/// Standard: RFC 6265 §4.1; RFC 6265bis §4.1.3 for the prefix.
struct CookieJar: Sendable {
    private let name: String
    private let knownName: String
    private let arrivalName: String
    private let askingName: String
    private let attributes: String

    init(_ issuer: Issuer) {
        if issuer.isSecure {
            name = "__Host-countersign"
            knownName = "__Host-countersign-known"
            arrivalName = "__Host-countersign-arrived"
            askingName = "__Host-countersign-asking"
            attributes = "; Path=/; Secure; HttpOnly; SameSite=Lax"
        } else {
            knownName = "countersign-known-\(issuer.url.port ?? 80)"
            arrivalName = "countersign-arrived-\(issuer.url.port ?? 80)"
            askingName = "countersign-asking-\(issuer.url.port ?? 80)"
            name = "countersign-\(issuer.url.port ?? 80)"
            attributes = "; Path=\(issuer.path.isEmpty ? "/" : issuer.path); HttpOnly; SameSite=Lax"
        }
    }

    /// The cookie in a request.
    func cookie(in request: Request) -> BrowserCookie? {
        guard let value = request.cookies[name]?.value, (16...128).contains(value.utf8.count) else { return nil }
        return BrowserCookie(revealing: value)
    }

    /// The header that sets the session cookie, for `lifetime` seconds or until the browser closes.
    func give(_ cookie: BrowserCookie, for lifetime: TimeInterval? = nil) -> String {
        let age = lifetime.map { "; Max-Age=\(Int($0))" } ?? ""
        return "\(name)=\(cookie.revealed)\(attributes)\(age)"
    }

    /// The cookie of a known browser in a request.
    func knownCookie(in request: Request) -> KnownBrowserCookie? {
        request.cookies[knownName].map { KnownBrowserCookie(revealing: $0.value) }
    }

    /// The header that sets the cookie of a known browser.
    func give(_ cookie: KnownBrowserCookie) -> String {
        "\(knownName)=\(cookie.revealed)\(attributes); Max-Age=\(Int(KnownBrowserCookie.lifetime))"
    }

    /// The code of the last opened link in a request.
    func arrival(in request: Request) -> String? { request.cookies[arrivalName]?.value }

    /// The header that sets the code of an opened link, for `lifetime` seconds.
    func give(arrival: String, for lifetime: TimeInterval) -> String {
        "\(arrivalName)=\(arrival)\(attributes); Max-Age=\(Int(lifetime.rounded(.up)))"
    }

    /// The codes of the browser's own request for a session.
    func asking(in request: Request) -> String? { request.cookies[askingName]?.value }

    /// The header that sets the codes of the browser's own request, for `lifetime` seconds.
    func give(asking: String, for lifetime: TimeInterval) -> String {
        "\(askingName)=\(asking)\(attributes); Max-Age=\(Int(lifetime.rounded(.up)))"
    }

    /// The header that removes the codes of the browser's own request.
    var takeAwayAsking: String { "\(askingName)=\(attributes); Max-Age=0" }

    /// The header that removes the session cookie.
    var takeAway: String { "\(name)=\(attributes); Max-Age=0" }
}
