internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
public import HTTPTypes

extension TokenRefresher {
    /// Adds a valid access token to a request to a resource server, with a proof if it is bound to a key.
    ///
    /// ```swift
    /// let request = try await tokens.authorized(asked)
    /// var response = try await send(request)
    /// if let again = try await tokens.authorized(request, after: response) {
    ///     response = try await send(again)
    /// }
    /// ```
    ///
    /// Each request needs a separate call: a proof is accepted once.
    ///
    /// - Parameters:
    ///   - request: The request, with scheme, authority and path; its `Authorization` and `DPoP` are replaced.
    ///   - span: The remaining lifetime that the access token must have; 30 s by default.
    /// - Throws: ``SignInError`` `insecure_endpoint` for plain http to another machine, `bad_answer` for anything but
    ///   an http address; otherwise as ``signedIn(forAtLeast:)``.
    ///
    /// Standard: RFC 6750 §2.1; RFC 9449 §7.1.
    public func authorized(
        _ request: HTTPRequest,
        forAtLeast span: Duration = .seconds(30)
    ) async throws(SignInError) -> HTTPRequest {
        let target = try target(of: request)
        return try present(try await signedIn(forAtLeast: span), in: request, to: target)
    }

    /// Returns what to send after a resource server answered: the same request with the server's new nonce, or with a
    /// new access token; `nil` when sending it again is of no use.
    ///
    /// Call it after each answer, so that nonces are noted, and for one request once.
    ///
    /// - Parameters:
    ///   - request: The request that was answered, as ``authorized(_:forAtLeast:)`` returned it.
    ///   - response: The answer.
    /// - Returns: The request to send, or `nil`.
    /// - Throws: ``SignInError`` as ``refresh(insteadOf:)`` when a new token is needed and there is none.
    ///
    /// Standard: RFC 6750 §3.1; RFC 9449 §8, §9.
    public func authorized(
        _ request: HTTPRequest,
        after response: HTTPResponse
    ) async throws(SignInError) -> HTTPRequest? {
        let target = try target(of: request)
        let nonce = note(response, of: target)
        guard response.status == .unauthorized, let refused = request.presentedToken else { return nil }
        switch response.tokenRefusal {
        case .useDPoPNonce:
            guard let nonce, !nonce.isProved(in: request.headerFields) else { return nil }
            return try present(try await signedIn(), in: request, to: target)
        case .invalidToken:
            return try present(try await refresh(insteadOf: refused), in: request, to: target)
        default:
            return nil
        }
    }

    /// The maximum number of resource servers whose nonces are remembered.
    private static let mostNonces = 32

    /// Records the nonce of an answer, and returns it.
    private func note(_ response: HTTPResponse, of target: ResourceTarget) -> DPoPNonce? {
        guard let nonce = DPoPNonce(in: response.headerFields) else { return nil }
        if resourceNonces.count >= Self.mostNonces, resourceNonces[target.origin] == nil { resourceNonces = [:] }
        resourceNonces[target.origin] = nonce
        return nonce
    }

    func present(
        _ signedIn: CompletedSignIn,
        in request: HTTPRequest,
        to target: ResourceTarget
    ) throws(SignInError) -> HTTPRequest {
        try request.presenting(
            signedIn.accessToken, proving: signedIn.key, to: target.target, nonce: resourceNonces[target.origin],
            in: client.context)
    }

    /// The target of a request, if a token may be sent there.
    func target(of request: HTTPRequest) throws(SignInError) -> ResourceTarget {
        let scheme = request.scheme?.lowercased() ?? ""
        let origin = "\(scheme)://\(request.authority ?? "")"
        let address = "\(origin)\(request.path ?? "/")"
        let endpoint = try Endpoint(
            address, named: "the request", allowingInsecureHTTP: client.options.allowingInsecureHTTP)
        guard let target = DPoPTarget(request.method, endpoint.url.absoluteString) else {
            throw SignInError(.badAnswer, because: "the request has no address of a server")
        }
        return ResourceTarget(target: target, origin: origin.lowercased())
    }

    struct ResourceTarget {
        let target: DPoPTarget
        let origin: String
    }
}

extension HTTPRequest {
    /// The request with an access token, and with a proof where the token is bound to a key.
    ///
    /// - Throws: ``SignInError`` `bad_answer` when no proof can be made.
    func presenting(
        _ token: AccessToken,
        proving key: DPoPKey?,
        to target: DPoPTarget,
        nonce: DPoPNonce?,
        in context: RequesterContext
    ) throws(SignInError) -> HTTPRequest {
        var request = self
        request.headerFields[.dpop] = nil
        guard let key else {
            request.headerFields[.authorization] = BearerHeader.value(for: token)
            return request
        }
        let proof = try? key.proof(
            for: target, presenting: token, nonce: nonce, at: context.clock.now(), drawingFrom: context.random)
        guard let proof else { throw SignInError(.badAnswer, because: "no proof can be made") }
        request.headerFields[.authorization] = DPoPHeader.value(for: token)
        request.headerFields[.dpop] = proof
        return request
    }

    /// The access token in the request, under either scheme.
    fileprivate var presentedToken: AccessToken? {
        guard let header = headerFields[.authorization] else { return nil }
        return DPoPHeader.token(in: header) ?? BearerHeader.token(in: header)
    }
}

extension HTTPResponse {
    /// The error of the challenge for the token that was presented; `nil` when there is none.
    var tokenRefusal: OAuthError.Code? {
        for value in headerFields[values: .wwwAuthenticate] {
            for scheme in ["dpop", "bearer"] {
                if let error = AuthenticationChallenge.parameters(of: scheme, in: value)?["error"] {
                    return OAuthError.Code(error)
                }
            }
        }
        return nil
    }
}
