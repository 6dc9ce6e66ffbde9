internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// The reason that a request does not reach the resource.
enum ResourceError: Error, Sendable, Equatable {
    /// It carries no token.
    case noToken
    /// Its `Authorization` header is malformed.
    case malformed
    /// Its token is not good.
    case badToken
    /// Its token is bound to another key than the request proves, or to none although it proves one.
    case boundToken
    /// Its proof of a key is missing or not good.
    case badProof
    /// Its proof of a key lacks the nonce of this service, or has an old one.
    case needsNonce
    /// Its token is an app's own, and the resource requires a person's.
    case noPerson
    /// The person behind its token did not authenticate recently enough, or not in one of the wanted ways.
    case insufficientAuthentication
    /// Its token does not allow enough.
    case insufficientScope
    /// Its token cannot be checked now.
    case unavailable(retryAfter: Int)

    /// The registered error code of the answer; `nil` if a challenge says all.
    ///
    /// Standard: RFC 6750 §3.1; RFC 9470 §3; RFC 6749 §4.1.2.1 for the last.
    var error: OAuthError? {
        switch self {
        case .noToken: nil
        case .malformed:
            OAuthError(.invalidRequest, "the Authorization header is not a bearer token", because: "malformed")
        case .badToken: OAuthError(.invalidToken, "the access token is not good", because: "not good")
        case .boundToken:
            OAuthError(.invalidToken, "the access token needs a proof of its key", because: "bound to a key")
        case .badProof: OAuthError(.invalidDPoPProof, "the DPoP proof is not good", because: "no good proof")
        case .needsNonce:
            OAuthError(.useDPoPNonce, "the proof needs the nonce of this answer", because: "no good nonce")
        case .noPerson: OAuthError(.insufficientScope, "the token of a person is needed", because: "no person")
        case .insufficientAuthentication:
            OAuthError(
                .insufficientUserAuthentication,
                "the person has to authenticate again, or in another way",
                because: "too long ago, or another class"
            )
        case .insufficientScope:
            OAuthError(.insufficientScope, "the token does not allow enough", because: "scope")
        case .unavailable:
            OAuthError(.temporarilyUnavailable, "ask again in a moment", because: "unavailable")
        }
    }
}

/// Writes the answers to requests that do not reach the resource.
struct ErrorResponder: Sendable {
    /// The `Retry-After` of a 503 where the provider names none, in seconds.
    static let standardRetryAfter = 5
    /// The longest `Retry-After` that is passed on, in seconds.
    static let longestRetryAfter = 300

    let challenge: ResourceChallenge
    /// The scope that the resource demands of a token.
    var scope = Scope.none
    /// Whether only the token of a person will do.
    var wantsPerson = false
    /// The demands on the authentication of the person behind a token.
    var authentication = AuthenticationDemand.none
    /// Whether tokens that are bound to keys are accepted.
    var takesProofs = false

    func response(to refusal: ResourceError) -> Response {
        var headers: HTTPFields = [.cacheControl: "no-store"]
        for value in challenges(for: refusal) {
            headers.append(HTTPField(name: .wwwAuthenticate, value: value))
        }
        if case .unavailable(let seconds) = refusal { headers[.retryAfter] = "\(seconds)" }
        let status = status(of: refusal)
        // A 401 has no body: the standard's services send none, and the challenge says all.
        guard status != .unauthorized, let error = refusal.error else {
            return Response(status: status, headers: headers)
        }
        headers[.contentType] = "application/json"
        headers[.xContentTypeOptions] = "nosniff"
        let body = CompactJSON.bytes(of: OAuthErrorResponse(error))
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    /// The challenge of a successful answer: a person's token would give access to more.
    func upgrade(from mode: CrossPlatformChallenge.Mode) -> String? {
        guard mode == .client, let discovery = challenge.crossPlatform else { return nil }
        return discovery.offering(discovery.modes.filter { $0 != .client })?.headerValue
    }

    /// An app's own token in place of a person's is answered with 401 if a device can learn from the challenge how to
    /// get the other one. Elsewhere it is 403: the same token renewed would not help.
    private func status(of refusal: ResourceError) -> HTTPResponse.Status {
        switch refusal {
        case .noToken, .badToken, .boundToken, .badProof, .needsNonce, .insufficientAuthentication: .unauthorized
        case .malformed: .badRequest
        case .noPerson: challenge.crossPlatform == nil ? .forbidden : .unauthorized
        case .insufficientScope: .forbidden
        case .unavailable: .serviceUnavailable
        }
    }

    private func challenges(for refusal: ResourceError) -> [String] {
        // The challenge that names the error comes first: some clients read only one.
        let isProofs = takesProofs && [.badProof, .boundToken, .needsNonce].contains(refusal)
        let (bearer, proof) = (bearerChallenge(for: refusal), proofChallenge(for: refusal))
        let schemes = isProofs ? [proof, bearer] : [bearer, proof]
        return ([crossPlatformChallenge(for: refusal)] + schemes).compactMap(\.self)
    }

    /// Standard: ETSI TS 103 407 §9.3, Annex A.2.
    private func crossPlatformChallenge(for refusal: ResourceError) -> String? {
        switch refusal {
        case .noToken, .badToken, .boundToken, .badProof, .needsNonce, .noPerson:
            guard let discovery = challenge.crossPlatform else { return nil }
            return wantsPerson ? discovery.offering([.user])?.headerValue : discovery.headerValue
        case .malformed, .insufficientScope, .insufficientAuthentication, .unavailable:
            return nil
        }
    }

    /// Standard: RFC 6750 §3: without a token no error is named.
    private func bearerChallenge(for refusal: ResourceError) -> String? {
        guard let realm = challenge.realm else { return nil }
        if case .unavailable = refusal { return nil }
        var (code, description): (OAuthError.Code?, String?)
        // The challenge for proofs describes the error of a proof.
        if let error = refusal.error, refusal != .badProof, refusal != .needsNonce,
            refusal != .boundToken || !takesProofs
        {
            // On a 401 the one error that the standard has for it, and that of RFC 9470.
            let isOther = refusal != .insufficientAuthentication && status(of: refusal) == .unauthorized
            (code, description) = (isOther ? .invalidToken : error.code, error.description)
        }
        var others = refusal == .insufficientAuthentication ? authentication.parameters : []
        if !scope.isEmpty, refusal != .malformed { others.append("scope=\"\(scope)\"") }
        return AuthenticationChallenge.bearer(realm: realm, error: code, description: description, others)
    }

    /// Standard: RFC 9449 §7.1, §7.2.
    private func proofChallenge(for refusal: ResourceError) -> String? {
        guard takesProofs else { return nil }
        let algorithms = "DPoP algs=\"\(UnverifiedDPoPProof.algorithms.joined(separator: " "))\""
        switch refusal {
        case .noToken, .badToken, .noPerson: return algorithms
        case .insufficientAuthentication:
            let error = "error=\"\(OAuthError.Code.insufficientUserAuthentication)\""
            return ([algorithms, error] + authentication.parameters).joined(separator: ", ")
        case .boundToken, .badProof, .needsNonce:
            guard let error = refusal.error, let description = error.description else { return algorithms }
            return "\(algorithms), error=\"\(error.code)\", error_description=\"\(description)\""
        case .malformed, .insufficientScope, .unavailable: return nil
        }
    }
}
