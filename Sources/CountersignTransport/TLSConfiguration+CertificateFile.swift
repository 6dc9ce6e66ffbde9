#if os(Linux) && AsyncHTTPClient
internal import NIOSSL
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

extension TLSConfiguration {
    /// A client's configuration that trusts the certificates in the file that `SSL_CERT_FILE` names, as OpenSSL's
    /// programs do; the system's where the variable is not set.
    static var trustingNamedCertificates: TLSConfiguration {
        var configuration = makeClientConfiguration()
        if let path = getenv("SSL_CERT_FILE"), path.pointee != 0 {
            configuration.trustRoots = .file(String(cString: path))
        }
        return configuration
    }
}
#endif
