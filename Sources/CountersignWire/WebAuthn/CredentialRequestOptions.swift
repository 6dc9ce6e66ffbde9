/// The options that a page gives the browser to sign in with a passkey.
///
/// Its JSON is read by `PublicKeyCredential.parseRequestOptionsFromJSON()`.
/// Standard: Web Authentication Level 3 §5.5, §5.1.9.
public struct CredentialRequestOptions: Sendable, Equatable, Codable {
    /// The challenge that is signed.
    public var challenge: String
    /// The time that the browser waits, in milliseconds.
    public var timeout: Int
    /// The domain that the passkey is bound to (`rpId`).
    public var partyID: String
    /// The passkeys that may answer; empty for any that the person has for this domain.
    public var allowed: [CredentialDescriptor]
    /// Whether the authenticator shall verify the person.
    public var userVerification: UserVerification

    /// Options for an assertion.
    ///
    /// - Parameters:
    ///   - party: The relying party.
    ///   - challenge: The challenge that is signed; keep it to verify the answer.
    ///   - allowed: The passkeys that may answer; any by default.
    ///   - userVerification: Whether the authenticator shall verify the person; required by default.
    ///   - seconds: The time that the browser waits; 300 by default.
    public init(
        for party: RelyingParty,
        challenge: CeremonyChallenge,
        allowing allowed: [CredentialDescriptor] = [],
        userVerification: UserVerification = .required,
        seconds: Int = 300
    ) {
        self.challenge = challenge.revealed
        timeout = seconds * 1000
        partyID = party.id
        self.allowed = allowed
        self.userVerification = userVerification
    }

    enum CodingKeys: String, CodingKey {
        case challenge, timeout
        case partyID = "rpId"
        case allowed = "allowCredentials"
        case userVerification
    }
}
