internal import Countersign
internal import CountersignWire
internal import HTTPTypes

/// Sends requests to a server's endpoints as one client.
struct ServerConversation: Sendable {
    /// The server, whose description was checked.
    let server: VerifiedServer
    let client: RequesterClient
    /// The proofs for the key that tokens are bound to; `nil` for bearer tokens.
    var proofs: KeyProofs?
    /// The secret of this sign-in's token requests, which makes the server repeat a lost answer; `nil` for none.
    var requestID: TokenRequestID?

    /// Time limits, and the choice of binding.
    var options: SignInOptions { client.options }

    private var transport: any HTTPTransport { client.context.transport }

    /// The time limit for a refresh: less than the time that any server repeats a lost answer.
    private static let longestRefresh = Duration.seconds(8)

    /// Requests a pair of codes.
    ///
    /// Standard: RFC 8628 §3.1, §3.2.
    func codes(for asked: DeviceAuthorizationRequest) async throws(StepError) -> DeviceAuthorizationResponse {
        guard let endpoint = server.deviceAuthorization else {
            throw .final(SignInError(.flowNotOffered, because: "no endpoint for device authorization"))
        }
        return try await post(asked.form, to: endpoint, preferring: options.startPreferences, within: options.timeLimit)
            .success(invalidGrantMeans: .codeRefused)
    }

    /// Asks once for the tokens of a device code.
    ///
    /// - Throws: ``SignInError`` `cancelled` only: every other outcome is an answer.
    func poll(
        _ code: DeviceCode,
        over links: NearbyLinks = NearbyLinks(),
        holding wait: WaitPreference?,
        showing number: NumberPreference
    ) async throws(SignInError) -> PollResult<TokenResponse> {
        try await poll(TokenRequest.deviceCode(code, over: links), holding: wait, showing: number)
    }

    /// Asks once for the tokens of a request about which a person decides.
    ///
    /// - Throws: ``SignInError`` `cancelled` only: every other outcome is an answer.
    func poll(
        _ request: TokenRequest,
        holding wait: WaitPreference?,
        showing number: NumberPreference? = nil
    ) async throws(SignInError) -> PollResult<TokenResponse> {
        let limit = options.timeLimit + .seconds(wait?.seconds ?? 0)
        do throws(TransportError) {
            let preferences = [wait?.headerValue, options.number == nil ? nil : number?.headerValue]
            let answer = try await send(form(of: request), to: server.token, preferring: preferences, within: limit)
            return PollResult(answer, problem: problem)
        } catch {
            return try PollResult(error)
        }
    }

    /// Replaces a refresh token; repeats the request at once when its answer was lost.
    ///
    /// The server may have replaced the token by then: Countersign gives the same answer again to the request with the
    /// same identifier, or a proof of the same key. A ``Retrier`` around this repeats it further.
    /// Standard: RFC 6749 §6.
    ///
    /// - Parameter scope: A part of the scope; empty for all of it.
    func refresh(_ token: RefreshToken, for scope: Scope) async throws(StepError) -> TokenResponse {
        do throws(StepError) {
            return try await refreshOnce(token, for: scope)
        } catch {
            guard case .temporaryFailure(.interrupted, _, _) = error else { throw error }
            return try await refreshOnce(token, for: scope)
        }
    }

    /// Sends one refresh, for less time than the server repeats its answer.
    private func refreshOnce(_ token: RefreshToken, for scope: Scope) async throws(StepError) -> TokenResponse {
        let form = form(of: TokenRequest.refresh(token, scope: scope))
        let answer = try await post(form, to: server.token, within: min(options.timeLimit, Self.longestRefresh))
        let response = try answer.success(
            TokenResponse.self, invalidGrantMeans: .signedOut, accessDeniedMeans: .accountLocked)
        if let problem = problem(response) { throw .unreadable(because: problem) }
        guard proofs == nil || response.isBound else {
            throw .unreadable(because: "the new token is not bound to the key any more")
        }
        return response
    }

    /// The form of a token request, with its identifier where the server takes one.
    func form(of request: TokenRequest) -> Form {
        var form = request.form
        if server.takesRequestIDs { form[TokenRequestID.parameter] = requestID?.revealed }
        return form
    }

    /// The reason that tokens of this server cannot be used; `nil` when they can.
    func problem(_ response: TokenResponse) -> String? {
        response.problem(proving: proofs?.key, options.binding)
    }

    /// Gets the server's signing keys.
    func keySet() async throws(StepError) -> JSONWebKeySet {
        try await server.keySet(over: transport, within: options.timeLimit)
    }

    /// Revokes a token; `false` when the server has no endpoint for it or does not confirm it.
    ///
    /// Standard: RFC 7009 §2.
    func revoke(_ token: PresentedToken, hint: String? = nil, within limit: Duration) async -> Bool {
        guard let revocation = server.revocation else { return false }
        var form = RevocationRequest(token: token).form
        form["token_type_hint"] = hint
        let answer = try? await send(form, to: revocation, offering: server.revocationMethods, within: limit)
        return answer?.response.status == .ok
    }

    /// Sends a form to an endpoint of tokens; a failure of the network becomes that of a step.
    func post(
        _ form: Form,
        to endpoint: Endpoint,
        preferring preferences: [String?] = [],
        within limit: Duration
    ) async throws(StepError) -> HTTPAnswer {
        do throws(TransportError) {
            return try await send(form, to: endpoint, preferring: preferences, within: limit)
        } catch {
            throw error.stepFailure
        }
    }

    /// Sends a form with the authentication methods of the token endpoint.
    func send(
        _ form: Form,
        to endpoint: Endpoint,
        preferring preferences: [String?] = [],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        try await send(form, to: endpoint, offering: server.tokenMethods, preferring: preferences, within: limit)
    }

    private func send(
        _ form: Form,
        to endpoint: Endpoint,
        offering methods: [String]?,
        preferring preferences: [String?] = [],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        var form = form
        var request = endpoint.request(.post)
        client.identity.sign(&form, &request.headerFields, offering: methods)
        request.headerFields[.contentType] = Form.mediaType
        request.prefer(preferences)
        let body = Array(form.encoded.utf8)
        guard let proofs, endpoint == server.token else {
            return try await transport.send(request, body: body, within: limit)
        }
        try proofs.prove(&request, to: endpoint)
        let answer = try await transport.send(request, body: body, within: limit)
        guard proofs.note(answer, to: request) else { return answer }
        try proofs.prove(&request, to: endpoint)
        let second = try await transport.send(request, body: body, within: limit)
        _ = proofs.note(second, to: request)
        return second
    }
}

extension HTTPRequest {
    /// Lists preferences in one header, without `nil` ones.
    ///
    /// Standard: RFC 7240 §2.
    mutating func prefer(_ preferences: [String?]) {
        let all = preferences.compactMap(\.self)
        guard !all.isEmpty, let prefer = HTTPField.Name("Prefer") else { return }
        headerFields[prefer] = all.joined(separator: ", ")
    }
}
