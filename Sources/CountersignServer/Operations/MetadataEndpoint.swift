internal import Countersign
internal import HTTPTypes
internal import Hummingbird
internal import FoundationEssentialsCompat

/// `GET /.well-known/oauth-authorization-server` and `GET /.well-known/openid-configuration`: the server metadata.
///
/// Standard: RFC 8414 §3, OpenID Connect Discovery 1.0 §4; RFC 9207 §3; RFC 8705 §5; OpenID CIBA Core 1.0 §4.
struct MetadataEndpoint: Sendable {
    private let issuer: Issuer
    /// The document. It does not change while the server runs.
    let document: Result<JSONResponse, any Error>

    /// - Parameters:
    ///   - flows: The ways in, each of which adds its members.
    ///   - registers: Whether clients may register themselves.
    ///   - mutualTLS: The settings for client certificates; `nil` for none.
    ///   - policy: The scope values that are only for a group, and the longest time of services.
    init(issuer: Issuer, flows: [any SignInFlow], registers: Bool, mutualTLS: MutualTLS?, policy: Policy) {
        self.issuer = issuer
        document = Result {
            var metadata = Self.metadata(of: issuer, flows: flows, registers: registers, mutualTLS: mutualTLS)
            // Some clients request the whole list, so it has no scope of the operator's apps, and none for a group.
            metadata.scopesSupported = [ScopeWord.openid, .profile, .email, .groups, .offlineAccess]
                .filter { $0 == .openid || policy.requiredGroups[$0] == nil }.map(\.rawValue)
            if policy.longestService > 0 { metadata.serviceMaxLifetime = Int(policy.longestService) }
            return JSONResponse(Array(try JSONEncoder.wire.encode(metadata)), storedFor: KeyRotation.freshness)
        }
    }

    /// Mounts both documents below the issuer, and at the root for an issuer with a path (RFC 8414 §3.1).
    func mount(on router: some RouterMethods<ServerRequestContext>, root: some RouterMethods<ServerRequestContext>) {
        let answer: Answering = { [document] _, _ in try document.get().response }
        for name in Self.names {
            router.endpoint(".well-known/\(name)", [.get: answer])
            if !issuer.path.isEmpty { root.endpoint("/.well-known/\(name)\(issuer.path)", [.get: answer]) }
        }
    }

    /// The names of both documents.
    static let names = ["oauth-authorization-server", "openid-configuration"]

    private static func metadata(
        of issuer: Issuer, flows: [any SignInFlow], registers: Bool, mutualTLS: MutualTLS?
    ) -> AuthorizationServerMetadata {
        let methods = PresentedCredentials.Method.allCases.filter { mutualTLS != nil || !$0.isByCertificate }
            .map(\.rawValue)
        let confidential = methods.filter { $0 != PresentedCredentials.Method.none.rawValue }
        var metadata = AuthorizationServerMetadata(issuer: issuer.text)
        for flow in flows { flow.describe(in: &metadata) }
        metadata.endSessionEndpoint = issuer.appending("end_session")
        metadata.backChannelLogoutSupported = true
        metadata.backChannelLogoutSessionSupported = true
        metadata.acrValuesSupported = AuthenticationClass.supported.map(\.rawValue)
        metadata.tokenEndpoint = issuer.appending("token")
        metadata.introspectionEndpoint = issuer.appending("introspect")
        metadata.revocationEndpoint = issuer.appending("revoke")
        metadata.registrationEndpoint = registers ? issuer.appending("register") : nil
        metadata.exchangeNonceEndpoint = issuer.appending("exchange/nonce")
        metadata.requestIDParameterSupported = true
        metadata.userInfoEndpoint = issuer.appending("userinfo")
        metadata.keysURI = issuer.appending("jwks")
        metadata.grantTypesSupported = GrantType.known
        metadata.tokenEndpointAuthMethodsSupported = methods
        metadata.tokenEndpointAuthSigningAlgValuesSupported = UnverifiedClientAssertion.algorithms
        metadata.introspectionEndpointAuthSigningAlgValuesSupported = UnverifiedClientAssertion.algorithms
        metadata.revocationEndpointAuthSigningAlgValuesSupported = UnverifiedClientAssertion.algorithms
        metadata.dpopSigningAlgValuesSupported = UnverifiedDPoPProof.algorithms
        metadata.introspectionEndpointAuthMethodsSupported = confidential
        metadata.revocationEndpointAuthMethodsSupported = methods
        if let mutualTLS {
            metadata.tlsClientCertificateBoundAccessTokens = true
            metadata.mtlsEndpointAliases = mutualTLS.aliases
        }
        metadata.subjectTypesSupported = ["public"]
        metadata.idTokenSigningAlgValuesSupported = SigningKey.Algorithm.allCases.map(\.rawValue)
        metadata.refreshTokenExpirationTypesSupported = ["authorization"]
        metadata.claimsSupported = [
            "sub", "iss", "aud", "exp", "iat", "auth_time", "acr", "amr", "nonce", "sid", "name", "preferred_username",
            "updated_at", "locale", "zoneinfo", "email", "email_verified", "groups", "countersign_evidence",
            "countersign_screen",
        ]
        return metadata
    }
}
