internal import Countersign
internal import CountersignWire
internal import HTTPTypes

extension ServerConversation {
    /// Stores an authorization request at the server, and returns the short request that references it.
    ///
    /// - Returns: The parameters for the browser; `nil` if the server has no endpoint for it, and where only the app's
    ///   backend can authenticate the client and the server also takes requests that were not pushed.
    ///
    /// Standard: RFC 9126 §2.
    func pushed(_ request: AuthorizationRequest) async throws(StepError) -> Form? {
        guard let endpoint = server.pushedAuthorization else { return nil }
        let answer = try await post(request.form, to: endpoint, within: options.timeLimit)
        // The endpoint answers 201; the same message with 200 means the same.
        guard answer.response.status == .created || answer.response.status == .ok else {
            if !server.requiresPushedAuthorization,
                (try? answer.decoded(OAuthErrorResponse.self))?.error == .invalidClient
            {
                return nil
            }
            let _: PushedAuthorizationResponse = try answer.success()
            return nil
        }
        guard let stored = try? answer.decoded(PushedAuthorizationResponse.self), !stored.requestURI.isEmpty else {
            throw .unreadable(because: "the pushed request has no name")
        }
        return ["client_id": request.client.rawValue, "request_uri": stored.requestURI]
    }
}
