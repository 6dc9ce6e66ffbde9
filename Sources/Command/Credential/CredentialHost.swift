internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

extension TokenStoreKey.Kind {
    /// A host that gets tokens: its origin.
    static let credentialHost = Self("credential-host")
    /// A sign-in that a helper has asked for: issuer, client identifier. Its item is the failure of the last one.
    static let credentialQuestion = Self("credential-question")
}

/// A host that gets tokens, and the sign-in that they belong to.
struct CredentialHost: Codable, Sendable {
    /// The user name beside a token, for programs that send a name and a password.
    static let usualUsername = "oauth2"

    let origin: String
    let issuer: String
    let client: String
    let scope: String
    /// The user name that the host wants; `nil` for the usual one, or one that the program names.
    let username: String?
    let secretFile: String?
    let caFile: String?
    let allowsInsecureHTTP: Bool

    /// The key of its sign-in.
    func key() throws -> TokenStoreKey {
        .signIn(at: try access().issuer(issuer), as: ClientID(client))
    }

    /// The access to the server that signs in.
    func access() throws -> ServerAccess {
        let files = [("--secret-file", secretFile), ("--ca-file", caFile)]
        return try ServerAccess.parse(
            files.flatMap { name, file in file.map { [name, $0] } ?? [] }
                + (allowsInsecureHTTP ? ["--allow-insecure-http"] : []))
    }

    /// Whether it shares a sign-in with another host.
    func shares(with other: CredentialHost) -> Bool {
        origin != other.origin && issuer == other.issuer && client == other.client
    }

    /// The scope that its sign-in asks for, which other hosts may share.
    func scope(with others: [CredentialHost]) -> Scope {
        Scope(([self] + others).compactMap { Scope(parsing: $0.scope) }.flatMap(\.words))
    }

    /// Whether it gets a token of a sign-in without a question, as far as this device knows.
    func gets(_ signedIn: CompletedSignIn, at now: Date) -> Bool {
        let (own, whole) = (scope(with: []), signedIn.scope)
        guard signedIn.key == nil, !signedIn.isOver(at: now), whole.words.contains(where: own.contains) else {
            return false
        }
        guard signedIn.refreshToken == nil else { return true }
        // Tokens with less scope come by a refresh alone.
        return whole.isSubset(of: own) && signedIn.lives(until: now + ProgramToken.leastLife, at: now)
    }

    /// The members in JSON.
    var members: OutputMembers {
        ["host": origin, "issuer": issuer, "client": client, "scope": scope, "username": username]
    }

    static var columns: Columns<CredentialHost> {
        [
            "host": { String($0.origin.trimmingPrefix("https://")) }, "at": \.issuer, "for": \.client, "scope": \.scope,
            "user": { $0.username ?? usualUsername },
        ]
    }
}

extension TokenStore {
    /// The host with this origin; `nil` when the user has not named it.
    func credentialHost(at origin: CredentialOrigin) async throws -> CredentialHost? {
        try await credentialHost(under: TokenStoreKey(.credentialHost, origin.description))
    }

    /// All hosts that the user has named, by their origins.
    func credentialHosts() async throws -> [CredentialHost] {
        var hosts: [CredentialHost] = []
        for key in try await keys() where key.kind == .credentialHost {
            if let host = try await credentialHost(under: key) { hosts.append(host) }
        }
        return hosts
    }

    /// Adds a host, in place of one with the same origin.
    func save(_ host: CredentialHost) async throws {
        let item = try JSONEncoder().encode(host)
        try await save(Array(item), for: TokenStoreKey(.credentialHost, host.origin))
    }

    private func credentialHost(under key: TokenStoreKey) async throws -> CredentialHost? {
        guard let item = try await load(key) else { return nil }
        let host = try? JSONDecoder().decode(CredentialHost.self, from: Data(item))
        guard let host, key.names == [host.origin] else {
            throw TokenStoreError(.damaged, because: "\(key) is no host")
        }
        return host
    }
}
