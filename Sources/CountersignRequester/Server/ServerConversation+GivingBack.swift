internal import Countersign
internal import CountersignWire

extension ServerConversation {
    /// Revokes tokens that are not wanted: the refresh token first, because it can create others.
    ///
    /// It is not cancelled with the task, and takes no longer than the options allow. Returns `false` when the server
    /// did not confirm that all of them are revoked.
    func giveBack(_ response: TokenResponse) async -> Bool {
        await giveBack(access: response.accessToken, refresh: response.refreshToken)
    }

    /// Revokes an access token, and the refresh token that belongs to it.
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
