internal import CountersignWire

/// A push service of browsers, or of apps of UnifiedPush, that may be called.
public enum WebPushHost: Sendable, Hashable {
    /// The one at this host, with its port where that is not the usual one; an operator may name an inner host.
    case host(String)
    /// Those at public names below this domain, at the usual port.
    case hosts(below: String)

    /// The push services of Chrome, Firefox, Safari and Edge.
    public static let browsers: [WebPushHost] = [
        .host("fcm.googleapis.com"), .hosts(below: "push.services.mozilla.com"), .hosts(below: "push.apple.com"),
        .hosts(below: "notify.windows.com"),
    ]

    /// Reads a host, such as `ntfy.sh`, `ntfy.lan:8443` or `*.example.org`.
    ///
    /// A single label needs a port, so that a mistyped word is no host. Of IPv6 addresses only that of this machine is called.
    ///
    /// - Parameter text: The host; `nil` is returned for a URL, for a domain that is not public, and for other text.
    public init?(parsing text: String) {
        let text = text.lowercased()
        if text.hasPrefix("*.") {
            let domain = String(text.dropFirst(2))
            guard Domain(parsing: domain) != nil, PublicHost.isName(domain) else { return nil }
            self = .hosts(below: domain)
        } else {
            guard Domain(parsing: text) != nil, text.contains(".") || text.contains(":"),
                !text.hasPrefix("[") || text.hasPrefix("[::1]")
            else { return nil }
            self = .host(text.hasSuffix(":443") ? String(text.dropLast(4)) : text)
        }
    }

    /// Whether a push service may be at both.
    func overlaps(_ other: WebPushHost) -> Bool {
        switch (self, other) {
        case (_, .host(let host)): includes(host)
        case (.host(let host), .hosts(below: _)): other.includes(host)
        case (.hosts(below: let domain), .hosts(below: let another)):
            domain == another || includes(another) || other.includes(domain)
        }
    }

    /// Whether a push service is at this host.
    ///
    /// - Parameter authority: Its host in lower case, with its port where that is not the usual one.
    func includes(_ authority: String) -> Bool {
        switch self {
        case .host(let host): authority == host
        case .hosts(below: let domain): authority.hasSuffix(".\(domain)")
        }
    }
}
