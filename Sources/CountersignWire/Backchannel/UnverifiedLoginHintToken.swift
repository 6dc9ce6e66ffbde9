package import FoundationEssentialsCompat

/// A client's statement that names a person (`login_hint_token`), before any of it is trusted.
///
/// CIBA leaves its form to the server. In Countersign it is a JWT that the client signed with one of its registered
/// keys: `iss` is the client, `aud` the issuer of the server, `exp` at most an hour ahead, and `sub_id` names the
/// person by RFC 9493, in the format `iss_sub` (the issuer of the server, and the person's `sub`) or `opaque` (the name
/// that they sign in with). Standard: OpenID CIBA Core 1.0 §7.1; RFC 9493 §3.2.3, §3.2.4.
package struct UnverifiedLoginHintToken: Sendable {
    /// The person as a statement names them.
    package enum Person: Sendable, Equatable {
        /// The server's identifier for them.
        case subject(Subject)
        /// The name that they sign in with.
        case login(String)
    }

    /// The longest statement that is read, in bytes.
    static let longest = 8192
    /// The longest remaining validity of a statement, in seconds.
    static let longestLife: TimeInterval = 3600
    private static let types: Set<String?> = [nil, "jwt", "login-hint+jwt"]

    private struct Claims: Decodable {
        let issuer: String
        let person: SubjectIdentifier

        enum CodingKeys: String, CodingKey {
            case issuer = "iss"
            case person = "sub_id"
        }
    }

    private struct SubjectIdentifier: Decodable {
        let format: String
        let issuer: String?
        let subject: String?
        let id: String?

        enum CodingKeys: String, CodingKey {
            case format, id
            case issuer = "iss"
            case subject = "sub"
        }
    }

    private let claims: Claims
    private let statement: UnverifiedClientStatement

    /// Splits a statement. Nothing is verified.
    ///
    /// - Parameter text: A compact JWS of at most 8,192 bytes.
    /// - Throws: ``OAuthError`` `invalid_request` when it is no statement of this form.
    package init(_ text: String) throws(OAuthError) {
        guard let statement = UnverifiedClientStatement(text, longest: Self.longest, types: Self.types),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(statement.payload))
        else { throw Self.refusal("malformed") }
        self.claims = claims
        self.statement = statement
    }

    /// Verifies the statement.
    ///
    /// - Parameter algorithms: The algorithms that the client may sign with; ``ClientAlgorithms/all`` by default.
    /// - Returns: The person whom it names.
    /// - Throws: ``OAuthError`` `expired_login_hint_token`; `invalid_request` for every other fault.
    package func person(
        signedBy keys: JSONWebKeySet,
        of client: ClientID,
        for audience: String,
        by algorithms: ClientAlgorithms = .all,
        at now: Date
    ) throws(OAuthError) -> Person {
        guard claims.issuer == client.rawValue else { throw Self.refusal("iss is not the client") }
        guard let expires = statement.claims.expires else { throw Self.refusal("exp is missing") }
        let demands = UnverifiedClientStatement.Demands(
            keys: keys, algorithms: algorithms, audiences: [audience], longestLife: Self.longestLife)
        // An expired one is reported as such only when everything else is right.
        let isExpired = expires <= now.timeIntervalSince1970 - UnverifiedClientStatement.leeway
        do {
            _ = try statement.signer(meeting: demands, at: isExpired ? Date(timeIntervalSince1970: expires) : now)
        } catch {
            throw Self.refusal(error.reason)
        }
        guard !isExpired else {
            throw OAuthError(.expiredLoginHintToken, "the login_hint_token has expired", because: "expired hint token")
        }
        switch (claims.person.format, claims.person.issuer, claims.person.subject, claims.person.id) {
        case ("iss_sub", audience?, let subject?, _): return .subject(Subject(subject))
        case ("opaque", _, _, let id?): return .login(id)
        default: throw Self.refusal("sub_id names no person of this server")
        }
    }

    private static func refusal(_ reason: String) -> OAuthError {
        OAuthError(
            .invalidRequest, "the login_hint_token is not good: \(reason)", because: "the login_hint_token: \(reason)")
    }
}

/// Prints as redacted, because any party that has the text can send it while it is valid.
extension UnverifiedLoginHintToken: Redacted {}
