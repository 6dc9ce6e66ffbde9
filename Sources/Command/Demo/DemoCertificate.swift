internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Crypto
internal import Foundation
internal import SwiftASN1
internal import X509

/// The certificate of a demo on the local network: for one address, valid for a day, and vouched for by nobody else.
struct DemoCertificate: Sendable {
    let certificate: ServerCertificate
    /// The SHA-256 digest of the certificate in DER, in pairs of hexadecimal digits, as browsers show it.
    let fingerprint: String

    /// Makes a key and a certificate for it, and writes both to files.
    ///
    /// - Parameters:
    ///   - host: The address or name that the server is reached by.
    ///   - directory: A directory that only this user may read.
    ///   - now: The current instant.
    /// - Throws: a ``CommandError`` when the files cannot be written.
    init(for host: String, in directory: URL, at now: Date) throws {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName("Countersign demo") }
        let name: GeneralName =
            AddressNetwork.bytes(of: host).map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) } ?? .dnsName(host)
        let made = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            // Clocks of phones differ a little.
            notValidBefore: now - 3600,
            notValidAfter: now + 86_400,
            issuer: subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames([name])
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        let document = try made.serializeAsPEM()
        let files = (
            directory.appendingPathComponent("demo.pem").path, directory.appendingPathComponent("demo.key").path
        )
        try DemoFile.write(document.pemString, to: files.0)
        try DemoFile.write(key.pemRepresentation, to: files.1)
        certificate = try ServerCertificate(certificatePath: files.0, keyPath: files.1)
        fingerprint = SHA256.hash(data: document.derBytes)
            .map { HexadecimalText.encode([$0]).uppercased() }
            .joined(separator: ":")
    }

    /// Lets what this program sends to servers trust this certificate alone.
    func trust() { setenv("SSL_CERT_FILE", certificate.certificatePath, 1) }
}
