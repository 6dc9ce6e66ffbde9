public import FoundationEssentialsCompat

/// A signed statement that authenticates a client, before any of it is trusted.
///
/// Standard: RFC 7523 §2.2, §3; OpenID Connect Core 1.0 §9 (`private_key_jwt`).
public struct UnverifiedClientAssertion: Sendable {
    /// The value of `client_assertion_type`.
    public static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    /// The algorithms that are accepted, by their registered names.
    public static let algorithms = ClientAlgorithms.all.names
    /// The longest remaining validity of an assertion, in seconds: the hour that common libraries choose, and a minute
    /// for clocks that differ.
    public static let longestLife: TimeInterval = 3660
    /// The longest assertion that is read, in bytes.
    static let longest = 4096

    private struct Claims: Decodable {
        let issuer: String
        let subject: String
        let audience: AudienceForm
        let id: String
        let expires: TimeInterval

        enum CodingKeys: String, CodingKey {
            case issuer = "iss"
            case subject = "sub"
            case audience = "aud"
            case id = "jti"
            case expires = "exp"
        }
    }

    /// The form of the audience, text or list; the names themselves are those of the statement.
    private struct AudienceForm: Decodable {
        let isList: Bool

        init(from decoder: any Decoder) throws {
            isList = (try? decoder.singleValueContainer().decode(String.self)) == nil
        }
    }

    /// The client that the assertion names.
    public let client: ClientID
    private let claims: Claims
    private let statement: UnverifiedClientStatement

    /// Splits an assertion. Nothing is verified.
    ///
    /// - Parameter text: A compact JWS of at most 4,096 bytes.
    /// - Throws: ``OAuthError`` `invalid_client` when it is no assertion of this form.
    public init(_ text: String) throws(OAuthError) {
        guard let statement = UnverifiedClientStatement(text, longest: Self.longest, types: Self.types),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(statement.payload)),
            claims.issuer == claims.subject, !claims.subject.isEmpty, (1...256).contains(claims.id.utf8.count)
        else { throw OAuthError(.invalidClient, "the client assertion is malformed", because: "malformed assertion") }
        client = ClientID(claims.subject)
        self.claims = claims
        self.statement = statement
    }

    /// Reads the assertion of a request.
    ///
    /// - Parameter form: The body of the request; `nil` is returned when it has no `client_assertion`.
    /// - Throws: ``OAuthError`` `invalid_client` for another `client_assertion_type`, and for a malformed assertion.
    public init?(form: Form) throws(OAuthError) {
        let (type, text) = (form["client_assertion_type"], form["client_assertion"])
        if type == nil, text == nil { return nil }
        guard type == Self.type, let text else {
            throw OAuthError(
                .invalidClient,
                "the type of the client assertion is not known",
                because: "client_assertion and its type do not go together"
            )
        }
        try self.init(text)
    }

    /// The types that the header may name; another kind of token of the same key must not pass.
    private static let types: Set<String?> = [nil, "jwt", "client-authentication+jwt"]

    /// Verifies the assertion.
    ///
    /// - Parameters:
    ///   - keys: The keys that the client registered.
    ///   - audiences: The names of the receiver. All that the assertion names must be among them: another receiver
    ///     could replay it.
    ///   - isListAccepted: Whether the assertion may name its audience as a list; `true` by default.
    ///   - algorithms: The algorithms that the client may sign with; ``ClientAlgorithms/all`` by default.
    ///   - now: The current time.
    /// - Returns: The assertion. The receiver must still refuse it when it received it before.
    /// - Throws: ``OAuthError`` `invalid_client`, the same for every fault.
    public func verified(
        by keys: JSONWebKeySet,
        for audiences: [String],
        acceptingLists isListAccepted: Bool = true,
        signedBy algorithms: ClientAlgorithms = .all,
        at now: Date
    ) throws(OAuthError) -> VerifiedClientAssertion {
        guard isListAccepted || !claims.audience.isList,
            statement.claims.audience?.names.allSatisfy(audiences.contains) == true
        else { throw OAuthError(.invalidClient, "client authentication failed", because: "the assertion: another aud") }
        let thumbprint: KeyThumbprint
        do {
            thumbprint = try statement.signer(
                meeting: UnverifiedClientStatement.Demands(
                    keys: keys,
                    algorithms: algorithms,
                    audiences: audiences,
                    longestLife: Self.longestLife
                ),
                at: now
            )
        } catch {
            throw OAuthError(.invalidClient, "client authentication failed", because: "the assertion: \(error.reason)")
        }
        return VerifiedClientAssertion(
            client,
            by: thumbprint,
            id: claims.id,
            ends: Date(timeIntervalSince1970: claims.expires) + UnverifiedClientStatement.leeway
        )
    }
}

/// An assertion that one of the client's registered keys signed; made by ``UnverifiedClientAssertion`` alone.
public struct VerifiedClientAssertion: Sendable, Hashable {
    /// The client that authenticated.
    public let client: ClientID
    /// The key that signed.
    public let thumbprint: KeyThumbprint
    /// The time when the receiver begins to refuse it because it has expired.
    public let ends: Date
    /// Identifies the assertion among those of all clients.
    public let digest: SecretDigest

    fileprivate init(_ client: ClientID, by thumbprint: KeyThumbprint, id: String, ends: Date) {
        self.client = client
        self.thumbprint = thumbprint
        self.ends = ends
        digest = SecretDigest(of: "\(SecretDigest(of: client.rawValue).bytes) \(id)")
    }
}

/// Compares the signed texts in constant time.
extension UnverifiedClientAssertion: Equatable {
    /// Whether both are the same text.
    public static func == (left: UnverifiedClientAssertion, right: UnverifiedClientAssertion) -> Bool {
        left.statement.textDigest == right.statement.textDigest
    }
}

/// Prints as redacted, because any party that has the text can send it while it is valid.
extension UnverifiedClientAssertion: Redacted {}
