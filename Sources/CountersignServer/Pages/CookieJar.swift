internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads and writes the cookies of pages: that of the session, and those that recognize a browser.
///
/// Over TLS its name begins with `__Host-`, which binds it to this host and to TLS. On a loopback address without TLS
/// the name holds the port, because browsers keep cookies of all ports of a host together.
/// Standard: RFC 6265 §4.1; RFC 6265bis §4.1.3 for the prefix.
struct CookieJar: Sendable {
    private let name: String
    private let knownName: String
    private let arrivalName: String
    private let attributes: String

    init(_ issuer: Issuer) {
        if issuer.isSecure {
            name = "__Host-countersign"
            knownName = "__Host-countersign-known"
            arrivalName = "__Host-countersign-arrived"
            attributes = "; Path=/; Secure; HttpOnly; SameSite=Lax"
        } else {
            knownName = "countersign-known-\(issuer.url.port ?? 80)"
            arrivalName = "countersign-arrived-\(issuer.url.port ?? 80)"
            name = "countersign-\(issuer.url.port ?? 80)"
            attributes = "; Path=\(issuer.path.isEmpty ? "/" : issuer.path); HttpOnly; SameSite=Lax"
        }
    }

    /// The cookie in a request.
    func cookie(in request: Request) -> BrowserCookie? {
        guard let value = request.cookies[name]?.value, (16...128).contains(value.utf8.count) else { return nil }
        return BrowserCookie(revealing: value)
    }

    /// The header that gives a browser its cookie, for `lifetime` seconds or until it is closed.
    func give(_ cookie: BrowserCookie, for lifetime: TimeInterval? = nil) -> String {
        let age = lifetime.map { "; Max-Age=\(Int($0))" } ?? ""
        return "\(name)=\(cookie.revealed)\(attributes)\(age)"
    }

    /// The cookie that makes a browser known, in a request.
    func knownCookie(in request: Request) -> KnownBrowserCookie? {
        request.cookies[knownName].map { KnownBrowserCookie(revealing: $0.value) }
    }

    /// The header that makes a browser known.
    func give(_ cookie: KnownBrowserCookie) -> String {
        "\(knownName)=\(cookie.revealed)\(attributes); Max-Age=\(Int(KnownBrowserCookie.lifetime))"
    }

    /// The mark that a browser keeps of the link that it opened last, in a request.
    func arrival(in request: Request) -> String? { request.cookies[arrivalName]?.value }

    /// The header that makes a browser keep that it opened a link, for `lifetime` seconds.
    func give(arrival: String, for lifetime: TimeInterval) -> String {
        "\(arrivalName)=\(arrival)\(attributes); Max-Age=\(Int(lifetime.rounded(.up)))"
    }

    /// The header that takes the cookie away.
    var takeAway: String { "\(name)=\(attributes); Max-Age=0" }
}
