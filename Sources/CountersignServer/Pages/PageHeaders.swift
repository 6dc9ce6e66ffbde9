internal import HTTPTypes

/// The HTTP headers of every page.
///
/// Only our style sheet loads, no site may frame a page, nothing is cached, and no other site learns an address.
/// `same-origin` instead of `no-referrer`, with which browsers send no origin with our forms.
/// Standard: Content Security Policy Level 3; RFC 6797 for the last.
enum PageHeaders {
    /// The Content Security Policy of a picture, which may be SVG with a script in it.
    ///
    /// Standard: Content Security Policy Level 3 §6.4.2 (`sandbox`).
    static let policyOfPictures = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

    /// The headers of a page.
    ///
    /// Its forms may lead to our pages only, and to the source `outside`, since browsers also check redirects.
    static func all(_ issuer: Issuer, formsLeadingTo outside: String? = nil) -> HTTPFields {
        let targets = outside.map { "'self' \($0)" } ?? "'self'"
        var headers: HTTPFields = [
            .contentSecurityPolicy: """
            default-src 'none'; style-src 'self'; img-src 'self' data:; form-action \(targets); \
            frame-ancestors 'none'; base-uri 'none'
            """,
            .xFrameOptions: "DENY",
            .xContentTypeOptions: "nosniff",
            .referrerPolicy: "same-origin",
            .crossOriginOpenerPolicy: "same-origin",
            .crossOriginResourcePolicy: "same-origin",
            .cacheControl: "no-store",
        ]
        if issuer.isSecure { headers[.strictTransportSecurity] = "max-age=31536000" }
        return headers
    }
}

extension HTTPField.Name {
    static let xFrameOptions = HTTPField.Name("X-Frame-Options")!
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
}
