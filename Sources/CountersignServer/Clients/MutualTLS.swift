/// The settings for client certificates, with separate addresses, since browsers must not be asked for one.
///
/// The listener is ``AuthorizationServer/listener(for:listening:onStart:)``.
/// Standard: RFC 8705 §2, §5.
public struct MutualTLS: Sendable {
    /// The certificate of the server itself.
    public let certificate: ServerCertificate
    /// The verifier of the certificates of clients.
    public let verifier: ClientCertificateVerifier
    /// The URL below which clients reach the listener that asks for certificates.
    public let base: Issuer

    /// Creates the settings.
    public init(certificate: ServerCertificate, verifier: ClientCertificateVerifier, base: Issuer) {
        self.certificate = certificate
        self.verifier = verifier
        self.base = base
    }

    /// The addresses of the endpoints of the listener.
    ///
    /// Standard: RFC 8705 §5.
    var aliases: MutualTLSEndpointAliases {
        var aliases = MutualTLSEndpointAliases()
        aliases.tokenEndpoint = base.appending("token")
        aliases.pushedAuthorizationRequestEndpoint = base.appending("par")
        aliases.deviceAuthorizationEndpoint = base.appending("device_authorization")
        aliases.backchannelAuthenticationEndpoint = base.appending("bc-authorize")
        aliases.introspectionEndpoint = base.appending("introspect")
        aliases.revocationEndpoint = base.appending("revoke")
        aliases.userInfoEndpoint = base.appending("userinfo")
        aliases.exchangeNonceEndpoint = base.appending("exchange/nonce")
        return aliases
    }
}
