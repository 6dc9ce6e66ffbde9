/// An app sends the signed decision of its person.
///
/// It sends its own access token in the `Authorization` header.
package struct ApproverDecideRequest: Sendable {
    /// The decision, not verified.
    package let decision: UnverifiedDecision
    /// The parameters of the authorization request of another app, in the address; they are sent and checked again.
    /// `nil` for any other request.
    package let parameters: String?

    private static let decision = "decision"

    /// Reads a request.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when the decision is missing or no JWS of its type.
    package init(form: Form) throws(OAuthError) {
        decision = try UnverifiedDecision(try form.required(Self.decision))
        parameters = form[ApproverLookRequest.authorization]
    }

    /// Returns the form that carries an app's signed decision.
    ///
    /// - Parameters:
    ///   - decision: The decision, as ``UnverifiedDecision/text(of:by:signedBy:)`` returned it.
    ///   - parameters: The parameters of an authorization request, in the address; `nil`, the default, for any other
    ///     request.
    package static func form(with decision: String, on parameters: String? = nil) -> Form {
        var form = Form()
        form[Self.decision] = decision
        form[ApproverLookRequest.authorization] = parameters
        return form
    }
}
