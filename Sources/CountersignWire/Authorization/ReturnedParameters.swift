/// The parameters that the browser or another app came back with, read and not judged yet.
///
/// Reading is total: unreadable parts become a fault, with as much of the rest as identifies the answered request.
package struct ReturnedParameters: Sendable, Equatable {
    /// The longest query that is read, in bytes.
    package static let longest = 16_384

    /// The `state`, which identifies the request; `nil` when there is none, or more than one.
    package let state: AuthorizationState?
    /// The server that answers; `nil` if unknown.
    package let issuer: String?
    package let content: Result<AuthorizationResponse.Outcome, AuthorizationResponseError>

    /// Reads the query of a redirect, without its question mark.
    ///
    /// Standard: RFC 6749 §4.1.2, §4.1.2.1; §3.1 (no parameter twice).
    package init(parsing query: String) {
        guard query.utf8.count <= Self.longest,
            let (form, repeated) = try? Form.toleratingRepeats(in: Array(query.utf8))
        else {
            (state, issuer, content) = (nil, nil, .failure(.unreadable))
            return
        }
        state = repeated.contains("state") ? nil : form["state"].map(AuthorizationState.init(revealing:))
        issuer = form["iss"]
        content = repeated.isEmpty ? Self.content(of: form) : .failure(.parameterRepeated)
    }

    private static func content(of form: Form) -> Result<AuthorizationResponse.Outcome, AuthorizationResponseError> {
        switch (form["code"], form["error"]) {
        case (nil, nil): .failure(.nothing)
        case (_?, _?): .failure(.codeAndError)
        case (let code?, nil): .success(.code(AuthorizationCode(revealing: code)))
        case (nil, let error?): .success(.refused(OAuthError(saying: error, form["error_description"])))
        }
    }
}

extension OAuthError {
    /// The provider's error. Its text is untrusted, and is sanitized for a log and a screen.
    package init(saying error: String, _ description: String?) {
        let word = DeviceAuthorizationRequest.presentable(error) ?? "?"
        let words = description.flatMap { DeviceAuthorizationRequest.presentable($0, upTo: 200) }
        self.init(Code(word), words, because: "the provider says \(word)")
    }
}

/// The value that lets an app recognize its own request, 256 random bits.
///
/// Standard: RFC 6749 §10.12.
package struct AuthorizationState: Secret {
    package let revealed: String
    package init(revealing text: String) { revealed = text }
}
