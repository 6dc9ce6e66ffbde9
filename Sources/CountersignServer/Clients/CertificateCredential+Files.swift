internal import SwiftASN1
internal import X509
public import FoundationEssentialsCompat

extension CertificateCredential {
    /// The certificates of a client, read from a file: PEM, or a JSON Web Key Set whose keys have certificates (`x5c`).
    ///
    /// Standard: RFC 8705 §2.2.2; RFC 7517 §4.7.
    ///
    /// - Parameters:
    ///   - bytes: The contents of the file.
    ///   - path: The file, for the error.
    /// - Throws: ``ServerCertificateError`` `noCertificate`, also for more than ``mostCertificates``.
    public init(file bytes: Data, path: String) throws(ServerCertificateError) {
        let found: [[UInt8]]
        do {
            found =
                if let set = try? JSONDecoder().decode(CertifiedKeySet.self, from: bytes) {
                    set.keys.compactMap { $0.certificates?.first }.compactMap { Base64.decode($0[...]) }
                } else {
                    try PEMDocument.parseMultiple(pemString: String(decoding: bytes, as: UTF8.self)).map(\.derBytes)
                }
            for certificate in found { _ = try Certificate(derEncoded: certificate) }
        } catch {
            throw ServerCertificateError(.noCertificate, path: path, reason: "\(error)")
        }
        guard (1...Self.mostCertificates).contains(found.count) else {
            throw ServerCertificateError(.noCertificate, path: path, reason: "it holds \(found.count) certificates")
        }
        self = .registered(found.map { CertificateThumbprint(ofDER: $0) })
    }

    /// Keys with their certificates. Standard: RFC 7517 §4.7.
    private struct CertifiedKeySet: Decodable {
        let keys: [CertifiedKey]

        struct CertifiedKey: Decodable {
            /// The chain in Base64, the certificate of the key first.
            let certificates: [String]?

            enum CodingKeys: String, CodingKey {
                case certificates = "x5c"
            }
        }
    }

    /// Whether a certificate is valid and matches the registration.
    func isMet(by certificate: PresentedCertificate, at now: Date) -> Bool {
        guard certificate.isValid(at: now) else { return false }
        return switch self {
        case .issued(let name): certificate.isTrusted && certificate.hasName(name)
        case .registered(let thumbprints): thumbprints.contains(certificate.thumbprint)
        }
    }
}
