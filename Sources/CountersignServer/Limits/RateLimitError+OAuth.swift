internal import HTTPTypes

extension RateLimitError: OAuthAnswerable {
    /// Standard: RFC 6585 §4. `temporarily_unavailable` is the closest registered code.
    package var oauthAnswer: JSONResponse {
        let error = OAuthError(
            .temporarilyUnavailable, "too many requests; try again in \(retryAfter) s", because: "\(cause)")
        return JSONResponse(error, status: .tooManyRequests, headers: [.retryAfter: String(retryAfter)])
    }
}
