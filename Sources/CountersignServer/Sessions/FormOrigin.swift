internal import HTTPTypes
internal import Hummingbird

/// Whether a form was sent by one of our own pages.
///
/// Browsers say where a request comes from in headers that no page can write. The form's token is checked besides, and
/// decides alone when a browser sends neither header.
/// Standard: Fetch Metadata Request Headers §2.1; RFC 6454 §7.
enum FormOrigin {
    static func isOurs(_ request: Request, hosts: OwnHosts) -> Bool {
        if let site = request.headers[.secFetchSite] { return site == "same-origin" || site == "none" }
        guard let origin = request.headers[.origin] else { return true }
        return hosts.isOrigin(origin)
    }
}

extension HTTPField.Name {
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
