public import Countersign
public import CountersignWire
internal import FoundationEssentialsCompat

extension TokenStoreKey {
    /// The key of this device's identity at an authorization provider.
    ///
    /// - Parameter provider: The provider's address.
    /// - Returns: The same key for each app that uses this provider.
    ///
    /// Standard: ETSI TS 103 407 §8.2.
    public static func crossPlatformIdentity(at provider: Issuer) -> TokenStoreKey {
        TokenStoreKey(.crossPlatformIdentity, provider.text)
    }

    /// The key of the token for a service of an authorization provider.
    ///
    /// - Parameters:
    ///   - provider: The provider's address.
    ///   - domain: The service.
    /// - Returns: The same key for each app that uses this service.
    ///
    /// Standard: ETSI TS 103 407 §8.4.
    public static func crossPlatformToken(at provider: Issuer, for domain: Domain) -> TokenStoreKey {
        TokenStoreKey(.crossPlatformToken, provider.text, domain.rawValue)
    }

    /// Whether it is the key of a token from this provider.
    func isToken(at provider: Issuer) -> Bool {
        kind == .crossPlatformToken && names.first == provider.text
    }
}

extension TokenStore {
    /// Reads a token for a service.
    ///
    /// - Parameter key: A key of ``TokenStoreKey/crossPlatformToken(at:for:)``.
    /// - Returns: The token, whatever its age; `nil` when there is none.
    /// - Throws: ``TokenStoreError``, `damaged` if the item is no such token.
    public func crossPlatformToken(for key: TokenStoreKey) async throws(TokenStoreError) -> CrossPlatformToken? {
        guard let kept: CrossPlatformTokenItem = try await load(json: key) else { return nil }
        guard key.kind == .crossPlatformToken, let domain = key.names.last, let token = kept.token(for: Domain(domain))
        else { throw TokenStoreError(.damaged, because: "\(key) is no kept token") }
        return token
    }

    /// Stores a token, instead of the previous one.
    func save(_ token: CrossPlatformToken, for key: TokenStoreKey) async throws(TokenStoreError) {
        try await save(json: CrossPlatformTokenItem(token), for: key)
    }

    /// Reads the registration that is stored under `key`; `nil` when there is none.
    func identity(for key: TokenStoreKey) async throws(TokenStoreError) -> CrossPlatformIdentity? {
        let kept: CrossPlatformIdentityItem? = try await load(json: key)
        return kept.map { CrossPlatformIdentity(client: $0.client, secret: ClientSecret(revealing: $0.secret)) }
    }

    /// Stores a registration, instead of the previous one.
    func save(_ identity: CrossPlatformIdentity, for key: TokenStoreKey) async throws(TokenStoreError) {
        let kept = CrossPlatformIdentityItem(client: identity.client, secret: identity.secret.revealed)
        try await save(json: kept, for: key)
    }
}

/// A stored registration: no other form encodes its secret.
private struct CrossPlatformIdentityItem: Codable {
    let client: ClientID
    let secret: String
}

/// A stored token: no other form encodes it.
private struct CrossPlatformTokenItem: Codable {
    let type: String
    let accessToken: String
    let domainDisplayName: String?
    let userName: String?
    /// Seconds since 1970.
    let expires: Double?
    let client: ClientID

    init(_ token: CrossPlatformToken) {
        type = token.type.rawValue
        accessToken = token.accessToken.revealed
        domainDisplayName = token.domainDisplayName
        userName = token.userName
        expires = token.expires?.timeIntervalSince1970
        client = token.client
    }

    /// The token; `nil` when its type is unknown.
    func token(for domain: Domain) -> CrossPlatformToken? {
        guard let type = CrossPlatformToken.TokenType(rawValue: type) else { return nil }
        return CrossPlatformToken(
            type: type,
            accessToken: AccessToken(revealing: accessToken),
            domain: domain,
            domainDisplayName: domainDisplayName,
            userName: userName,
            expires: expires.map(Date.init(timeIntervalSince1970:)),
            client: client
        )
    }
}
