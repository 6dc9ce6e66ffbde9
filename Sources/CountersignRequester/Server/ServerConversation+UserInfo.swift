internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes

extension ServerConversation {
    /// Whether the server has ended a sign-in already, as after its approval was undone. `false` as well where the server
    /// has no endpoint to ask, or cannot be reached, and where the access token has expired meanwhile: then the next use
    /// of the tokens tells.
    ///
    /// Standard: OpenID Connect Core 1.0 §5.3; RFC 6750 §3.1; RFC 9449 §7.1, §9.
    func hasEnded(_ signedIn: CompletedSignIn) async -> Bool {
        guard let endpoint = server.userInfo,
            let target = DPoPTarget(.get, endpoint.url.absoluteString)
        else { return false }
        // Of a token that has expired the server says the same.
        if let expires = signedIn.expires, expires <= client.context.clock.now() { return false }
        var nonce: DPoPNonce?
        // A second time with the nonce that the server demands.
        for _ in 0..<2 {
            guard
                let request = try? endpoint.request(.get).presenting(
                    signedIn.accessToken, proving: signedIn.key, to: target, nonce: nonce, in: client.context),
                let answer = try? await client.context.transport.send(request, body: [], within: options.timeLimit),
                answer.response.status == .unauthorized
            else { return false }
            switch answer.response.tokenRefusal {
            case .invalidToken: return true
            case .useDPoPNonce: nonce = DPoPNonce(in: answer.response.headerFields)
            default: return false
            }
        }
        return false
    }
}
