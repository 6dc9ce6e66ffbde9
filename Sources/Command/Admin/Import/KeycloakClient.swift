internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// A client in the export of a Keycloak realm. Its secret is not read: this server mints its own.
struct KeycloakClient: Decodable {
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
    private static let own: Set = [
        "account", "account-console", "admin-cli", "broker", "realm-management", "security-admin-console",
    ]

    /// Whether it is a part of Keycloak itself.
    var isOwn: Bool { Self.own.contains(clientId) }

    /// The registration of a client, with the notes about what was left out.
    struct Registration {
        var client: Client
        var notes: [String]
    }

    /// The registration at this server.
    ///
    /// - Parameters:
    ///   - secret: The digest of the secret that a confidential client gets.
    ///   - now: The time of the registration.
    /// - Throws: ``ImportLineError`` with the first reason to refuse it.
    func registration(holding secret: SecretDigest, at now: Date) throws(ImportLineError) -> Registration {
        guard (1...128).contains(clientId.utf8.count), clientId.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ImportLineError("A client's identifier has 1 to 128 visible ASCII characters.")
        }
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
            redirectURIs: addresses(redirectUris ?? [], "redirect URI", noting: &notes),
            postLogoutRedirectURIs: addresses(logoutAddresses, "logout address", noting: &notes),
            webOrigins: origins(noting: &notes))
        let grants = try grants(of: isPublic, redirects.redirectURIs, noting: &notes)
        let client = Client(
            id: ClientID(clientId), name: shownName, kind: isPublic ? .public : .confidential(secret),
            grantTypes: grants, scope: scope, tokenFormat: .opaque, redirects: redirects, created: now)
        return Registration(client: client, notes: notes)
    }

    /// Its name; a placeholder such as `${client_account}` counts as none.
    private var shownName: String {
        let name = TypedText.trimmed(name ?? "")
        return name.isLine(of: 1...200) && !name.hasPrefix("${") ? name : clientId
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
        if standardFlowEnabled ?? true {
            if redirectURIs.isEmpty {
                notes.append("authorization code not taken: no redirect URI is left.")
            } else {
                grants.append(.authorizationCode)
            }
        }
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
        guard !grants.isEmpty else {
            throw ImportLineError("None of its flows can be taken. \(notes.joined(separator: " "))")
        }
        return grants
    }

    /// The addresses after a sign-out. Keycloak parts them by `##`; `+` stands for the redirect URIs.
    private var logoutAddresses: [String] {
        let named = attributes?["post.logout.redirect.uris"]?.components(separatedBy: "##") ?? []
        return named.flatMap { $0 == "+" ? redirectUris ?? [] : [$0] }.filter { !$0.isEmpty && $0 != "-" }
    }

    /// The addresses that may be registered; others are noted.
    private func addresses(_ given: [String], _ noun: String, noting notes: inout [String]) -> [String] {
        var taken: [String] = []
        for text in given {
            let address = text.hasPrefix("/") ? (rootUrl ?? "") + text : text
            let objection = address.contains("*") ? "it has a wildcard." : RedirectURIRules.objection(to: address)
            if let objection {
                notes.append("\(noun) \(text.brief) not taken: \(objection)")
            } else if !taken.contains(address) {
                taken.append(address)
            }
        }
        return taken
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
