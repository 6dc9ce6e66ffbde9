/// An app that approves undoes an approval of its person, within a minute of it.
///
/// This is an addition of Countersign. The app sends its own access token in the `Authorization` header.
package struct ApproverUndoRequest: Sendable, Equatable {
    /// The request that was approved.
    package let exchange: SignInRequest.ID

    private static let exchange = "exchange"

    /// Creates a request to send.
    package init(exchange: SignInRequest.ID) { self.exchange = exchange }

    /// Reads a request.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when the request is not named.
    package init(form: Form) throws(OAuthError) {
        exchange = SignInRequest.ID(try form.required(Self.exchange))
    }

    package var form: Form { [Self.exchange: exchange.rawValue] }
}

/// The server's answer to an undo.
package struct ApproverUndoResponse: Sendable, Equatable, Codable {
    package let exchange: SignInRequest.ID
    package let outcome: UndoOutcome

    /// Creates an answer.
    package init(exchange: SignInRequest.ID, outcome: UndoOutcome) {
        self.exchange = exchange
        self.outcome = outcome
    }
}
