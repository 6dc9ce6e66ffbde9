internal import ArgumentParser
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// The certificate that authenticates a client.
///
/// Standard: RFC 8705 §2.
struct ClientCertificateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A file with the certificate by which it authenticates, whoever issued it: PEM, or a JSON Web Key Set with x5c.
            """,
            valueName: "file"
        )
    )
    var certificate: String?

    @Option(
        help: ArgumentHelp(
            """
            The subject of the certificate by which it authenticates, issued by an authority of serve \
            --client-certificates; as in "CN=pay,O=Example,C=DE".
            """,
            valueName: "name"
        )
    )
    var certificateSubject: String?

    @Option(
        name: .customLong("certificate-dns"),
        help: ArgumentHelp("The same by a DNS name in the certificate.", valueName: "host")
    )
    var certificateDNS: String?

    @Option(
        name: .customLong("certificate-uri"),
        help: ArgumentHelp("The same by a URI in the certificate.", valueName: "uri")
    )
    var certificateURI: String?

    @Option(
        name: .customLong("certificate-ip"),
        help: ArgumentHelp("The same by an IP address in the certificate.", valueName: "address")
    )
    var certificateIP: String?

    @Option(help: ArgumentHelp("The same by a mail address in the certificate.", valueName: "address"))
    var certificateEmail: String?

    /// The certificate that the options describe; `nil` when none was given.
    ///
    /// - Throws: a ``CommandError`` with the reason.
    func read() throws -> CertificateCredential? {
        let names: [CertificateName] = [
            certificateSubject.map { .subject($0) }, certificateDNS.map { .dns($0) },
            certificateURI.map { .uri($0) }, certificateIP.map { .ip($0) }, certificateEmail.map { .email($0) },
        ].compactMap(\.self)
        guard names.count + (certificate == nil ? 0 : 1) <= 1 else {
            throw CommandError.usage("A client has one of --certificate and --certificate-..., not several.")
        }
        if let name = names.first {
            guard name.isWellFormed else {
                throw CommandError.usage("The name \(name.text) cannot be that of a certificate.")
            }
            return .issued(name)
        }
        guard let certificate else { return nil }
        let bytes = try SuppliedText.bytes(in: certificate, called: "The certificate file")
        do {
            return try CertificateCredential(file: bytes, path: certificate)
        } catch {
            throw CommandError(
                """
                The certificate file \(certificate) needs 1 to \(CertificateCredential.mostCertificates) certificates, as \
                PEM or as x5c in a JSON Web Key Set.
                """
            )
        }
    }
}
