internal import Countersign
internal import CountersignServer
internal import Foundation

/// A client in the list that Glewlwyd's API for administrators returns (`GET /api/client`).
struct GlewlwydClient: ForeignClient {
    let clientId: String
    let isOwn = false
    private let name: String?
    private let enabled, confidential: Bool?
    private let redirectUris, authorizationTypes, scope: [String]?
    /// One method or several, as the installation has it.
    private let authenticationMethods: [String]

    private enum CodingKeys: String, CodingKey {
        case name, enabled, confidential, scope
        case clientId = "client_id"
        case redirectUris = "redirect_uri"
        case authorizationTypes = "authorization_type"
        case authenticationMethods = "token_endpoint_auth_method"
    }

    /// The methods by which a client presents its secret.
    private static let secretMethods: Set = ["client_secret_basic", "client_secret_post"]

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        clientId = try members.decode(String.self, forKey: .clientId)
        name = try members.decodeIfPresent(String.self, forKey: .name)
        enabled = try members.decodeIfPresent(Bool.self, forKey: .enabled)
        confidential = try members.decodeIfPresent(Bool.self, forKey: .confidential)
        redirectUris = try members.decodeIfPresent([String].self, forKey: .redirectUris)
        authorizationTypes = try members.decodeIfPresent([String].self, forKey: .authorizationTypes)
        scope = try members.decodeIfPresent([String].self, forKey: .scope)
        if let method = try? members.decode(String.self, forKey: .authenticationMethods) {
            authenticationMethods = [method]
        } else {
            authenticationMethods = try members.decodeIfPresent([String].self, forKey: .authenticationMethods) ?? []
        }
    }

    /// Reads the list.
    ///
    /// - Throws: a ``CommandError`` for JSON that is no list, or is cut off.
    static func list(
        _ bytes: [UInt8], called source: String
    ) throws(CommandError) -> [Result<GlewlwydClient, ImportLineError>] {
        guard let clients = try? JSONDecoder().decode([ListedJSON<GlewlwydClient>].self, from: Data(bytes)) else {
            throw CommandError("\(source) is no whole list of Glewlwyd's clients: its JSON cannot be read.")
        }
        return clients.map(\.value)
    }

    func registration(
        holding secret: SecretDigest, at now: Date
    ) throws(ImportLineError) -> ForeignClientRegistration {
        let id = try identifier
        if enabled == false { throw ImportLineError("It is switched off.") }
        let isPublic = confidential != true
        if !isPublic, let method = authenticationMethods.first,
            Self.secretMethods.isDisjoint(with: authenticationMethods)
        {
            throw ImportLineError("It authenticates by \(method.brief): add it with --keys.")
        }
        var notes: [String] = []
        let redirects = RedirectRegistration(
            redirectURIs: addresses(redirectUris ?? [], "redirect URI", noting: &notes))
        let grants = try grants(of: isPublic, redirects.redirectURIs, noting: &notes)
        let client = Client(
            id: id, name: shown(name), kind: isPublic ? .public : .confidential(secret), grantTypes: grants,
            scope: scope(of: grants, noting: &notes), tokenFormat: .opaque, redirects: redirects, created: now)
        return ForeignClientRegistration(client: client, notes: notes)
    }

    /// Its grant types.
    ///
    /// - Throws: ``ImportLineError`` when none of them is left.
    private func grants(
        of isPublic: Bool, _ redirectURIs: [String], noting notes: inout [String]
    ) throws(ImportLineError) -> [GrantType] {
        var grants: [GrantType] = []
        for type in authorizationTypes ?? [] {
            switch type {
            case "code": grants += codeGrant(at: redirectURIs, noting: &notes)
            case "device_authorization": grants.append(.deviceCode)
            case "client_credentials":
                if isPublic {
                    notes.append("\(type) not taken: the client is public.")
                } else {
                    grants.append(.clientCredentials)
                }
            case "refresh_token", "delete_token": break
            default: notes.append("\(type.brief) not taken: it is not offered.")
            }
        }
        let isOfPeople = grants.contains { $0 != .clientCredentials }
        if isOfPeople, authorizationTypes?.contains("refresh_token") == true { grants.append(.refreshToken) }
        guard !grants.isEmpty else { throw noFlowError(notes) }
        return grants
    }

    /// Its scope. Glewlwyd restricts by it the client's own tokens alone, and those of people by the scopes of these.
    private func scope(of grants: [GrantType], noting notes: inout [String]) -> Scope {
        var words: [ScopeWord] = grants.contains { $0 != .clientCredentials } ? [.openid, .profile, .email] : []
        if grants.contains(.refreshToken) { words.append(.offlineAccess) }
        guard grants.contains(.clientCredentials) else { return Scope(words) }
        for text in scope ?? [] where !text.hasPrefix("g_") {
            guard let word = ScopeWord(parsing: text) else {
                notes.append("scope \(text.brief) not taken: it has a character that no scope may have.")
                continue
            }
            if !words.contains(word) { words.append(word) }
        }
        return Scope(words)
    }
}
