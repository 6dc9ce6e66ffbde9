internal import Crypto

/// Names an X.509 certificate by its digest: 43 characters of base64url.
///
/// Standard: RFC 8705 §3.1 (`x5t#S256`).
public struct CertificateThumbprint: Identifier {
    /// The number of characters of a thumbprint.
    private static let length = 43

    /// The wire form of the thumbprint, in `x5t#S256`.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads a thumbprint.
    ///
    /// - Parameter text: 43 characters of base64url; `nil` is returned for anything else.
    public init?(parsing text: String) {
        guard text.utf8.count == Self.length, URLSafeText.decode(text)?.count == 32 else { return nil }
        rawValue = text
    }

    /// Computes the thumbprint of a certificate.
    ///
    /// - Parameter bytes: The certificate in DER.
    public init(ofDER bytes: some Sequence<UInt8>) { rawValue = URLSafeText.encode(SHA256.hash(data: Array(bytes))) }
}
