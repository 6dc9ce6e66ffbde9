internal import CountersignWire

/// The reason why a foreign token gives nothing. The client learns only that it does not.
///
/// Standard: RFC 8693 §2.2.2.
struct SubjectTokenError: ReasonedError, OAuthAnswerable {
    let reason: String

    init(because reason: String) { self.reason = reason }

    var code: OAuthError.Code { .invalidRequest }

    var oauthAnswer: JSONResponse { JSONResponse(OAuthError(code, "the subject token is not good", because: reason)) }
}
