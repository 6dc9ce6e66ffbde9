package import Countersign
package import CountersignTransport
package import CountersignWire
internal import HTTPTypes

/// The metadata of another provider, as far as they are needed here.
///
/// Standard: OpenID Connect Discovery 1.0 §3, §4.
package struct ProviderMetadata: Sendable {
    /// The address that the browser is sent to; `nil` when the provider has none, an error when it cannot be used.
    package var authorization: Endpoint? {
        get throws(ProviderError) {
            guard let authorizationText else { return nil }
            return try Self.endpoint(authorizationText, "authorization_endpoint")
        }
    }
    /// The address that redeems codes; `nil` when the metadata have none, an error when it cannot be used.
    package var token: Endpoint? {
        get throws(ProviderError) {
            guard let tokenText else { return nil }
            return try Self.endpoint(tokenText, "token_endpoint")
        }
    }
    /// Whether the metadata say where codes are redeemed.
    package var namesToken: Bool { tokenText != nil }
    private let authorizationText: String?
    private let tokenText: String?
    /// The address of the keys.
    package let keys: Endpoint
    /// Whether answers name the issuer. Standard: RFC 9207 §3.
    package let namesIssuer: Bool
    /// The methods of client authentication at the token endpoint; `nil` when the metadata do not name them.
    package let tokenMethods: [String]?
    /// The methods of code challenges; `nil` when the metadata do not name them.
    package let challengeMethods: [String]?
    /// The algorithms of ID tokens; `nil` when the metadata do not say it.
    package let algorithms: [String]?

    /// The maximum duration of one request to a provider.
    static let limit: Duration = .seconds(5)

    /// The address of the metadata of an issuer.
    ///
    /// Standard: OpenID Connect Discovery 1.0 §4.
    package static func address(of issuer: IdentityIssuer) -> String {
        let base = issuer.rawValue.hasSuffix("/") ? String(issuer.rawValue.dropLast()) : issuer.rawValue
        return "\(base)/.well-known/openid-configuration"
    }

    /// Asks a provider for its metadata.
    ///
    /// - Throws: ``ProviderError``.
    package static func ask(
        _ issuer: IdentityIssuer,
        over transport: any HTTPTransport
    ) async throws(ProviderError) -> ProviderMetadata {
        let place = try endpoint(address(of: issuer), "the issuer")
        let answer = try await transport.ask(place.request(.get), within: limit)
        return try ProviderMetadata(
            answer.message("the metadata", as: AuthorizationServerMetadata.self, orAs: HTTPAnswer.staticMedia),
            of: issuer)
    }

    /// Accepts metadata if they are the issuer's own and name its keys.
    ///
    /// Standard: OpenID Connect Discovery 1.0 §4.3.
    init(_ metadata: AuthorizationServerMetadata, of issuer: IdentityIssuer) throws(ProviderError) {
        guard !IdentityProvider.isTemplate(metadata.issuer), !IdentityProvider.isTemplate(issuer.rawValue) else {
            throw ProviderError(.template, because: "the issuer stands for many directories")
        }
        guard metadata.issuer == issuer.rawValue else {
            let name = DeviceAuthorizationRequest.presentable(metadata.issuer, upTo: 200) ?? ""
            throw ProviderError(.anotherIssuer, because: "the metadata are those of \(name)")
        }
        guard let keys = metadata.keysURI else { throw ProviderError(.notOffered, because: "there is no jwks_uri") }
        self.keys = try Self.endpoint(keys, "jwks_uri")
        // Only one that is used has to be usable.
        authorizationText = metadata.authorizationEndpoint
        tokenText = metadata.tokenEndpoint
        namesIssuer = metadata.authorizationResponseIssParameterSupported ?? false
        tokenMethods = metadata.tokenEndpointAuthMethodsSupported
        challengeMethods = metadata.codeChallengeMethodsSupported
        algorithms = metadata.idTokenSigningAlgValuesSupported
    }

    /// Reads the URL of an endpoint: https, or http on this machine.
    static func endpoint(_ text: String, _ name: String) throws(ProviderError) -> Endpoint {
        do throws(Endpoint.ParsingError) {
            return try Endpoint(text)
        } catch {
            throw ProviderError(.badAnswer, because: "\(name) is \(error == .insecure ? "not https" : "no URL")")
        }
    }

    /// Asks a provider for its keys.
    ///
    /// - Throws: ``ProviderError``.
    package static func keys(
        at endpoint: Endpoint,
        over transport: any HTTPTransport
    ) async throws(ProviderError) -> JSONWebKeySet {
        let answer = try await transport.ask(endpoint.request(.get), within: limit)
        let keys = try answer.message("the keys", as: JSONWebKeySet.self, orAs: HTTPAnswer.staticMedia)
        guard keys.keys.count <= JWKSCache.mostKeys else {
            throw ProviderError(.badAnswer, because: "there are \(keys.keys.count) keys")
        }
        return keys
    }
}
