internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// `countersign admin client`: the apps that the server knows.
struct ClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client",
        abstract: "Manage the apps that the server knows.",
        subcommands: [
            Add.self, Import.self, ListCommand<Client>.self, ShowCommand<Client>.self, Change.self,
            SecretCommand<Client>.self,
            RemoveCommand<Client>.self,
        ]
    )
}

extension Client: DescribableNoun, RemovableNoun {
    static let word = "client"
    static let listAbstract = "List all clients."
    static let none = "No clients yet."
    static let showAbstract = "Show all facts of a client."
    static let removeAbstract = "Remove a client, and end every code and sign-in that it holds."
    static var argument: ArgumentHelp { ArgumentHelp("The client's identifier.", valueName: "id") }

    static var columns: Columns<Self> {
        [
            "id": \.id.rawValue, "name": \.name,
            "kind": { client in
                client.redirects.profile.map { "\(client.kindName) (\($0.rawValue))" } ?? client.kindName
            },
            "grants": { client in
                client.grantTypes.map { $0.rawValue.split(separator: ":").last.map(String.init) ?? $0.rawValue }
                    .joined(separator: ",")
            },
            "scope": \.scope.description, "tokens": \.tokenFormat.rawValue,
        ]
    }

    var kindName: String {
        switch kind {
        case .public: "public"
        case .confidential: "confidential"
        case .keys: "keys"
        case .certificate: "certificate"
        }
    }

    var members: OutputMembers {
        let common: OutputMembers = [
            "client_id": id.rawValue, "client_name": name, "kind": kindName, "scope": scope.description,
            "grant_types": grantTypes.map(\.rawValue), "token_format": tokenFormat.rawValue,
            "id_token_signed_response_alg": idTokenSignedResponseAlg.rawValue, "audience": audience, "serves": serves,
            "dpop": dpop.rawValue, "jwks": signingKeys, "created": created, "old_secret_ends": oldSecretEnds,
        ]
        let flows: OutputMembers = [
            "backchannel": grantTypes.contains(.backchannelAuthentication) ? backchannel : nil,
            "link_approval": grantTypes.contains(.deviceCode) ? linkApproval.rawValue : nil,
            "minimum_evidence": minimumEvidence == .none ? nil : minimumEvidence.description,
            "code_lifetime": Int(lifetimes.code),
            "access_token_lifetime": Int(lifetimes.accessToken),
            "refresh_token_lifetime": Int(lifetimes.refreshToken),
            "registered_itself": isSelfRegistered ? true : nil,
        ]
        return common.merging(redirects.members).merging(flows).merging(certificateMembers)
    }

    /// The certificates that authenticate it, by their digests, or the name in one, as in `dns hall.example.com`.
    private var certificateMembers: OutputMembers {
        switch kind {
        case .certificate(.registered(let known), signing: _): ["x5t#S256": known.map(\.rawValue)]
        case .certificate(.issued(let name), signing: _): ["certificate_name": "\(name.kind) \(name.text)"]
        case .public, .confidential, .keys: [:]
        }
    }

    var isSelfRegistered: Bool { if case .dynamic = registration { true } else { false } }

    static func identifier(_ text: String) -> ClientID? { ClientID(text) }
    static func all(in store: any Store) async throws -> [Self] { try await store.clients.all() }
    static func find(_ id: ClientID, in store: any Store) async throws -> Self? {
        try await store.read { try $0.clients.find(id) }
    }
    static func loss(of id: ClientID, in store: any Store) async throws -> Loss? {
        try await store.read { repositories in
            guard try repositories.clients.find(id) != nil else { return nil }
            let signIns = try repositories.signIns.all(of: id, limit: Loss.most)
            return Loss("the client \(id)").and(signIns.count, "sign-in")
        }
    }
    static func remove(_ id: ClientID, from store: any Store) async throws -> Bool {
        try await store.clients.remove(id)
    }
}

extension RedirectRegistration {
    fileprivate var members: OutputMembers {
        [
            "redirect_uris": redirectURIs,
            "post_logout_redirect_uris": postLogoutRedirectURIs,
            "backchannel_logout_uri": backChannelLogout?.uri,
            "backchannel_logout_session_required": backChannelLogout?.requiresSession,
            "web_origins": webOrigins.map(\.rawValue),
            "consent": consent.rawValue,
            "require_pushed_authorization_requests": requiresPushedRequests,
            "require_signed_request_object": requiresSignedRequests,
            "pkce": pkce.rawValue,
            "profile": profile?.rawValue,
        ]
    }
}

extension Client: RenewableNoun {
    static let secretMember = "client_secret"
    static let renewal = CommandConfiguration(
        commandName: "secret",
        abstract: "Give a client a new secret; the old one is accepted for a day, or as long as you say.",
        discussion: """
            While both secrets are accepted, install the new one wherever the client runs. A secret that may be in \
            the wrong hands is replaced by --at-once. Only one old secret is accepted: a second renewal ends the \
            first one's.

            Examples:
              countersign admin client secret backend
              countersign admin client secret backend --keep-old 7d
              countersign admin client secret backend --at-once
            """
    )

    var oldSecretEnds: Date? { if case .confidential(_, let replaced) = kind { replaced?.ends } else { nil } }

    static func renewSecret(
        of named: NounArgument<Client>,
        keepingOldFor span: TimeInterval,
        in store: any Store
    ) async throws -> (Client, secret: String)? {
        try await named.refusing {
            try await store.clients.renewSecret(of: try named.id, keepingOldFor: span).map { ($0, $1.revealed) }
        }
    }
}

extension NounArgument<Client> {
    /// The result of `body`.
    ///
    /// - Throws: a ``CommandError`` that says why the client is not changed.
    func refusing<Value>(_ body: () async throws -> Value?) async throws -> Value {
        do {
            guard let value = try await body() else { throw isMissing }
            return value
        } catch let refused as ClientDraftError {
            throw CommandError.usage("\(refused)")
        } catch let refused as ClientRegistry.ChangeError {
            switch refused {
            case .isDevice:
                throw CommandError("\(text) is an app on a device that registered itself, and cannot be changed.")
            case .isSelfRegistered:
                throw CommandError("\(text) registered itself: it changes its own registration. You can remove it.")
            case .isPublic: throw CommandError("The client \(text) is public: it has no secret.")
            case .unfit(let sentence): throw CommandError.usage(sentence)
            case .isEnvironment:
                throw CommandError("\(text) is a site: use countersign admin site secret \(text).")
            case .hasKeys:
                throw CommandError("The client \(text) authenticates by its keys or its certificate: it has no secret.")
            }
        }
    }
}
