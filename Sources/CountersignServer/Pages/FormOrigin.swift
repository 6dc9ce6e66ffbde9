internal import HTTPTypes
internal import Hummingbird

/// The origin of a form.
///
/// Browsers send the origin of a request in headers that no page can set. Without them the form token is the only
/// check.
/// Standard: Fetch Metadata Request Headers §2.1; RFC 6454 §7.
enum FormOrigin {
    static func isOurs(_ request: Request, hosts: AllowedHosts) -> Bool {
        if let site = request.headers[.secFetchSite] { return site == "same-origin" || site == "none" }
        guard let origin = request.headers[.origin] else { return true }
        return hosts.isOrigin(origin)
    }

    /// Whether the browser sent the origin of a request.
    static func isNamed(by request: Request) -> Bool {
        request.headers[.secFetchSite] != nil || request.headers[.origin] != nil
    }
}

extension HTTPField.Name {
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
