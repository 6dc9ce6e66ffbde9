internal import Configuration
internal import CountersignServer
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The listener for apps that authenticate by certificates.
struct ClientCertificateListener: Sendable {
    let address: ListenAddress
    let mutualTLS: MutualTLS

    /// Reads the settings; `nil` when there is to be no such listener.
    ///
    /// - Parameters:
    ///   - issuer: The base URL of the server.
    ///   - certificate: The certificate of the server's own TLS; `nil` when it has none.
    ///   - others: The addresses that the program listens on already.
    /// - Throws: a ``CommandError`` that says what to change.
    init?(
        _ settings: ConfigReader,
        of issuer: Issuer,
        with certificate: ServerCertificate?,
        beside others: [ListenAddress]
    ) throws {
        let file = settings.string(forKey: "client-certificates")
        let listen = settings.string(forKey: "client-certificates-listen")
        let named = settings.string(forKey: "client-certificates-url")
        guard let file, let listen else {
            guard file == nil, listen == nil, named == nil else {
                throw CommandError.usage(
                    "--client-certificates and --client-certificates-listen go together: the authorities, and where to "
                        + "listen for apps with certificates."
                )
            }
            return nil
        }
        guard let certificate else {
            throw CommandError.usage(
                "--client-certificates needs TLS of the server's own: add --tls-certificate and --tls-key. A proxy "
                    + "cannot pass on what a client proved to it."
            )
        }
        address = try ListenAddress(listen, setting: "client-certificates-listen").settled()
        for other in others where try address.collides(with: other) {
            throw CommandError.usage(
                "--client-certificates-listen \(address) and \(other) cannot both be listened on. Choose another port.")
        }
        let authorities = try FileManager.default.contents(atPath: file).or(
            failure: "The file \(file) cannot be read. See that it exists and that this user may read it.")
        let base = try ServeCommand.issuer(
            named ?? "https://\(issuer.url.host ?? "localhost"):\(address.port)\(issuer.path)")
        do {
            let verifier = try ClientCertificateVerifier(authorities: authorities, path: file)
            mutualTLS = MutualTLS(certificate: certificate, verifier: verifier, base: base)
        } catch {
            throw CommandError(error.description)
        }
    }
}
