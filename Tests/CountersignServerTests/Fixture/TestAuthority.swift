import Crypto
import Foundation
import SwiftASN1
import X509

@testable import CountersignServer

/// An authority and the certificates that it issues.
struct TestAuthority {
    let key = P256.Signing.PrivateKey()
    let certificate: Certificate
    static let noon = Date(timeIntervalSince1970: 1_800_000_000)

    init(_ name: String) throws {
        let subject = try DistinguishedName { CommonName(name) }
        certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: Self.noon - 86_400,
            notValidAfter: Self.noon + 10 * 86_400,
            issuer: subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
    }

    /// A certificate of a client, in DER.
    func issue(for use: ExtendedKeyUsage.Usage = .clientAuth, lasting days: Double = 1) throws -> [UInt8] {
        let subject = try DistinguishedName {
            CountryName("DE")
            OrganizationName("Example, Inc.")
            CommonName("pay")
        }
        let issued = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(P256.Signing.PrivateKey().publicKey),
            notValidBefore: Self.noon - 3600,
            notValidAfter: Self.noon + days * 86_400,
            issuer: certificate.subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(try ExtendedKeyUsage([use]))
                SubjectAlternativeNames([
                    .dnsName("pay.example"), .uniformResourceIdentifier("spiffe://example/pay"),
                    .rfc822Name("pay@example.com"), .ipAddress(ASN1OctetString(contentBytes: [192, 0, 2, 1])),
                ])
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        return try Self.der(issued)
    }

    static func der(_ certificate: Certificate) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }

    func verifier() throws -> ClientCertificateVerifier {
        let pem = try certificate.serializeAsPEM().pemString
        return try ClientCertificateVerifier(authorities: Data(pem.utf8), path: "ca.pem")
    }
}
