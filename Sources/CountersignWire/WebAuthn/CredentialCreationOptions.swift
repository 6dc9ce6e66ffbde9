/// The options that a page gives the browser to make a passkey.
///
/// Its JSON is read by `PublicKeyCredential.parseCreationOptionsFromJSON()`. No attestation is requested, and the
/// passkey shall be discoverable. Standard: Web Authentication Level 3 §5.4, §5.1.8.
public struct CredentialCreationOptions: Sendable, Equatable, Codable {
    /// The relying party.
    public struct Party: Sendable, Equatable, Codable {
        /// The domain that the passkey is bound to.
        public var id: String
        /// The display name.
        public var name: String
    }

    /// The person.
    public struct User: Sendable, Equatable, Codable {
        /// The person, as authenticators know them.
        public var id: UserHandle
        /// The name that the person signs in with.
        public var name: String
        /// The name that the person is called by.
        public var displayName: String

        /// A person.
        public init(id: UserHandle, name: String, displayName: String) {
            self.id = id
            self.name = name
            self.displayName = displayName
        }
    }

    /// A kind of key that is accepted.
    public struct Parameter: Sendable, Equatable, Codable {
        /// The kind of credential: `public-key`.
        public var type = "public-key"
        /// The signature algorithm of the key.
        public var algorithm: COSEAlgorithm

        enum CodingKeys: String, CodingKey {
            case type
            case algorithm = "alg"
        }
    }

    /// The demands on the authenticator.
    public struct Selection: Sendable, Equatable, Codable {
        /// Whether the passkey is discoverable: `required`.
        public var residentKey = "required"
        /// The same for browsers that know only Level 1.
        public var requireResidentKey = true
        /// Whether it shall verify the person.
        public var userVerification: UserVerification
    }

    /// The relying party (`rp`).
    public var party: Party
    /// The person.
    public var user: User
    /// The challenge that is signed.
    public var challenge: String
    /// The kinds of key that are accepted, the preferred one first.
    public var parameters: [Parameter]
    /// The time that the browser waits, in milliseconds.
    public var timeout: Int
    /// The passkeys that the person has, so that no authenticator gets a second one.
    public var excluded: [CredentialDescriptor]
    /// The demands on the authenticator.
    public var selection: Selection
    /// The way the authenticator shall identify itself: `none`.
    public var attestation = "none"

    /// Options for a new passkey.
    ///
    /// - Parameters:
    ///   - party: The relying party.
    ///   - name: Its display name.
    ///   - user: The person.
    ///   - challenge: The challenge that is signed; keep it to verify the answer.
    ///   - known: The passkeys that the person has.
    ///   - userVerification: Whether the authenticator shall verify the person; required by default.
    ///   - seconds: The time that the browser waits; 300 by default.
    public init(
        for party: RelyingParty,
        named name: String,
        user: User,
        challenge: CeremonyChallenge,
        excluding known: [CredentialDescriptor],
        userVerification: UserVerification = .required,
        seconds: Int = 300
    ) {
        self.party = Party(id: party.id, name: name)
        self.user = user
        self.challenge = challenge.revealed
        parameters = COSEAlgorithm.allCases.map { Parameter(algorithm: $0) }
        timeout = seconds * 1000
        excluded = known
        selection = Selection(userVerification: userVerification)
    }

    enum CodingKeys: String, CodingKey {
        case party = "rp"
        case user, challenge
        case parameters = "pubKeyCredParams"
        case timeout
        case excluded = "excludeCredentials"
        case selection = "authenticatorSelection"
        case attestation
    }
}
