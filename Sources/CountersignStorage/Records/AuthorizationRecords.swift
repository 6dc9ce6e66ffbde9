public import FoundationEssentialsCompat

/// The binding of an authorization code, stored with its exchange.
///
/// Standard: RFC 6749 §4.1.3; RFC 7636 §4.6; RFC 9449 §10.
public struct AuthorizationBinding: Sendable, Equatable, Codable {
    /// The URI that received the code.
    public let redirectURI: String
    /// Whether the authorization request named the redirect URI; then the token request must name it too.
    public let namesRedirectURI: Bool
    /// The challenge of the verifier; `nil` for a request without one, whose client must present no verifier.
    public let challenge: CodeChallenge?
    /// The value that the ID token repeats.
    public let nonce: String?
    /// The thumbprint of the key that the client must prove; `nil` for any.
    public let dpopKey: KeyThumbprint?
    /// The browser session of the person's approval.
    public let session: SessionReference?

    /// Creates a binding.
    public init(
        redirectURI: String,
        namesRedirectURI: Bool,
        challenge: CodeChallenge?,
        nonce: String?,
        dpopKey: KeyThumbprint?,
        session: SessionReference? = nil
    ) {
        self.redirectURI = redirectURI
        self.namesRedirectURI = namesRedirectURI
        self.challenge = challenge
        self.nonce = nonce
        self.dpopKey = dpopKey
        self.session = session
    }
}

/// The browser session of a person's sign-in to a client.
public struct SessionReference: Sendable, Equatable, Codable {
    /// The session as an approver of requests.
    public let id: ApproverID
    /// The expiry of the session.
    public let expires: Date

    /// Creates a reference.
    public init(id: ApproverID, expires: Date) {
        self.id = id
        self.expires = expires
    }
}

/// A person's consent to a client. The person is asked again only for scope that it lacks.
public struct Consent: Sendable, Equatable {
    /// The person.
    public let subject: Subject
    /// The client.
    public let client: ClientID
    /// The scope that the person allowed so far.
    public var scope: Scope
    /// The time of the consent, or of its last extension.
    public var given: Date

    /// Creates a consent.
    public init(subject: Subject, client: ClientID, scope: Scope, given: Date) {
        self.subject = subject
        self.client = client
        self.scope = scope
        self.given = given
    }
}

/// A pushed authorization request of a client.
///
/// Standard: RFC 9126 §2.2.
public struct PushedRequest: Sendable, Equatable {
    /// The digest of the secret part of its `request_uri`.
    public let reference: SecretDigest
    /// The client that stored it.
    public let client: ClientID
    /// The parameters of the request, form-encoded, without the client's credentials.
    public let parameters: String
    /// The expiry of the request.
    public let expires: Date

    /// Creates the record of a request.
    public init(reference: SecretDigest, client: ClientID, parameters: String, expires: Date) {
        self.reference = reference
        self.client = client
        self.parameters = parameters
        self.expires = expires
    }
}
