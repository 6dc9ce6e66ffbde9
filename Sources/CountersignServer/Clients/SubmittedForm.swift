internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// A form and the client credentials that came with it, not checked yet.
struct SubmittedForm: Sendable {
    let form: Form
    let credentials: PresentedCredentials
}

extension Request {
    /// The form in the body, and the client credentials that came with the request.
    ///
    /// - Parameter isOptional: Whether there may be no body, where the header can have all that is needed; by default
    ///   there must be one.
    func submittedForm(isOptional: Bool = false) async throws -> SubmittedForm {
        let form = isOptional && hasNoBody ? Form() : try await form()
        guard headers[values: .authorization].count <= 1 else {
            throw OAuthError.repeatedAuthorization
        }
        return SubmittedForm(
            form: form,
            credentials: try PresentedCredentials(authorization: headers[.authorization], form: form)
        )
    }

    /// Whether the head announces no body, nor a type of one.
    ///
    /// Standard: RFC 9112 §6.3.
    private var hasNoBody: Bool {
        let names: [HTTPField.Name] = [.contentType, .transferEncoding]
        return names.allSatisfy { headers[values: $0].isEmpty } && ["0", nil].contains(headers[.contentLength])
    }
}

extension FastPathRequest {
    /// The form in the body, and the client credentials that came with the request.
    ///
    /// - Throws: ``OAuthError``.
    func submittedForm() throws(OAuthError) -> SubmittedForm {
        let form = try form()
        return SubmittedForm(
            form: form,
            credentials: try PresentedCredentials(authorization: head.authorization, form: form)
        )
    }
}

extension OAuthError {
    /// A request has more than one `Authorization` header.
    static let repeatedAuthorization = OAuthError(
        .invalidRequest,
        "more than one Authorization header",
        because: "repeated header"
    )
}
