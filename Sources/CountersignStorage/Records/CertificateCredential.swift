/// The certificate that authenticates a client, as it was registered.
///
/// Standard: RFC 8705 §2.
public enum CertificateCredential: Sendable, Equatable, Codable {
    /// A certificate of this name, issued by an authority that the operator trusts (`tls_client_auth`).
    case issued(CertificateName)
    /// One of these certificates, regardless of their issuer (`self_signed_tls_client_auth`).
    case registered([CertificateThumbprint])

    /// The maximum number of registered certificates of a client.
    public static let mostCertificates = 16
}
