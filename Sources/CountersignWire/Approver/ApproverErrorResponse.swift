/// The body of a refusal of the endpoints for apps that approve: that of every OAuth endpoint, with one more member.
///
/// Standard: RFC 6749 §5.2.
package struct ApproverErrorResponse: Sendable, Equatable, Codable {
    /// The error code.
    package let error: OAuthError.Code
    /// A sentence for the app's developer, if the server sent one.
    @TolerantMember package private(set) var description: String?
    /// The place where the app's own person answered the request; `nil` for everything else.
    @TolerantMember package private(set) var answeredBy: AnswerPlace?

    /// Creates the body for an error; its reason is omitted.
    package init(_ error: OAuthError, answeredBy place: AnswerPlace? = nil) {
        self.error = error.code
        description = error.description
        answeredBy = place
    }

    private enum CodingKeys: String, CodingKey {
        case error
        case description = "error_description"
        case answeredBy = "answered_by"
    }
}
