/// The key that a token is bound to: only a request that proves it may use the token.
///
/// Standard: RFC 9449 §6 for keys of DPoP; RFC 8705 §3 for certificates.
public enum SenderKey: Identifier {
    /// A key, proved by a DPoP proof in each request.
    case proof(KeyThumbprint)
    /// A certificate, whose key the client proves when it opens the TLS connection.
    case certificate(CertificateThumbprint)

    private static let certificatePrefix = "x5t#S256:"

    public init(rawValue: String) {
        if rawValue.hasPrefix(Self.certificatePrefix) {
            self = .certificate(CertificateThumbprint(String(rawValue.dropFirst(Self.certificatePrefix.count))))
        } else {
            self = .proof(KeyThumbprint(rawValue))
        }
    }

    /// The thumbprint, which has a prefix where it is that of a certificate.
    public var rawValue: String {
        switch self {
        case .proof(let thumbprint): thumbprint.rawValue
        case .certificate(let thumbprint): Self.certificatePrefix + thumbprint.rawValue
        }
    }

    /// The presentation scheme of a token that is bound so; a token of a certificate is a bearer token in every other
    /// respect.
    ///
    /// Standard: RFC 9449 §5; RFC 8705 §3.
    package var tokenType: String {
        switch self {
        case .proof: "DPoP"
        case .certificate: "Bearer"
        }
    }
}
