public import Countersign
public import CountersignWire
internal import HTTPTypes
public import Hummingbird
internal import Logging

/// Lets requests with a valid token through, and answers others with a challenge.
///
/// ```swift
/// let guarded = ResourceGuard<BasicResourceRequestContext>(
///     checking: checker,
///     challenge: .crossPlatform(
///         CrossPlatformChallenge(name: "Our AP", uri: "https://id.example.com/cpa", modes: [.client, .user])
///     ),
///     clock: .system
/// )
/// let router = Router(context: BasicResourceRequestContext.self)
/// router.group("tags").add(middleware: guarded).get { _, context in
///     "Tags of \(try context.requireToken().person?.rawValue ?? "an app")"
/// }
/// router.group("account").add(middleware: guarded.requiringPerson())
/// ```
///
/// | the request | the answer |
/// | --- | --- |
/// | carries no token, or one that is not good | 401 with the challenge |
/// | has a token that is bound to a key, without a good proof of that key | 401 with the challenge, and the nonce for
/// the next proof where proofs need one |
/// | has a malformed `Authorization` header | 400 |
/// | has a token whose person must authenticate again or otherwise | 401 with the challenge of RFC 9470 |
/// | has a token that does not allow enough | 403 |
/// | comes while tokens cannot be checked | 503 with `Retry-After` |
/// | has an app's token, where people's tokens give access to more | the route's answer, with the challenge beside it |
///
/// Key-bound tokens are accepted after ``acceptingProofs(at:rememberingAtLeast:)``, and refused otherwise;
/// certificate-bound ones if ``ResourceRequestContext/clientCertificate`` matches.
///
/// Standard: ETSI TS 103 407 §9; RFC 6750 §3; RFC 9449 §7; RFC 8705 §3.
public struct ResourceGuard<Context: ResourceRequestContext>: RouterMiddleware {
    private let checker: any TokenChecker
    private let clock: TimeSource
    private var refusals: ErrorResponder
    private var exposesChallenge = false
    private var proofs: ProofVerifier?

    /// A guard that asks `checker` about each token.
    ///
    /// - Parameters:
    ///   - checker: The checker that validates a token, such as ``IntrospectionChecker``.
    ///   - challenge: The challenge of a refusal, which says where tokens come from.
    ///   - clock: The source of the time: `.system` in a service, a test clock in tests.
    public init(checking checker: any TokenChecker, challenge: ResourceChallenge, clock: TimeSource) {
        self.checker = checker
        self.clock = clock
        refusals = ErrorResponder(challenge: challenge)
    }

    /// The same guard for routes that need certain scopes.
    ///
    /// A token without them is answered with 403 `insufficient_scope`. Tokens of Cross-Platform Authentication have no
    /// scopes, so none of them passes.
    ///
    /// - Parameter scope: The scope that a token must have, all of it, in addition to what this guard requires already.
    /// - Returns: A copy of this guard that requires the scopes too.
    ///
    /// Standard: RFC 6750 §3.1.
    public func requiring(_ scope: Scope) -> Self {
        var copy = self
        copy.refusals.scope = Scope(refusals.scope.words + scope.words)
        return copy
    }

    /// The same guard for routes that need the token of a person.
    ///
    /// An app's own token is answered with 401 and the mode `user`, where the challenge is one of Cross-Platform
    /// Authentication, and otherwise with 403.
    public func requiringPerson() -> Self {
        var copy = self
        copy.refusals.wantsPerson = true
        return copy
    }

    /// The same guard for routes that need a person who authenticated lately, or in certain ways.
    ///
    /// A token without that is answered with 401 `insufficient_user_authentication`, and the app signs the person in
    /// again with the values of the challenge (``CountersignWire/StepUpChallenge``). The guard learns both from the
    /// claims `auth_time` and `acr` of the token, and from `countersign_evidence` for classes that tell of the answer, as
    /// ``Countersign/AuthenticationClass/nearby``; a token that does not say them does not pass.
    ///
    /// ```swift
    /// let guarded = base.requiringAuthentication(classes: ["urn:countersign:acr:password"], within: .seconds(300))
    /// ```
    ///
    /// Standard: RFC 9470 §3, §5.
    ///
    /// - Parameters:
    ///   - classes: The classes of authentication that will do, the best first; any by default.
    ///   - span: The greatest age of the person's authentication, in whole seconds; any time by default.
    /// - Returns: A copy of this guard that requires it too, in place of what an earlier call required.
    public func requiringAuthentication(classes: [String] = [], within span: Duration? = nil) -> Self {
        var copy = requiringPerson()
        copy.refusals.authentication = AuthenticationDemand(
            classes: classes, maxAge: span.map { Int($0.components.seconds) })
        return copy
    }

    /// The same guard for routes that need certain evidence of Countersign, or a person who authenticated lately.
    ///
    /// ```swift
    /// let guarded = base.requiringAuthentication([.nearby, .deviceKey])
    /// ```
    ///
    /// Standard: RFC 9470 §3, §5.
    ///
    /// - Parameters:
    ///   - classes: The classes of authentication that will do, the best first.
    ///   - span: The greatest age of the person's authentication, in whole seconds; any time by default.
    /// - Returns: A copy of this guard that requires it too, in place of what an earlier call required.
    public func requiringAuthentication(_ classes: [AuthenticationClass], within span: Duration? = nil) -> Self {
        requiringAuthentication(classes: classes.map(\.rawValue), within: span)
    }

    /// The same guard for tokens that are bound to keys too (DPoP): the request has to prove the key of its token.
    ///
    /// ```swift
    /// let guarded = ResourceGuard<BasicResourceRequestContext>(
    ///     checking: checker,
    ///     challenge: .bearer(realm: "radio"),
    ///     clock: .system
    /// ).acceptingProofs(at: WebOrigin("https://radio.example.com"))
    /// ```
    ///
    /// A proof is accepted once, for two minutes, and only if it was made after this call. Used proofs are stored in
    /// the memory of this process; another process that runs at the same time would accept a copied proof once more
    /// within that time. Tokens that are bound to no key pass as before.
    ///
    /// Standard: RFC 9449 §4.3, §7, §9.
    ///
    /// - Parameters:
    ///   - origin: Scheme, host and port that clients reach this service at. The URL in a proof is compared with this
    ///     origin and the path of the request, so that a proof for another service is not accepted.
    ///   - nonces: The required nonces, which prevent proofs made in advance; `nil`, the default, for proofs that are
    ///     fresh by their time. Each answer to a proof gives the next nonce.
    ///   - capacity: The number of proofs that are remembered at least, each in about 100 bytes; 100,000 by default.
    ///     More requests with good tokens than that within three minutes lead to refusals.
    public func acceptingProofs(
        at origin: WebOrigin,
        requiring nonces: DPoPNonces? = nil,
        rememberingAtLeast capacity: Int = 100_000
    ) -> Self {
        var copy = self
        copy.proofs = ProofVerifier(at: origin, nonces: nonces, capacity: capacity, since: clock.now())
        copy.refusals.takesProofs = true
        return copy
    }

    /// The same guard for web pages of other origins: their scripts may read the challenge.
    ///
    /// A `CORSMiddleware` in front of the guard decides the origins that may ask at all.
    ///
    /// Standard: Fetch §3.3.6 (`Access-Control-Expose-Headers`).
    public func exposingChallenge() -> Self {
        var copy = self
        copy.exposesChallenge = true
        return copy
    }

    /// Checks the token of a request, and passes the request on with a ``VerifiedToken`` in its context.
    ///
    /// - Parameters:
    ///   - request: The request, whose `Authorization` header is read.
    ///   - context: The context, which holds the verified token in the routes behind the guard.
    ///   - next: The rest of the router; it is not called for a request that is refused.
    /// - Returns: The answer of the route, or the refusal.
    /// - Throws: Only what `next` throws.
    public func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        switch await admission(of: request, over: context.clientCertificate, telling: context.logger) {
        case .success(let token):
            var context = context
            context.verifiedToken = token
            var response = try await next(request, context)
            if let upgrade = refusals.upgrade(from: token.mode) {
                response.headers.append(HTTPField(name: .wwwAuthenticate, value: upgrade))
            }
            return exposing(givingNonce(response, to: request))
        case .failure(let refusal):
            let response = exposing(givingNonce(refusals.response(to: refusal), to: request))
            return request.method == .head ? response.createHeadResponse() : response
        }
    }

    private func admission(
        of request: Request,
        over certificate: CertificateThumbprint?,
        telling logger: Logger
    ) async -> Result<VerifiedToken, ResourceError> {
        let presented: AccessToken
        var proven: VerifiedDPoPProof?
        switch PresentedAuthorization(request.headers) {
        case .token(let token): presented = token
        case .boundToken(let token):
            guard let proofs else { return .failure(refusals.challenge.crossPlatform == nil ? .noToken : .malformed) }
            do {
                proven = try proofs.proof(of: request, presenting: token, at: clock.now())
            } catch {
                return .failure(Self.refusal(of: error, telling: logger))
            }
            presented = token
        case .nothing: return .failure(.noToken)
        // Standard: RFC 6750 §3.1; a service of Cross-Platform Authentication takes it for a mistake.
        case .otherScheme: return .failure(refusals.challenge.crossPlatform == nil ? .noToken : .malformed)
        case .malformed: return .failure(.malformed)
        case .tooLong: return .failure(.badToken)
        }
        do throws(TokenCheckError) {
            switch try await checker.check(presented, at: clock.now()) {
            case .good(let facts):
                guard Self.isProven(facts.key, by: proven?.thumbprint, over: certificate) else {
                    logger.debug("token refused", metadata: ["reason": "it is bound to another key, or to none"])
                    return .failure(.boundToken)
                }
                if let refusal = await use(proven, telling: logger) { return .failure(refusal) }
                return admission(of: VerifiedToken(facts))
            case .notGood(because: let reason):
                logger.debug("token refused", metadata: ["reason": "\(reason)"])
                return .failure(.badToken)
            }
        } catch {
            let mends = error.code == .busy || error.code == .unreachable
            logger.log(level: mends ? .warning : .error, "a token cannot be checked", metadata: ["reason": "\(error)"])
            let seconds = min(
                max(error.retryAfter ?? ErrorResponder.standardRetryAfter, 1), ErrorResponder.longestRetryAfter)
            return .failure(.unavailable(retryAfter: seconds))
        }
    }

    /// Uses up the proof of a good token; returns why it is refused, and `nil` when it is not.
    private func use(_ proof: VerifiedDPoPProof?, telling logger: Logger) async -> ResourceError? {
        guard let proof, let proofs else { return nil }
        do throws(OAuthError) {
            try await proofs.use(proof, at: clock.now())
            return nil
        } catch {
            return Self.refusal(of: error, telling: logger)
        }
    }

    private static func refusal(of error: OAuthError, telling logger: Logger) -> ResourceError {
        logger.debug("proof refused", metadata: ["reason": "\(error.reason)"])
        return error.code == .useDPoPNonce ? .needsNonce : .badProof
    }

    /// Whether a request proves the key of its token; a token without one needs no proof, and must not have one.
    private static func isProven(
        _ key: SenderKey?,
        by proof: KeyThumbprint?,
        over certificate: CertificateThumbprint?
    ) -> Bool {
        switch key {
        case nil: proof == nil
        case .proof(let expected): proof == expected
        case .certificate(let expected): proof == nil && certificate == expected
        }
    }

    private func admission(of token: VerifiedToken) -> Result<VerifiedToken, ResourceError> {
        if refusals.wantsPerson, token.person == nil { return .failure(.noPerson) }
        guard refusals.authentication.isMet(by: token.facts, at: clock.now()) else {
            return .failure(.insufficientAuthentication)
        }
        guard refusals.scope.isSubset(of: token.scope) else { return .failure(.insufficientScope) }
        return .success(token)
    }

    /// Standard: RFC 9449 §8.2, §9.
    private func givingNonce(_ response: Response, to request: Request) -> Response {
        guard request.headers.contains(.dpop), let nonce = proofs?.nonce(at: clock.now()) else { return response }
        var response = response
        response.headers[.dpopNonce] = nonce.rawValue
        return response
    }

    private func exposing(_ response: Response) -> Response {
        guard exposesChallenge else { return response }
        var response = response
        let nonce = response.headers.contains(.dpopNonce) ? ", DPoP-Nonce" : ""
        let names = "Content-Type, WWW-Authenticate, Content-Length, X-Requested-With\(nonce)"
        response.headers.append(HTTPField(name: .accessControlExposeHeaders, value: names))
        return response
    }
}
