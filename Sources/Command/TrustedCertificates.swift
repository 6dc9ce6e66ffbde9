internal import Foundation

/// The certificates that this program trusts in place of the system's.
enum TrustedCertificates {
    /// Lets the transport trust those in a PEM file; it reads the variable when it is first used, which is later.
    ///
    /// - Parameters:
    ///   - option: The name of the option or member that names the file.
    ///   - noun: The noun for the file, as a sentence begins with it.
    /// - Throws: a ``CommandError`` when the file cannot be used.
    static func use(_ path: String, by option: String, called noun: String = "The file") throws(CommandError) {
        try use(try SuppliedText.bytes(in: path, called: noun), of: path, by: option, called: noun)
    }

    /// The same for a file that was read.
    static func use(_ bytes: Data, of path: String, by option: String, called noun: String = "The file")
        throws(CommandError)
    {
        guard bytes.range(of: Data("-----BEGIN CERTIFICATE-----".utf8)) != nil else {
            throw CommandError("\(noun) \(path) holds no certificate in PEM form.")
        }
        #if os(Linux)
        setenv("SSL_CERT_FILE", path, 1)
        #else
        // URLSession asks the keychain alone.
        throw .usage(
            "\(option) has no effect on this system. Add the certificate to the keychain, and trust it there.")
        #endif
    }
}
