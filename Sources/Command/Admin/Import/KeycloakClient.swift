internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// A client in the export of a Keycloak realm.
struct KeycloakClient: ForeignClient {
    let clientId: String
    private let name: String?
    private let enabled, publicClient, bearerOnly: Bool?
    /// The protocol is named `protocol`.
    private let wireProtocol: String?
    private let clientAuthenticatorType: String?
    private let rootUrl: String?
    private let redirectUris, webOrigins: [String]?
    private let standardFlowEnabled, implicitFlowEnabled: Bool?
    private let directAccessGrantsEnabled, serviceAccountsEnabled: Bool?
    private let defaultClientScopes, optionalClientScopes: [String]?
    private let attributes: [String: String]?

    private enum CodingKeys: String, CodingKey {
        case clientId, name, enabled, publicClient, bearerOnly, clientAuthenticatorType, rootUrl, redirectUris
        case webOrigins, standardFlowEnabled, implicitFlowEnabled, directAccessGrantsEnabled, serviceAccountsEnabled
        case defaultClientScopes, optionalClientScopes, attributes
        case wireProtocol = "protocol"
    }

    /// The clients of Keycloak itself.
    static let own: Set = [
        "account", "account-console", "admin-cli", "broker", "realm-management", "security-admin-console",
    ]

    /// Whether it is a part of Keycloak itself.
    var isOwn: Bool { Self.own.contains(clientId) }

    func registration(
        holding secret: SecretDigest, at now: Date
    ) throws(ImportLineError) -> ForeignClientRegistration {
        let id = try identifier
        if enabled == false { throw ImportLineError("It is switched off.") }
        if let wireProtocol, wireProtocol != "openid-connect" {
            throw ImportLineError("Its protocol is \(wireProtocol.brief), not OpenID Connect.")
        }
        if bearerOnly == true { throw ImportLineError("It only takes tokens: add it with --no-grants and --serves.") }
        let isPublic = publicClient == true
        if !isPublic, let clientAuthenticatorType, clientAuthenticatorType != "client-secret" {
            throw ImportLineError("It authenticates by \(clientAuthenticatorType.brief): add it with --keys.")
        }
        var notes: [String] = []
        let redirects = RedirectRegistration(
            redirectURIs: addresses(redirectUris ?? [], "redirect URI", below: rootUrl ?? "", noting: &notes),
            postLogoutRedirectURIs: addresses(
                logoutAddresses, "logout address", below: rootUrl ?? "", noting: &notes),
            webOrigins: origins(noting: &notes))
        let grants = try grants(of: isPublic, redirects.redirectURIs, noting: &notes)
        let client = Client(
            id: id, name: shown(name), kind: isPublic ? .public : .confidential(secret),
            grantTypes: grants, scope: scope, tokenFormat: .opaque, redirects: redirects, created: now)
        return ForeignClientRegistration(client: client, notes: notes)
    }

    private var scope: Scope {
        let named = Set((defaultClientScopes ?? ["profile"]) + (optionalClientScopes ?? []))
        let words: [ScopeWord] = [.profile, .email, .offlineAccess]
        return Scope([.openid] + words.filter { named.contains($0.rawValue) })
    }

    /// Its grant types.
    ///
    /// - Throws: ``ImportLineError`` when none of its flows is left.
    private func grants(
        of isPublic: Bool, _ redirectURIs: [String], noting notes: inout [String]
    ) throws(ImportLineError) -> [GrantType] {
        func isOn(_ attribute: String) -> Bool { attributes?[attribute] == "true" }
        var grants: [GrantType] = []
        if standardFlowEnabled ?? true { grants += codeGrant(at: redirectURIs, noting: &notes) }
        if isOn("oauth2.device.authorization.grant.enabled") { grants.append(.deviceCode) }
        if isOn("oidc.ciba.grant.enabled") {
            if isPublic {
                notes.append("back channel not taken: the client is public.")
            } else {
                grants.append(.backchannelAuthentication)
            }
        }
        if !grants.isEmpty { grants.append(.refreshToken) }
        if serviceAccountsEnabled == true, !isPublic { grants.append(.clientCredentials) }
        if implicitFlowEnabled == true { notes.append("implicit flow not taken: it is not offered.") }
        if directAccessGrantsEnabled == true { notes.append("password grant not taken: it is not offered.") }
        guard !grants.isEmpty else { throw noFlowError(notes) }
        return grants
    }

    /// The addresses after a sign-out. Keycloak parts them by `##`; `+` stands for the redirect URIs.
    private var logoutAddresses: [String] {
        let named = attributes?["post.logout.redirect.uris"]?.components(separatedBy: "##") ?? []
        return named.flatMap { $0 == "+" ? redirectUris ?? [] : [$0] }.filter { !$0.isEmpty && $0 != "-" }
    }

    /// The origins of its pages; `+` stands for those of the redirect URIs.
    private func origins(noting notes: inout [String]) -> [WebOrigin] {
        var origins: [WebOrigin] = []
        for text in (webOrigins ?? []).flatMap({ $0 == "+" ? redirectOrigins : [$0] }) {
            guard let origin = WebOrigin(parsing: text), !text.contains("*") else {
                notes.append("web origin \(text.brief) not taken: an origin looks like https://app.example.com.")
                continue
            }
            if !origins.contains(origin) { origins.append(origin) }
        }
        return origins
    }

    private var redirectOrigins: [String] {
        (redirectUris ?? []).compactMap { text in
            guard text.hasPrefix("https://") || text.hasPrefix("http://"), let start = text.range(of: "://") else {
                return nil
            }
            return String(text[..<start.upperBound]) + text[start.upperBound...].prefix { $0 != "/" && $0 != "?" }
        }
    }
}
