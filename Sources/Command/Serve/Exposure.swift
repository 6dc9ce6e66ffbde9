internal import Configuration
internal import CountersignServer
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The addresses and certificates of the server, after a check that no secret crosses a network in the clear by
/// mistake.
struct Exposure: Sendable {
    let listen: ListenAddress
    let issuer: Issuer
    let certificate: ServerCertificate?
    let trustedProxies: [AddressNetwork]
    /// The address for health and metrics, if it is separate.
    let operations: ListenAddress?
    /// The listener for apps with certificates, if configured.
    let clientCertificates: ClientCertificateListener?
    /// The insecurity that a setting allowed, in a sentence.
    let danger: String?

    /// Reads the settings.
    ///
    /// - Throws: a ``CommandError`` that says what to change when secrets would cross a network in the clear.
    init(_ settings: ConfigReader) throws {
        let isAllowed = try settings.truth("allow-insecure-http")
        listen = try ListenAddress(settings.string(forKey: "listen") ?? "127.0.0.1:8080").settled()
        certificate = try Self.certificate(settings)
        trustedProxies = try Setting.list(
            settings.string(forKey: "trusted-proxies") ?? "",
            orSay: "is no address and no network, as in 10.0.0.5 or 10.0.0.0/8.",
            { AddressNetwork($0) }
        )
        operations = try Self.operations(settings, beside: listen)
        let named = settings.string(forKey: "issuer")
        danger = Self.danger(
            listen: listen, issuer: named, hasCertificate: certificate != nil, hasProxies: !trustedProxies.isEmpty)
        if let danger, !isAllowed { throw CommandError(danger) }
        issuer = try Self.issuer(named, listen: listen, certificate: certificate, isInsecureAllowed: isAllowed)
        clientCertificates = try ClientCertificateListener(
            settings, of: issuer, with: certificate, beside: [listen, operations].compactMap(\.self))
    }

    /// Whether the settings name the address of a server. The default address is no sign that there is one.
    static func isNamed(in settings: ConfigReader) -> Bool {
        ["issuer", "listen", "tls-certificate"].contains { settings.string(forKey: ConfigKey($0)) != nil }
    }

    /// The addresses that the server listens on.
    var addresses: [ListenAddress] {
        [listen] + [operations, clientCertificates?.address].compactMap(\.self)
    }

    /// Whether only this machine reaches the server, directly or through a proxy.
    var isThisMachineOnly: Bool { listen.isLoopback && Issuer.isLoopback(issuer.url.host ?? "") }

    /// The host names of the server for browsers on this machine, besides the issuer's.
    var localHosts: [String] {
        listen.isLoopback ? ["localhost", "127.0.0.1", "[::1]"].map { "\($0):\(listen.port)" } : []
    }

    /// The settings of a server that is reached like this.
    var serverSettings: ServerSettings {
        var settings = ServerSettings(issuer: issuer)
        settings.trustedProxies = trustedProxies
        settings.certificate = certificate
        settings.localHosts = localHosts
        settings.showsMetrics = isThisMachineOnly && operations == nil
        settings.mutualTLS = clientCertificates?.mutualTLS
        return settings
    }

    /// The insecurity of these settings, and the remedy; `nil` if there is none.
    static func danger(listen: ListenAddress, issuer: String?, hasCertificate: Bool, hasProxies: Bool) -> String? {
        guard !hasCertificate, !listen.isLoopback else { return nil }
        guard issuer?.lowercased().hasPrefix("https:") == true else {
            return "It would listen on \(listen) without TLS, where others can read codes, passwords and tokens. "
                + "Give it a certificate with --tls-certificate and --tls-key, or let it listen on 127.0.0.1 behind "
                + "a proxy with TLS. For experiments there is --allow-insecure-http."
        }
        guard hasProxies else {
            return "It would listen on \(listen) without TLS, and no proxy is named that could bring it. "
                + "Give it a certificate with --tls-certificate and --tls-key, or name the proxy in front with "
                + "--trusted-proxies. For experiments there is --allow-insecure-http."
        }
        return nil
    }

    private static func operations(_ settings: ConfigReader, beside listen: ListenAddress) throws -> ListenAddress? {
        guard let text = settings.string(forKey: "operations-listen") else { return nil }
        let operations = try ListenAddress(text, setting: "operations-listen").settled()
        guard try !operations.collides(with: listen) else {
            throw CommandError.usage(
                "--listen \(listen) and --operations-listen \(operations) cannot both be listened on. Choose another port "
                    + "for one of them."
            )
        }
        return operations
    }

    private static func issuer(
        _ named: String?,
        listen: ListenAddress,
        certificate: ServerCertificate?,
        isInsecureAllowed: Bool
    ) throws -> Issuer {
        guard let certificate else {
            return try ServeCommand.issuer(named ?? "http://\(listen)", allowingInsecureHTTP: isInsecureAllowed)
        }
        guard let named else {
            let host = try certificate.hostNames.first(where: { !$0.hasPrefix("*") }).or(
                failure: "The certificate names no host. Name the https:// address of the server with --issuer.")
            return try ServeCommand.issuer(listen.port == 443 ? "https://\(host)" : "https://\(host):\(listen.port)")
        }
        let issuer = try ServeCommand.issuer(named, allowingInsecureHTTP: isInsecureAllowed)
        guard issuer.isSecure else {
            throw CommandError(
                "The issuer \(named) has no TLS, but the server does. Name its https:// address with --issuer.")
        }
        return issuer
    }

    private static func certificate(_ settings: ConfigReader) throws -> ServerCertificate? {
        switch (settings.string(forKey: "tls-certificate"), settings.string(forKey: "tls-key")) {
        case (nil, nil): return nil
        case (let certificate?, let key?):
            do {
                return try ServerCertificate(certificatePath: certificate, keyPath: key)
            } catch {
                throw CommandError(error.description)
            }
        case (_?, nil):
            throw CommandError.usage("--tls-certificate needs the key that belongs to it: add --tls-key.")
        case (nil, _?):
            throw CommandError.usage("--tls-key needs the certificate that it belongs to: add --tls-certificate.")
        }
    }
}
