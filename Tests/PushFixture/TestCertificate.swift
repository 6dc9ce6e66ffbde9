import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A certificate for `localhost` that vouches for itself.
struct TestCertificate {
    let key = P256.Signing.PrivateKey()
    let certificate: Certificate

    init() throws {
        let name = try DistinguishedName { CommonName("localhost") }
        let now = Date()
        certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now - 3600,
            notValidAfter: now + 86_400,
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                SubjectAlternativeNames([.dnsName("localhost")])
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
    }

    /// Writes the certificate to a file, for clients that are to trust it alone.
    func written() throws -> String {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-trusted-\(UUID()).pem")
        try Data(certificate.serializeAsPEM().pemString.utf8).write(to: place)
        return place.path
    }

    func configuration() throws -> TLSConfiguration {
        let pem = try certificate.serializeAsPEM().pemString
        return TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: Array(pem.utf8), format: .pem))],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem))
        )
    }
}
