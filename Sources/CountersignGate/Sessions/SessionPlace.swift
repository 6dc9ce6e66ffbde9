internal import Countersign
package import CountersignWire

/// The sites that share sessions, and the name of the cookie there.
package struct SessionPlace: Sendable, Equatable {
    /// The domain of the sites, or the origin of the only one.
    let name: String
    /// The name of the session's cookie. Its prefix binds it to its host, or to TLS; its end distinguishes the places of one
    /// host, since browsers send it the cookies of parent domains and of other ports, too.
    ///
    /// Standard: draft-ietf-httpbis-rfc6265bis §4.1.3; RFC 6265 §5.1.3, §8.5.
    package let cookieName: String

    /// The place of a site; of all sites in a domain where there is one.
    package init(of origin: WebOrigin, isSecure: Bool, sharedIn domain: String?) {
        let prefix =
            switch (isSecure, domain) {
            case (false, _): ""
            case (true, nil): "__Host-"
            case (true, _): "__Secure-"
            }
        name = domain ?? origin.rawValue
        cookieName = "\(prefix)countersign-gate-\(URLSafeText.encode(SecretDigest(of: name).bytes.prefix(6)))"
    }
}
