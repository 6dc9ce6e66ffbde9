/// Names one passkey; the authenticator chooses it.
///
/// Standard: Web Authentication Level 3 §4 (credential ID): 1 to 1,023 bytes.
public struct CredentialID: Identifier {
    /// The identifier as base64url.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Takes over the bytes of an identifier; `nil` unless there are 1 to 1,023 of them.
    ///
    /// - Parameter bytes: The identifier as the authenticator made it.
    public init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard (1...1023).contains(bytes.count) else { return nil }
        rawValue = URLSafeText.encode(bytes)
    }

    /// Reads an identifier from JSON; `nil` unless it is the base64url of 1 to 1,023 bytes.
    ///
    /// - Parameter text: The value of `id`, without padding.
    public init?(parsing text: String) {
        guard text.utf8.count <= 1364, let bytes = URLSafeText.decode(text) else { return nil }
        self.init(bytes: bytes)
    }
}

/// Identifies a person to authenticators, without personal data.
///
/// Standard: Web Authentication Level 3 §5.4.3 (user handle): 1 to 64 bytes.
public struct UserHandle: Identifier {
    /// The handle as base64url.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Takes over the bytes of a handle; `nil` unless there are 1 to 64 of them.
    ///
    /// - Parameter bytes: The handle as the server drew it.
    public init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard (1...64).contains(bytes.count) else { return nil }
        rawValue = URLSafeText.encode(bytes)
    }

    /// Reads a handle from JSON; `nil` unless it is the base64url of 1 to 64 bytes.
    ///
    /// - Parameter text: The value of `userHandle`, without padding.
    public init?(parsing text: String) {
        guard text.utf8.count <= 86, let bytes = URLSafeText.decode(text) else { return nil }
        self.init(bytes: bytes)
    }
}

/// The challenge that a server gives an authenticator to sign, so that an answer fits one question only: 256 random
/// bits.
///
/// Standard: Web Authentication Level 3 §13.4.3.
public struct CeremonyChallenge: Secret {
    /// The challenge as base64url.
    public let revealed: String
    public init(revealing text: String) { revealed = text }
}
