internal import Configuration
internal import CountersignServer

/// The settings of the device API of the older dialect.
enum LegacySettings {
    /// The settings; `nil` when the API is off.
    ///
    /// - Throws: a ``Failure`` for a key that cannot be used, and for settings of an API that is off.
    static func authenticator(in settings: ConfigReader) throws -> LegacyAuthenticator? {
        let path = settings.string(forKey: "legacy-pin-key")
        guard try settings.truth("legacy-authenticator") else {
            guard path == nil else {
                throw Failure("legacy-pin-key needs legacy-authenticator.", status: .usage)
            }
            return nil
        }
        return LegacyAuthenticator(pinKey: try path.map(key))
    }

    private static func key(at path: String) throws -> LegacyCertificatePinKey {
        let pem = try PrivateKeyFile.text(at: path)
        do {
            return try LegacyCertificatePinKey(pem: pem)
        } catch {
            throw Failure("The key file \(path) holds no RSA key of at least 2048 bits, as PEM without a passphrase.")
        }
    }
}
