internal import Countersign
internal import CountersignResource
package import CountersignWire
internal import FoundationEssentialsCompat

/// A site behind a proxy: its origin, its cookie and its rules.
package struct GateSite: Sendable, Equatable {
    /// The origin of the site, without a usual port.
    package let origin: WebOrigin
    /// The host, with the port if it is not the usual one.
    package let authority: String
    package let isSecure: Bool
    /// The rules, of which the first that matches counts.
    package let rules: [GateRule]
    /// The audience of the tokens of API clients.
    package let audience: String
    /// The parent domain whose sites share one session; `nil` for a session of this site alone.
    package let cookieDomain: String?
    /// The sites with which it shares its sessions.
    let sessionPlace: SessionPlace

    /// The scheme of the site.
    var scheme: String { isSecure ? "https" : "http" }
    /// The host without its port.
    var host: String { Self.host(in: authority) }
    /// Whether a rule lets API clients present tokens.
    var takesTokens: Bool {
        rules.contains { rule in
            guard case .people(let demands) = rule.access else { return false }
            return demands.tokens != nil
        }
    }
    /// The classes of authentication that its rules name.
    var authenticationClasses: Set<String> {
        rules.reduce(into: []) { classes, rule in
            guard case .people(let demands) = rule.access else { return }
            classes.formUnion(demands.authentication.classes)
        }
    }
    /// The address of a page of the gate at this site.
    func address(_ page: GatePage) -> String { "\(origin)\(page.rawValue)" }

    private static func host(in authority: String) -> String {
        authority.hasPrefix("[") ? authority : String(authority.prefix { $0 != ":" })
    }
}

/// The pages of a gate, which a proxy passes on at each site.
package enum GatePage: String, Sendable, CaseIterable {
    case signIn = "/gate/sign-in"
    case callback = "/gate/callback"
    case signOut = "/gate/sign-out"
    case signedOut = "/gate/signed-out"
    case keys = "/gate/jwks"
    /// The server's notice that a person signed out. A client without one keeps its tokens then.
    case notice = "/gate/notice"

    /// The path at which proxies ask; no site has it, so that browsers do not reach it.
    package static let check = "/check"
}

extension GateSite: Decodable {
    private enum Key: String, CodingKey, CaseIterable {
        case url, rules, audience
        case cookieDomain = "cookie-domain"
    }

    package init(from decoder: any Decoder) throws {
        let members = try StrictMembers<Key>(decoder)
        let text: String = try members.needed(.url)
        let rest = text.hasPrefix("https://") ? text.dropFirst(8) : text.hasPrefix("http://") ? text.dropFirst(7) : ""
        let isSecure = text.hasPrefix("https://")
        guard WebOrigin(parsing: text) != nil else {
            throw members.error(at: .url, "It takes an address without a path, as in https://photos.example.com.")
        }
        let usual = isSecure ? ":443" : ":80"
        let authority = rest.hasSuffix(usual) ? rest.dropLast(usual.count).lowercased() : rest.lowercased()
        self.isSecure = isSecure
        self.authority = authority
        let scheme = isSecure ? "https" : "http"
        origin = WebOrigin("\(scheme)://\(authority)")
        guard isSecure || Issuer.isLoopback(Self.host(in: authority)) else {
            throw members.error(at: .url, "It has no TLS: cookies need https, except on this machine.")
        }
        rules = try members.optional(.rules) ?? []
        if let rule = rules.unreachable {
            let earlier = rule.earlier.map { "rules[\($0)]" }.joined(separator: " and ")
            throw members.error(
                at: .rules, rule.place,
                "It never counts: all that it matches is decided by \(earlier), before it. Put it first, or remove it.")
        }
        audience = try members.optional(.audience) ?? origin.rawValue
        let domain: String? = try members.optional(.cookieDomain)
        cookieDomain = domain?.lowercased()
        if let domain = cookieDomain {
            let host = Self.host(in: authority)
            guard isSecure, domain.contains("."), Domain(parsing: domain) != nil, !domain.contains(":"),
                host == domain || host.hasSuffix(".\(domain)")
            else { throw members.error(at: .cookieDomain, "It takes a parent domain of the https site.") }
        }
        sessionPlace = SessionPlace(of: origin, isSecure: isSecure, sharedIn: cookieDomain)
    }
}
