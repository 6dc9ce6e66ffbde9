/// The origin that Android gives an app in a ceremony: the digest of the certificate that signs the app.
///
/// Standard: none; it is written as Android's Credential Manager writes it.
public struct AndroidAppOrigin: Identifier {
    /// The origin, such as `android:apk-key-hash:` and 43 characters.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads an origin.
    ///
    /// - Parameter text: `android:apk-key-hash:` and a SHA-256 digest as base64url without padding; `nil` is returned
    ///   for anything else.
    public init?(parsing text: String) {
        let prefix = "android:apk-key-hash:"
        guard text.hasPrefix(prefix), let digest = URLSafeText.decode(String(text.dropFirst(prefix.count))),
            digest.count == 32
        else { return nil }
        rawValue = text
    }
}
