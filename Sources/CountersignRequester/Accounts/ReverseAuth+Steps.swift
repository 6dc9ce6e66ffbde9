internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

extension ReverseAuth {
    /// The first step: a header that the system's account is to sign.
    func requestToken(as client: ClientCredentials) async throws(AccountError) -> String {
        let form = [OAuth1Parameter("x_auth_mode", "reverse_auth")]
        let signer = OAuth1Signer(as: client, clock: context.clock, drawingFrom: context.random)
        let header = try signed(.post, provider.requestToken, form: form, by: signer, at: .requestToken)
        let answer = try await send(.post, provider.requestToken, header, form: form, at: .requestToken)
        guard let text = answer.text, OAuth1Header.isScheme(of: text), text.utf8.count <= 8192 else {
            throw AccountError(.serviceFailure, at: .requestToken, because: "the answer is no header of OAuth 1")
        }
        return text
    }

    /// The second step: the account's signature becomes tokens of the app.
    func accessToken(
        for client: ClientCredentials,
        as account: SystemAccount,
        _ access: SystemAccountAccess,
        signing parameters: String
    ) async throws(AccountError) -> TokenCredentials {
        let form = [
            OAuth1Parameter("x_reverse_auth_target", client.client.rawValue),
            OAuth1Parameter("x_reverse_auth_parameters", parameters),
        ]
        let request = try request(.post, provider.accessToken, form: form, at: .accessToken)
        let accounts = accounts
        let header = try await AccountAttempt.asking { () async throws(SystemAccountStoreError) in
            try await accounts.sign(request, as: account, for: access)
        }
        let answer = try await send(.post, provider.accessToken, header, form: form, at: .accessToken)
        // In place of tokens the provider shows a page to people whose account it has suspended.
        guard !answer.isPage else {
            throw AccountError(
                .accountSuspended, at: .accessToken, because: "a page came in place of tokens", status: 200)
        }
        guard let form = try? Form(parsing: answer.body), let token = try? TokenCredentials(form: form) else {
            throw AccountError(.serviceFailure, at: .accessToken, because: "the answer has no token or no secret")
        }
        return token
    }

    /// The third step: who the person is.
    func credentials(
        of client: ClientCredentials,
        _ token: TokenCredentials
    ) async throws(AccountError) -> ReverseAuthCredentials {
        let address = "\(provider.profile)?include_email=true&include_entities=false&skip_status=true"
        let signer = OAuth1Signer(as: client, for: token, clock: context.clock, drawingFrom: context.random)
        let header = try signed(.get, address, by: signer, at: .profile)
        let answer = try await send(.get, address, header, at: .profile)
        guard let profile = try? answer.decoded(ReverseAuthProfile.self), !profile.id.isEmpty,
            (try? CountersignWire.Endpoint(profile.avatar)) != nil
        else { throw AccountError(.serviceFailure, at: .profile, because: "the answer is no profile") }
        return ReverseAuthCredentials(
            id: profile.id,
            name: profile.name,
            screenName: profile.screenName,
            token: token,
            email: profile.email.flatMap { $0.isEmpty ? nil : $0 },
            avatar: profile.largeAvatar,
            client: client
        )
    }

    private func request(
        _ method: HTTPRequest.Method,
        _ address: String,
        form: [OAuth1Parameter] = [],
        at step: AccountError.Step
    ) throws(AccountError) -> OAuth1Request {
        do throws(OAuth1Error) {
            return try OAuth1Request(method, address, form: form)
        } catch {
            throw AccountError(.unconfigured, at: step, because: error.reason)
        }
    }

    private func signed(
        _ method: HTTPRequest.Method,
        _ address: String,
        form: [OAuth1Parameter] = [],
        by signer: OAuth1Signer,
        at step: AccountError.Step
    ) throws(AccountError) -> String {
        let request = try request(method, address, form: form, at: step)
        do throws(OAuth1Error) {
            return try signer.sign(request).header
        } catch {
            throw AccountError(.unconfigured, at: step, because: error.reason)
        }
    }

    /// Sends a request, and returns its answer if that is a success.
    private func send(
        _ method: HTTPRequest.Method,
        _ address: String,
        _ authorization: String,
        form: [OAuth1Parameter]? = nil,
        at step: AccountError.Step
    ) async throws(AccountError) -> HTTPAnswer {
        let answer = try await AccountAttempt.send(
            method, to: address, authorization: authorization, form: form, at: step, over: context.transport,
            within: provider.timeLimit)
        try accept(answer, at: step)
        return answer
    }

    /// Throws what an answer other than success means.
    private func accept(_ answer: HTTPAnswer, at step: AccountError.Step) throws(AccountError) {
        let code = TwitterError.code(in: answer.body)
        let status = answer.response.status.code
        guard !(200...299).contains(status) || code == TwitterError.suspended else { return }
        let meaning: AccountError.Code =
            switch (code, step) {
            case (TwitterError.suspended?, _): .accountSuspended
            case (TwitterError.locked?, _): .accountLocked
            case (TwitterError.wrongTime?, _): .wrongTime
            // It is the system's account that signs this step, and its token that is refused.
            case (TwitterError.badAuthentication?, .accessToken), (TwitterError.expiredToken?, .accessToken):
                .newSignInNeeded
            default: .serviceFailure
            }
        let words = answer.text.map { AccountError.shown(String($0.prefix(200))) } ?? "not UTF-8"
        throw AccountError(
            meaning,
            at: step,
            because: "status \(status): \(words)",
            status: status,
            providerCode: code,
            isTemporary: TwitterError.isTemporary(code)
        )
    }
}
