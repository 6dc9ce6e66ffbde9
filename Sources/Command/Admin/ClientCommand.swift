internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `countersign admin client`: the apps that the server knows.
struct ClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client",
        abstract: "Manage the apps that the server knows.",
        subcommands: [Add.self, List.self, Change.self, Secret.self, Remove.self]
    )

    /// `countersign admin client list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all clients.")

        @OptionGroup var admin: AdminOptions

        func run() async throws {
            try await ending {
                let clients = try await admin.withStore { try await $0.clientRegistry.all() }
                var table = TextTable(["id", "name", "kind", "grants", "scope", "tokens"])
                for client in clients.map({ ShownClient($0) }) {
                    let grants = client.grantTypes.map { $0.split(separator: ":").last.map(String.init) ?? $0 }
                    let kind = client.profile.map { "\(client.kind) (\($0))" } ?? client.kind
                    table.add([
                        client.id, client.name, kind, grants.joined(separator: ","), client.scope,
                        client.tokenFormat,
                    ])
                }
                try admin.print(clients.map { ShownClient($0) }, or: clients.isEmpty ? "No clients yet." : table.text)
            }
        }
    }

    /// `countersign admin client remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a client, and end every code and sign-in that it holds."
        )

        @OptionGroup var admin: AdminOptions

        @OptionGroup var named: NamedClient

        func run() async throws {
            try await ending {
                guard try await admin.withStore({ try await $0.clientRegistry.remove(named.client) }) else {
                    throw named.isMissing
                }
                try admin.print(["removed": named.id], or: "Removed the client \(named.id).")
            }
        }
    }
}

/// A client as the command shows it.
struct ShownClient: Encodable {
    let id: String
    let name: String
    let kind: String
    let grantTypes: [String]
    let scope: String
    let tokenFormat: String
    let idTokenAlgorithm: String
    let audience: String?
    let serves: [String]
    let redirectURIs: [String]
    let postLogoutRedirectURIs: [String]
    /// The address that is told of sign-outs; left out where there is none.
    let backChannelLogoutURI: String?
    let backChannelLogoutSessionRequired: Bool?
    let webOrigins: [String]
    let consent: String
    let requiresPushedRequests: Bool
    let requiresSignedRequests: Bool
    /// Whether its authorization requests need PKCE.
    let pkce: String
    /// The security profile that it meets.
    let profile: String?
    /// The registration for the back channel; left out where the client may not use it.
    let backchannel: BackchannelRegistration?
    /// The approval that links to its requests allow; left out where it makes none.
    let linkApproval: String?
    let codeLifetime: Int
    let accessTokenLifetime: Int
    let refreshTokenLifetime: Int
    /// Whether its tokens are bound to a key.
    let dpop: String
    /// The certificates that authenticate it, by their digests.
    let certificates: [String]?
    /// The kind and the text of the name in the certificate that authenticates it, as in `dns hall.example.com`.
    let certificateName: String?
    /// The keys that authenticate it, or that sign its requests where it has a certificate.
    let keys: JSONWebKeySet?
    let created: Date
    /// Whether it registered itself; left out of clients that an operator registered.
    let isSelfRegistered: Bool?
    /// The end of the time for which the secret before the current one is accepted.
    let oldSecretEnds: Date?
    /// Shown once, when it is made.
    let secret: String?

    init(_ client: Client, secret: ClientSecret? = nil) {
        id = client.id.rawValue
        name = client.name
        kind =
            switch client.kind {
            case .public: "public"
            case .confidential: "confidential"
            case .keys: "keys"
            case .certificate: "certificate"
            }
        dpop = client.dpop.rawValue
        certificates =
            if case .certificate(.registered(let known), signing: _) = client.kind { known.map(\.rawValue) } else {
                nil
            }
        certificateName =
            if case .certificate(.issued(let name), signing: _) = client.kind { "\(name.kind) \(name.text)" } else {
                nil
            }
        keys = client.signingKeys
        grantTypes = client.grantTypes.map(\.rawValue)
        scope = client.scope.description
        tokenFormat = client.tokenFormat.rawValue
        idTokenAlgorithm = client.idTokenSignedResponseAlg.rawValue
        audience = client.audience
        serves = client.serves
        redirectURIs = client.redirects.redirectURIs
        postLogoutRedirectURIs = client.redirects.postLogoutRedirectURIs
        backChannelLogoutURI = client.redirects.backChannelLogout?.uri
        backChannelLogoutSessionRequired = client.redirects.backChannelLogout?.requiresSession
        webOrigins = client.redirects.webOrigins.map(\.rawValue)
        consent = client.redirects.consent.rawValue
        requiresPushedRequests = client.redirects.requiresPushedRequests
        requiresSignedRequests = client.redirects.requiresSignedRequests
        pkce = client.redirects.pkce.rawValue
        profile = client.redirects.profile?.rawValue
        backchannel = client.grantTypes.contains(.backchannelAuthentication) ? client.backchannel : nil
        linkApproval = client.grantTypes.contains(.deviceCode) ? client.linkApproval.rawValue : nil
        codeLifetime = Int(client.lifetimes.code)
        accessTokenLifetime = Int(client.lifetimes.accessToken)
        refreshTokenLifetime = Int(client.lifetimes.refreshToken)
        created = client.created
        isSelfRegistered = if case .dynamic = client.registration { true } else { nil }
        oldSecretEnds = if case .confidential(_, let replaced) = client.kind { replaced?.ends } else { nil }
        self.secret = secret?.revealed
    }

    enum CodingKeys: String, CodingKey {
        case id = "client_id"
        case name = "client_name"
        case kind
        case grantTypes = "grant_types"
        case scope
        case tokenFormat = "token_format"
        case idTokenAlgorithm = "id_token_signed_response_alg"
        case audience, serves, consent
        case backChannelLogoutURI = "backchannel_logout_uri"
        case backChannelLogoutSessionRequired = "backchannel_logout_session_required"
        case webOrigins = "web_origins"
        case redirectURIs = "redirect_uris"
        case postLogoutRedirectURIs = "post_logout_redirect_uris"
        case requiresPushedRequests = "require_pushed_authorization_requests"
        case requiresSignedRequests = "require_signed_request_object"
        case pkce, profile
        case backchannel
        case linkApproval = "link_approval"
        case codeLifetime = "code_lifetime"
        case accessTokenLifetime = "access_token_lifetime"
        case refreshTokenLifetime = "refresh_token_lifetime"
        case dpop
        case certificates = "x5t#S256"
        case certificateName = "certificate_name"
        case keys = "jwks"
        case created
        case isSelfRegistered = "registered_itself"
        case oldSecretEnds = "old_secret_ends"
        case secret = "client_secret"
    }
}
