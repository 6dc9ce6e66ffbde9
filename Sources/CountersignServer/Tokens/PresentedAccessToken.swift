internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// An access token as a request presents it: by its bearer, with the proof of a key, or over a connection whose client
/// proved a certificate.
///
/// Standard: RFC 6750 §2.1; RFC 9449 §7.1; RFC 8705 §3.
struct PresentedAccessToken: Sendable {
    let token: AccessToken
    /// The key of the DPoP proof; `nil` for a bearer.
    private let key: KeyThumbprint?
    /// The certificate of the connection; `nil` without one.
    private let certificate: CertificateThumbprint?

    /// A token without a proof.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - certificate: The certificate that the client proved when it opened the connection; nothing by default.
    init(bearer token: AccessToken, over certificate: PresentedCertificate? = nil) {
        self.token = token
        key = nil
        self.certificate = certificate?.thumbprint
    }

    private init(_ token: AccessToken, provenBy key: KeyThumbprint) {
        self.token = token
        self.key = key
        certificate = nil
    }

    /// Whether the request may use a token that is bound to this key; `nil` for a token that its bearer may use.
    func proves(_ bound: SenderKey?) -> Bool {
        switch bound {
        case nil: key == nil
        case .proof(let expected): key == expected
        case .certificate(let expected): key == nil && certificate == expected
        }
    }

    /// The token in the `Authorization` header of a request, with the proof in its `DPoP` header; `nil` where there is
    /// none. The proof of a token that is good is used up by this.
    ///
    /// - Throws: ``OAuthError`` `invalid_dpop_proof`, `use_dpop_nonce`; `invalid_request` for more than one header;
    ///   `invalid_token` for a token that is malformed or too long; ``StoreUnavailableError``.
    init?(
        in request: Request,
        over certificate: PresentedCertificate?,
        at path: String,
        of core: ServerCore,
        _ tokens: TokenServices
    ) async throws {
        let token: AccessToken
        switch PresentedAuthorization(request.headers) {
        case .nothing, .otherScheme: return nil
        case .token(let bearer):
            self.init(bearer: bearer, over: certificate)
            return
        case .boundToken(let bound): token = bound
        case .malformed where request.headers[values: .authorization].count > 1:
            throw OAuthError.repeatedAuthorization
        case .malformed, .tooLong:
            throw OAuthError(.invalidToken, "the access token is not good", because: "it is malformed or too long")
        }
        guard let proof = try UnverifiedDPoPProof(in: request.headers) else {
            throw OAuthError(.invalidDPoPProof, "a DPoP header is needed", because: "no proof beside the token")
        }
        self.init(token, provenBy: proof.thumbprint)
        // A token that is not good is refused where it is used.
        let (presented, now, keys) = (self, core.clock.now(), try await core.keys.current())
        let good = try await core.store.read {
            try AccessTokens($0).verified(presented, trusting: keys, under: core.policy, at: now)
        }
        try await tokens.proofs.verify(
            proof, of: request, at: path, presenting: token, goodFor: good?.client)
    }
}

extension Response {
    /// The answer to a request without a valid access token, to clients of both schemes.
    ///
    /// The error is in the challenge of the scheme that the request used.
    /// Standard: RFC 6750 §3; RFC 9449 §7.1, §7.2.
    static func tokenChallenge(
        _ error: OAuthError? = nil,
        to request: Request,
        scope: ScopeWord? = nil
    ) -> Response {
        let scheme = request.headers[.authorization]?.prefix { $0 != " " }.lowercased()
        let usesDPoP = request.headers.contains(.dpop) || scheme == "dpop"
        var response = bearerChallenge(usesDPoP ? nil : error, scope: scope)
        var dpop = "DPoP algs=\"\(UnverifiedDPoPProof.algorithms.joined(separator: " "))\""
        if usesDPoP, let error {
            dpop += ", error=\"\(error.code)\""
            if let description = error.description { dpop += ", error_description=\"\(description)\"" }
            if let scope, error.code == .insufficientScope { dpop += ", scope=\"\(scope)\"" }
            let isProofs = error.code == .invalidDPoPProof || error.code == .useDPoPNonce
            response.status = isProofs ? .unauthorized : error.status
        }
        // The challenge that names the error comes first: some clients read only one.
        let bearer = response.headers[values: .wwwAuthenticate]
        response.headers[values: .wwwAuthenticate] = usesDPoP ? [dpop] + bearer : bearer + [dpop]
        return response
    }
}
