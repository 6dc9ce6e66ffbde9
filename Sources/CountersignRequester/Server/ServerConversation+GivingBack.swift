internal import Countersign
internal import CountersignWire

extension ServerConversation {
    /// Ends the life of tokens that nobody wants: the refresh token first, since it makes others.
    ///
    /// Goes through although the task is cancelled, and takes no longer than the options allow. Returns `false` when
    /// the server did not say that all of them are revoked.
    func giveBack(_ response: TokenResponse) async -> Bool {
        await giveBack(access: response.accessToken, refresh: response.refreshToken)
    }

    /// Ends the life of an access token and of the refresh token that goes with it.
    func giveBack(access: AccessToken, refresh: RefreshToken?) async -> Bool {
        let tokens = [refresh?.revealed, access.revealed].compactMap(\.self).map(PresentedToken.init(revealing:))
        // A task of its own is not cancelled with the one that waits for it.
        return await Task {
            var all = true
            for token in tokens where await !revoke(token, within: options.revocationLimit) { all = false }
            return all
        }.value
    }
}
