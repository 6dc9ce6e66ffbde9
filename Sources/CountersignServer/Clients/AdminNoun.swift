/// A noun of administration, in the order of the navigation of its pages.
package enum AdminNoun: String, Sendable, CaseIterable {
    case people, groups, claims, clients
    case registrationTokens = "registration-tokens"
    case domains, sites, providers, sessions, limits, keys, deliveries, audit, requests

    /// The path of its page, below the issuer.
    package var path: String { "/admin/\(rawValue)" }

    /// The noun of `countersign admin` that does the same; `nil` where there is none.
    package var command: String? {
        switch self {
        case .people: "user"
        case .groups: "group"
        case .claims: "claim"
        case .clients: "client"
        case .registrationTokens: "registration-token"
        case .domains: "domain"
        case .sites: "site"
        case .providers: "provider"
        case .keys: "key"
        case .limits: "limit"
        case .sessions, .audit: "audit"
        case .requests: "explain"
        case .deliveries: nil
        }
    }
}

extension AdminNoun {
    /// The title of its page.
    var title: LocalizedText {
        switch self {
        case .people: .admin(.people)
        case .groups: .admin(.groups)
        case .claims: .admin(.claims)
        case .clients: .admin(.clients)
        case .registrationTokens: .admin(.registrationTokens)
        case .domains: .text(.domainsTitle)
        case .sites: .text(.sitesTitle)
        case .providers: .admin(.providers)
        case .sessions: .admin(.sessions)
        case .limits: .admin(.limits)
        case .keys: .admin(.keys)
        case .deliveries: .admin(.deliveries)
        case .audit: .admin(.audit)
        case .requests: .admin(.requests)
        }
    }
}
