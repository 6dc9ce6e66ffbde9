public import Countersign

/// The provider's own app sends the signed decision of its person about the authorization request of another app.
///
/// It sends its own access token in the `Authorization` header.
public struct AuthorizationDecideRequest: Sendable {
    /// The parameters as they stood in the address.
    public let parameters: String
    /// The decision, not verified.
    public let decision: UnverifiedAuthorizationDecision

    /// Reads a request.
    ///
    /// - Parameter form: The body of the request.
    /// - Throws: ``OAuthError`` `invalid_request` when a parameter is missing, or the decision is no JWS of its type.
    public init(form: Form) throws(OAuthError) {
        parameters = try form.required(AuthorizationLookRequest.parameter)
        decision = try UnverifiedAuthorizationDecision(form: form)
    }

    /// Returns the form that carries an app's signed decision.
    ///
    /// - Parameters:
    ///   - decision: The decision, as ``UnverifiedDecision/text(of:by:signedBy:)`` returned it.
    ///   - parameters: The parameters as they stood in the address.
    public static func form(with decision: String, on parameters: String) -> Form {
        var form = UnverifiedAuthorizationDecision.form(with: decision)
        form[AuthorizationLookRequest.parameter] = parameters
        return form
    }
}

/// The server's confirmation that it recorded a decision, with the address that brings the answer to the other app.
public struct AuthorizationDecideResponse: Sendable, Equatable {
    /// The outcome of the decision.
    public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
        /// The other app gets a code.
        case approved
        /// The other app is told that the person denied.
        case denied
        /// The person approved, and the server's rules do not allow it; the other app is told.
        case refused
    }

    /// The request that was decided.
    public let exchange: SignInRequest.ID
    /// The outcome of the decision.
    public let outcome: Outcome
    /// The address to open.
    public let location: AuthorizationAnswerAddress

    /// Creates a confirmation.
    public init(exchange: SignInRequest.ID, outcome: Outcome, location: AuthorizationAnswerAddress) {
        self.exchange = exchange
        self.outcome = outcome
        self.location = location
    }
}

extension AuthorizationDecideResponse: Codable {
    private enum CodingKeys: String, CodingKey {
        case exchange, outcome, location
    }

    /// Reads a confirmation.
    ///
    /// - Throws: `DecodingError` when a member is missing or malformed.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        exchange = try fields.decode(SignInRequest.ID.self, forKey: .exchange)
        outcome = try fields.decode(Outcome.self, forKey: .outcome)
        location = AuthorizationAnswerAddress(revealing: try fields.decode(String.self, forKey: .location))
    }

    /// Writes the address in the clear: this is the message that carries it to its app.
    ///
    /// - Throws: `EncodingError` from the encoder.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(exchange, forKey: .exchange)
        try fields.encode(outcome, forKey: .outcome)
        try fields.encode(location.revealed, forKey: .location)
    }
}
