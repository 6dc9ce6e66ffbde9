/// The body of a refusal of the endpoints for apps that approve: that of every OAuth endpoint, with two more members.
///
/// Standard: RFC 6749 §5.2.
package struct ApproverErrorResponse: Sendable, Equatable, Codable {
    /// The error code.
    package let error: OAuthError.Code
    /// A sentence for the app's developer, if the server sent one.
    @TolerantMember package private(set) var description: String?
    /// The place where the app's own person answered the request; `nil` for everything else.
    @TolerantMember package private(set) var answeredBy: AnswerPlace?
    /// The first demand that an approval did not meet, so that nothing was decided; `nil` for everything else.
    @TolerantMember package private(set) var obstacle: ApprovalObstacle?

    /// Creates the body for an error; its reason is omitted.
    package init(_ error: OAuthError, answeredBy place: AnswerPlace? = nil, obstacle: ApprovalObstacle? = nil) {
        self.obstacle = obstacle
        self.error = error.code
        description = error.description
        answeredBy = place
    }

    private enum CodingKeys: String, CodingKey {
        case error
        case description = "error_description"
        case answeredBy = "answered_by"
        case obstacle
    }
}
