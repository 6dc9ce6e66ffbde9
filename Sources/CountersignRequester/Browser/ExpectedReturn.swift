internal import Countersign
internal import CountersignWire

/// The return of the browser of this device that one request expects.
///
/// Standard: RFC 6749 §10.12; RFC 9207 §2.4.
struct ExpectedReturn: Sendable {
    let redirectURI: RedirectURI
    let state: AuthorizationState
    /// The server's name, which the answer has to repeat.
    let issuer: String

    /// Reads an address that came back; `nil` when it does not answer this request.
    func answer(in address: String) -> BrowserReturnResponse.Outcome? {
        guard address.utf8.count <= ReturnedParameters.longest, let query = redirectURI.parameters(of: address),
            let (form, repeated) = try? Form.toleratingRepeats(in: Array(query.utf8)), repeated.isEmpty,
            let response = try? BrowserReturnResponse(form: form), response.issuer == issuer,
            response.state.map(AuthorizationState.init(revealing:)) == state
        else { return nil }
        return response.outcome
    }
}
