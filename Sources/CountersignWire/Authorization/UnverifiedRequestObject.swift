public import FoundationEssentialsCompat

/// An authorization request that a client signed (`request`), before any of it is trusted.
///
/// Standard: RFC 9101 §4, §5.1, §6; OpenID Connect Core 1.0 §6.1.
public struct UnverifiedRequestObject: Sendable {
    /// The receiver's demands on the times in a request object.
    public enum Demand: Sendable, Equatable {
        /// Existing times are checked.
        case signature
        /// The object must have a period of validity (`nbf`, `exp`) of at most an hour.
        ///
        /// Standard: FAPI 2.0 Message Signing §5.3.1.
        case validity
        /// The object is a request over the back channel: it must have `iat`, `nbf`, `exp` and `jti`, be valid for an
        /// hour at most, and may be used once. It need not name the client as a parameter.
        ///
        /// Standard: OpenID CIBA Core 1.0 §7.1.1; FAPI-CIBA §5.2.2.
        case backchannel

        /// Whether the object must have a period of validity of at most an hour.
        var isBounded: Bool { self != .signature }
    }

    /// The algorithms that are accepted, by their registered names.
    public static let algorithms = ClientAlgorithms.all.names
    /// The longest remaining validity of an object, in seconds.
    public static let longestLife: TimeInterval = 86_400
    /// The longest validity of an object that must state its validity, in seconds.
    public static let longestValidity: TimeInterval = 3600
    /// The longest object that is read, in bytes.
    static let longest = 16_384
    private static let types: Set<String?> = [nil, "jwt", "oauth-authz-req+jwt"]
    /// The claims that are about the object itself, and no parameters of the request.
    private static let aboutItself: Set = ["iss", "aud", "exp", "nbf", "iat", "jti", "sub"]

    private let parameters: Form
    private let issuer: String?
    private let subject: String?
    private let id: String?
    private let statement: UnverifiedClientStatement

    /// Splits an object. Nothing is verified.
    ///
    /// - Parameter text: A compact JWS of at most 16,384 bytes.
    /// - Throws: ``OAuthError`` `invalid_request_object` when it is no signed object of this form, has a member twice,
    ///   or names another object.
    public init(_ text: String) throws(OAuthError) {
        var scanned: [JSONScanner.Member] = []
        guard let statement = UnverifiedClientStatement(text, longest: Self.longest, types: Self.types) else {
            throw Self.refusal("it is not signed, or malformed")
        }
        var scanner = JSONScanner(statement.payload)
        do {
            scanned = try scanner.object()
        } catch {
            throw Self.refusal("its claims are no JSON object")
        }
        guard Set(scanned.map(\.name)).count == scanned.count else { throw Self.refusal("a member is repeated") }
        guard scanned.count <= Form.limit else { throw Self.refusal("it has too many members") }
        var parameters = Form()
        for member in scanned where !Self.aboutItself.contains(member.name) {
            let name = member.name
            // RFC 9101 §4: it must not name another object.
            guard name != "request", name != "request_uri" else { throw Self.refusal("an object within an object") }
            parameters[name] = try Self.parameter(member.value)
        }
        func claim(_ name: String) -> String? {
            guard case .text(let text)? = scanned.first(where: { $0.name == name })?.value else { return nil }
            return text
        }
        issuer = claim("iss")
        subject = claim("sub")
        id = claim("jti")
        self.parameters = parameters
        self.statement = statement
    }

    /// Verifies the object.
    ///
    /// - Parameters:
    ///   - keys: The keys that the client registered.
    ///   - client: The client that the request names outside the object.
    ///   - audience: The issuer of the server that received it.
    ///   - algorithms: The algorithms that the client may sign with; ``ClientAlgorithms/all`` by default.
    ///   - demand: The demands on the object's validity.
    ///   - now: The time when the server received it.
    /// - Returns: The request that it contains.
    /// - Throws: ``OAuthError`` `invalid_request_object`.
    public func verified(
        by keys: JSONWebKeySet,
        of client: ClientID,
        for audience: String,
        signedBy algorithms: ClientAlgorithms = .all,
        demanding demand: Demand,
        at now: Date
    ) throws(OAuthError) -> VerifiedRequestObject {
        let named = demand == .backchannel ? parameters["client_id"] ?? client.rawValue : parameters["client_id"]
        guard issuer == client.rawValue, named == client.rawValue else {
            throw Self.refusal("iss and client_id have to be the client")
        }
        // Such an object would pass for an assertion that authenticates the client.
        // Standard: RFC 9101 §10.8; RFC 8725 §2.8.
        guard subject != client.rawValue else { throw Self.refusal("sub must not be the client") }
        let thumbprint: KeyThumbprint
        do {
            thumbprint = try statement.signer(
                meeting: UnverifiedClientStatement.Demands(
                    keys: keys,
                    algorithms: algorithms,
                    audiences: [audience],
                    longestLife: Self.longestLife
                ),
                at: now
            )
        } catch {
            throw Self.refusal(error.reason)
        }
        if demand.isBounded {
            guard let begins = statement.claims.notBefore, let ends = statement.claims.expires,
                (0...Self.longestValidity).contains(ends - begins)
            else { throw Self.refusal("nbf and exp have to be there, at most an hour apart") }
        }
        if demand == .backchannel {
            guard statement.claims.issued != nil, let id, (1...256).contains(id.utf8.count) else {
                throw Self.refusal("iat and jti have to be there")
            }
        }
        return VerifiedRequestObject(
            parameters,
            use: SecretDigest(
                of: "request object \(SecretDigest(of: client.rawValue).bytes) \(thumbprint) \(id ?? "")"),
            ends: statement.claims.expires.map { Date(timeIntervalSince1970: $0) + UnverifiedClientStatement.leeway }
        )
    }

    private static func parameter(_ value: JSONScanner.Value) throws(OAuthError) -> String? {
        switch value {
        case .text(let text):
            guard !text.utf8.contains(0) else { throw refusal("a NUL in a parameter") }
            return text
        case .other(json: "null"): return nil
        case .other(let json): return json
        }
    }

    private static func refusal(_ reason: String) -> OAuthError {
        OAuthError(
            .invalidRequestObject,
            "the request object is not good: \(reason)",
            because: "the request object: \(reason)"
        )
    }
}

/// An authorization request that one of the client's registered keys signed; made by ``UnverifiedRequestObject`` alone.
public struct VerifiedRequestObject: Sendable, Equatable {
    /// The parameters of the request. Values other than texts appear as JSON, such as `600` and `{"id_token":null}`.
    public let parameters: Form
    /// Identifies the object among those of all clients, if it has an identifier (`jti`).
    public let use: SecretDigest
    /// The time when the receiver begins to refuse it because it has expired; `nil` for one that does not expire.
    public let ends: Date?

    fileprivate init(_ parameters: Form, use: SecretDigest, ends: Date?) {
        self.parameters = parameters
        self.use = use
        self.ends = ends
    }
}

/// Prints as redacted, because any party that has the text can send it while it is valid.
extension UnverifiedRequestObject: Redacted {}
