internal import HTTPTypes
internal import Hummingbird

/// Whether a form was sent by one of our own pages.
///
/// Browsers name the origin of a request in headers that no page can set. The form's token is checked as well; it is
/// the only check when a browser sends neither header.
/// Standard: Fetch Metadata Request Headers §2.1; RFC 6454 §7.
enum FormOrigin {
    static func isOurs(_ request: Request, hosts: AllowedHosts) -> Bool {
        if let site = request.headers[.secFetchSite] { return site == "same-origin" || site == "none" }
        guard let origin = request.headers[.origin] else { return true }
        return hosts.isOrigin(origin)
    }

    /// Whether the browser says where a request comes from.
    static func isNamed(by request: Request) -> Bool {
        request.headers[.secFetchSite] != nil || request.headers[.origin] != nil
    }
}

extension HTTPField.Name {
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
