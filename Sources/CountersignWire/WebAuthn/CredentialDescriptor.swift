/// Names a passkey to the browser.
///
/// Standard: Web Authentication Level 3 §5.8.3, in the JSON form of §5.1.8 and §5.1.9.
public struct CredentialDescriptor: Sendable, Equatable, Codable {
    /// The kind of credential: `public-key`.
    public var type = "public-key"
    /// The name of the credential.
    public var id: CredentialID
    /// The transports of its authenticator; omitted if unknown.
    public var transports: [String]?

    /// Names a passkey.
    public init(_ id: CredentialID, transports: [String] = []) {
        self.id = id
        self.transports = transports.isEmpty ? nil : transports
    }
}
