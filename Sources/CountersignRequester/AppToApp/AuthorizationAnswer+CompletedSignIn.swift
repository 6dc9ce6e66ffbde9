internal import CountersignWire

extension AuthorizationAnswer where Granted == CodeCompletion {
    /// Returns the sign-in, for an app that shows every other answer as an error.
    ///
    /// ```swift
    /// let signedIn = try await signIn.finish(with: address).get()
    /// ```
    ///
    /// - Returns: The tokens, and who signed in.
    /// - Throws: ``SignInError``: `denied` by the person, `answer_rejected` for an answer that does not belong to a
    ///   request, `expired` for one that came too late; others for what the provider refused, and for what failed.
    public func get() throws(SignInError) -> CompletedSignIn {
        switch self {
        case .granted(.signedIn(let signedIn)): return signedIn
        case .granted(.failed(let error, _)): throw error
        case .granted(.refused(let error)), .refused(let error): throw SignInError(OAuthErrorResponse(error))
        case .denied: throw SignInError(.denied, because: "the person refused")
        case .unasked: throw SignInError(.answerRejected, because: "nobody asked for it")
        case .otherAddress: throw SignInError(.answerRejected, because: "it came to another address")
        case .rejected(.late): throw SignInError(.expired, because: "the answer came after the deadline")
        case .rejected(let fault): throw SignInError(.answerRejected, because: fault.rawValue)
        }
    }
}
