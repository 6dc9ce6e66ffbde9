internal import Countersign
internal import CountersignHTTP
internal import CountersignWire
package import HTTPTypes

/// The header fields in which a proxy describes the request that it asks about. Only those of one dialect are read.
package enum RequestDialect: String, Sendable, CaseIterable {
    /// `X-Original-Method`, `-Proto`, `-Host` and `-URI`, which the configuration of nginx sets.
    case original = "x-original"
    /// `X-Forwarded-Method`, `-Proto`, `-Host` and `-Uri`, which Caddy and Traefik set by themselves.
    case forwarded = "x-forwarded"

    /// The start of the names of the fields.
    private var prefix: String { self == .original ? "X-Original-" : "X-Forwarded-" }

    /// The field of a part of the request.
    func field(_ part: String) -> HTTPField.Name? { HTTPField.Name(prefix + part) }

    /// The sentence for a request without a field of this dialect: whether it has that of the other.
    func hint(about part: String, in fields: HTTPFields) -> String {
        let other: RequestDialect = self == .original ? .forwarded : .original
        guard let name = other.field(part), fields.contains(name) else { return "\(prefix)\(part) is missing" }
        return "the proxy sends \(other.prefix)*: set original-request to \(other.rawValue)"
    }

    /// The status of an answer as the proxy takes it: nginx knows only 401 and 403, and redirects by its configuration.
    func status(for status: HTTPResponse.Status) -> HTTPResponse.Status {
        self == .original && [.found, .badRequest].contains(status) ? .unauthorized : status
    }
}

/// The request that a proxy asks about, in a form that is not ambiguous.
package struct OriginalRequest: Sendable, Equatable {
    package let method: String
    package let site: GateSite
    private let address: Target
    /// Whether a header field asks a site to take the request for another method.
    package let overridesMethod: Bool

    /// The reason that a request is refused, for the log.
    package struct RefusalError: Error, Sendable, Equatable {
        package let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    /// Reads the fields of the dialect, each exactly once, and refuses those of a client that mislead a site.
    package init(
        _ fields: HTTPFields,
        in dialect: RequestDialect,
        at configuration: GateConfiguration
    ) throws(RefusalError) {
        func value(_ part: String) throws(RefusalError) -> String {
            guard let name = dialect.field(part) else { throw RefusalError("no field for \(part)") }
            let values = fields[values: name]
            guard !values.isEmpty else { throw RefusalError(dialect.hint(about: part, in: fields)) }
            guard values.count == 1 else { throw RefusalError("\(name) is there \(values.count) times") }
            guard !values[0].isEmpty else { throw RefusalError("\(name) is empty") }
            return values[0]
        }
        let misleading = fields.misleading
        guard !misleading.contains(.person) else { throw RefusalError("the client names a person itself") }
        guard !misleading.contains(.path) else { throw RefusalError("a header field replaces the path") }
        guard !fields.removesPerson else { throw RefusalError("Connection names the gate's own fields") }
        guard !fields.opensUnknownProtocol else { throw RefusalError("it opens another protocol than WebSocket") }
        overridesMethod = misleading.contains(.method)
        let method = try value("Method")
        // CONNECT opens a connection that the gate cannot see.
        let isToken = method.utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == 0x2D }
        guard isToken, method != "CONNECT", method.utf8.count <= 32 else {
            throw RefusalError("the method is unusual")
        }
        self.method = method
        let scheme = try value("Proto")
        let host = try value("Host")
        guard let site = configuration.site(of: host) else {
            throw RefusalError("\(host.shownAsHost) is no site of the gate")
        }
        guard Self.scheme(scheme) == site.scheme else { throw RefusalError("the scheme is another than the site's") }
        self.site = site
        let uri = try value("Uri")
        guard let address = Target(uri) else { throw RefusalError("the path is ambiguous") }
        self.address = address
    }

    package var path: SitePath { address.path }

    /// The path and the query to which a browser returns after a sign-in, by GET: for a form that was posted, and is lost,
    /// those of the page that had it; `nil` for the start of the site.
    ///
    /// - Parameter referer: The page that the request names as its own.
    package func target(from referer: String?) -> Target? {
        guard !["GET", "HEAD"].contains(method) else { return address }
        guard let referer, referer.hasPrefix("\(site.origin)/") else { return nil }
        return Target(String(referer.dropFirst(site.origin.rawValue.count)))
    }

    /// The scheme of a request to upgrade is that of its page, as some proxies write `wss`.
    private static func scheme(_ text: String) -> String {
        switch text {
        case "wss": "https"
        case "ws": "http"
        default: text
        }
    }
}

extension OriginalRequest {
    /// A path and a query at a site: where a browser returns after it signed in.
    package struct Target: Sendable, Equatable {
        /// The greatest length, in bytes.
        static let longest = 8_192

        package let text: String
        package let path: SitePath

        /// Reads a path with a query; `nil` when it is ambiguous, or no address of the same site.
        package init?(_ text: String) {
            guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
                !text.utf8.contains(UInt8(ascii: "#"))
            else { return nil }
            guard let path = SitePath(String(text.prefix { $0 != "?" })) else { return nil }
            self.text = text
            self.path = path
        }
    }
}

extension String {
    /// A host that a stranger named, as the log has it.
    var shownAsHost: String { "\"\(String(decoding: utf8.prefix(255), as: UTF8.self).markingUnsafe)\"" }
}

extension HTTPFields {
    /// Whether a browser navigates, so that it can be sent to another page.
    var isNavigation: Bool {
        if let mode = self[.secFetchMode] { return mode == "navigate" }
        return AcceptedMedia(parsing: self[values: .accept]).names("text/html")
    }

    /// Whether the request opens a WebSocket. Standard: RFC 6455 §4.1.
    var isWebSocket: Bool {
        contains(.secWebSocketKey) || contains(.secWebSocketVersion) || self[.upgrade]?.lowercased() == "websocket"
    }

    /// The value of a cookie; `nil` when it is missing, and when there are two of its name.
    ///
    /// Standard: RFC 6265 §5.4.
    func cookie(_ name: String) -> String? {
        var found: String?
        for field in self[values: .cookie] {
            for pair in field.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                guard pair.utf8.starts(with: name.utf8) else { continue }
                let rest = pair.utf8.dropFirst(name.utf8.count)
                guard rest.first == UInt8(ascii: "=") else { continue }
                guard found == nil else { return nil }
                found = String(Substring(rest.dropFirst()))
            }
        }
        return found
    }
}

extension HTTPField.Name {
    fileprivate static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode")!
}
