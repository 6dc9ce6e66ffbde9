internal import CountersignWire
internal import FoundationEssentialsCompat

/// The addresses of a server that a gate needs, and its classes of authentication, by the server's own metadata.
///
/// Standard: OpenID Connect Discovery 1.0 §3; RFC 8414 §2.
struct ProviderAddresses: Sendable, Equatable {
    /// The issuer as the metadata spell it.
    let issuer: String
    let authorization: Endpoint
    let token: Endpoint
    let introspection: Endpoint
    let keys: Endpoint
    let revocation: Endpoint?
    let endSession: Endpoint?
    let pushedAuthorization: Endpoint?
    /// The classes of authentication that it supports; `nil` when the metadata do not say.
    let authenticationClasses: [String]?

    /// Takes the addresses out of metadata.
    ///
    /// - Throws: ``GateProviderError`` `away` when the metadata are not the issuer's, or lack an endpoint.
    init(_ metadata: AuthorizationServerMetadata, of issuer: Issuer) throws(GateProviderError) {
        guard metadata.issuer == issuer.text || metadata.issuer == "\(issuer.text)/" else {
            throw .away("the metadata name another issuer than the configuration")
        }
        self.issuer = metadata.issuer
        authorization = try Self.needed(metadata.authorizationEndpoint, "authorization_endpoint")
        token = try Self.needed(metadata.tokenEndpoint, "token_endpoint")
        introspection = try Self.needed(metadata.introspectionEndpoint, "introspection_endpoint")
        keys = try Self.needed(metadata.keysURI, "jwks_uri")
        revocation = metadata.revocationEndpoint.flatMap { try? Endpoint($0) }
        endSession = metadata.endSessionEndpoint.flatMap { try? Endpoint($0) }
        pushedAuthorization = metadata.pushedAuthorizationRequestEndpoint.flatMap { try? Endpoint($0) }
        authenticationClasses = metadata.acrValuesSupported
    }

    private static func needed(_ text: String?, _ name: String) throws(GateProviderError) -> Endpoint {
        guard let endpoint = text.flatMap({ try? Endpoint($0) }) else { throw .away("the metadata have no \(name)") }
        return endpoint
    }
}
