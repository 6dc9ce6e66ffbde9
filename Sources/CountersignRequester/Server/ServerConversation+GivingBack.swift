internal import Countersign
internal import CountersignWire

extension ServerConversation {
    /// Makes a sign-in from newly received tokens. Revokes the tokens if `accept` throws.
    ///
    /// - Parameters:
    ///   - response: The tokens.
    ///   - accept: Verifies and stores them.
    /// - Throws: The error of `accept`.
    func givingBack<Value: Sendable>(
        _ response: TokenResponse,
        unless accept: @Sendable () async throws(SignInError) -> Value
    ) async throws(SignInError) -> Value {
        do throws(SignInError) {
            return try await accept()
        } catch {
            _ = await giveBack(response)
            throw error
        }
    }

    /// Stores a new sign-in of this device, and ends the replaced one at the server if the options require it.
    ///
    /// - Parameter adds: Whether an older one of another person stays; `false` by default.
    ///
    /// A server without revocation is no failure of the new one.
    ///
    /// - Throws: ``SignInError`` when it could not be stored, or the task was cancelled before; then the older one
    ///   stays.
    func keep(
        _ signedIn: CompletedSignIn,
        in store: any TokenStore,
        adding adds: Bool = false
    ) async throws(SignInError) {
        let replaced = try await store.keep(signedIn, for: client.key, adding: adds)
        guard options.endsReplacedSignIn else { return }
        for older in replaced
        where older.accessToken != signedIn.accessToken
            && (older.refreshToken == nil || older.refreshToken != signedIn.refreshToken)
        {
            _ = await giveBack(access: older.accessToken, refresh: older.refreshToken)
        }
    }

    /// Revokes tokens that are not wanted: the refresh token first, because it can create others.
    ///
    /// It is not cancelled with the task, and takes no longer than the options allow. Returns `false` when the server
    /// did not confirm that all of them are revoked.
    func giveBack(_ response: TokenResponse) async -> Bool {
        await giveBack(access: response.accessToken, refresh: response.refreshToken)
    }

    /// Revokes an access token, and the refresh token that belongs to it.
    func giveBack(access: AccessToken, refresh: RefreshToken?) async -> Bool {
        await revoke([refresh?.revealed, access.revealed].compactMap(\.self))
    }

    /// Withdraws a request over the back channel, so that its person is not asked any more.
    ///
    /// RFC 7009 lets a server that does not know such tokens answer as for any unknown one.
    func giveUp(_ request: AuthenticationRequestID) async {
        _ = await revoke([request.revealed])
    }

    /// Withdraws a request for codes, so that nobody is asked any more, and every place says that it was cancelled.
    ///
    /// `device_code` is an addition of Countersign to the hints of RFC 7009 §2.1.
    func giveUp(_ code: DeviceCode) async {
        _ = await revoke([code.revealed], hint: "device_code")
    }

    private func revoke(_ texts: [String], hint: String? = nil) async -> Bool {
        // An unstructured task is not cancelled with the waiting one.
        await Task {
            var all = true
            for text in texts
            where await !revoke(PresentedToken(revealing: text), hint: hint, within: options.revocationLimit) {
                all = false
            }
            return all
        }.value
    }
}
