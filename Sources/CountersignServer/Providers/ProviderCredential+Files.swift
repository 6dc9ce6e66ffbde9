public import CountersignWire
internal import Crypto
internal import FoundationEssentialsCompat

extension ProviderCredential {
    /// Reads a private key on P-256, as providers give it out.
    ///
    /// - Parameters:
    ///   - pem: The text of the file.
    ///   - id: The provider's identifier of the key.
    ///   - team: In whose name statements are made, for Apple; `nil` for this server's own.
    /// - Returns: `nil` when the text is no such key.
    public static func key(pem: String, id: JSONWebKey.ID, team: String?) -> ProviderCredential? {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else { return nil }
        let bytes = Array(key.rawRepresentation)
        return team.map { .teamKey(bytes, id: id, team: $0) } ?? .key(bytes, id: id)
    }
}

extension IdentityProvider {
    /// The address that has to be registered at the provider.
    ///
    /// - Parameter issuer: The name of this server.
    public func redirectURI(at issuer: Issuer) -> String {
        OpenIDProviderClient.redirectURI(of: id, at: issuer)
    }
}
