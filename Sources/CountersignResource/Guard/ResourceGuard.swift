public import Countersign
internal import CountersignWire
internal import HTTPTypes
public import Hummingbird
internal import Logging

/// Lets requests with a good token through, and tells all others where a token comes from.
///
///     let guarded = ResourceGuard<RadioContext>(
///         checking: checker,
///         challenge: .crossPlatform(
///             CrossPlatformChallenge(name: "Our AP", uri: "https://id.example.com/cpa", modes: [.client, .user])
///         ),
///         clock: .system
///     )
///     router.group("tags").add(middleware: guarded)
///         .get { _, context in "Tags of \(try context.requireToken().person)" }
///     router.group("account").add(middleware: guarded.requiringPerson())
///
/// A request that shows no token or one that is not good is answered with 401, one of another form with 400, one whose
/// token does not suffice with 403, and all with 503 while nobody can say what tokens are worth. A good token of an app
/// without a person gets its answer, and beside it the challenge that remains: with a person's token there is more.
/// Standard: ETSI TS 103 407 §9; RFC 6750 §3.
public struct ResourceGuard<Context: ResourceRequestContext>: RouterMiddleware {
    private let checker: any TokenChecker
    private let clock: TimeSource
    private var refusals: Refusals
    private var exposesChallenge = false

    /// A guard that asks `checker` about each token.
    public init(checking checker: any TokenChecker, challenge: ResourceChallenge, clock: TimeSource) {
        self.checker = checker
        self.clock = clock
        refusals = Refusals(challenge: challenge)
    }

    /// The same guard, for what a token must allow: one that does not is answered with 403 `insufficient_scope`.
    ///
    /// Tokens of Cross-Platform Authentication allow nothing by name, so none of them passes.
    public func requiring(_ scope: Scope) -> Self {
        var copy = self
        copy.refusals.scope = Scope(refusals.scope.words + scope.words)
        return copy
    }

    /// The same guard, for what only a person's token opens.
    ///
    /// An app's own token is answered with 401 and the mode `user`, where the challenge is one of Cross-Platform
    /// Authentication, and otherwise with 403.
    public func requiringPerson() -> Self {
        var copy = self
        copy.refusals.wantsPerson = true
        return copy
    }

    /// The same guard, for web pages of other origins: they may read the challenge.
    ///
    /// Which origins may ask at all is up to a `CORSMiddleware` in front of the guard.
    public func exposingChallenge() -> Self {
        var copy = self
        copy.exposesChallenge = true
        return copy
    }

    public func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        switch await admission(of: request, telling: context.logger) {
        case .success(let token):
            var context = context
            context.verifiedToken = token
            var response = try await next(request, context)
            if let upgrade = refusals.upgrade(from: token.mode) {
                response.headers.append(HTTPField(name: .wwwAuthenticate, value: upgrade))
            }
            return exposing(response)
        case .failure(let refusal):
            let response = exposing(refusals.response(to: refusal))
            return request.method == .head ? response.createHeadResponse() : response
        }
    }

    private func admission(of request: Request, telling logger: Logger) async -> Result<VerifiedToken, Refusal> {
        let presented: AccessToken
        switch Presentation(request.headers) {
        case .token(let token): presented = token
        case .nothing: return .failure(.noToken)
        // Standard: RFC 6750 §3.1; a service of Cross-Platform Authentication takes it for a mistake.
        case .otherScheme: return .failure(refusals.challenge.crossPlatform == nil ? .noToken : .malformed)
        case .malformed: return .failure(.malformed)
        case .tooLong: return .failure(.badToken)
        }
        do throws(CheckFailure) {
            switch try await checker.check(presented, at: clock.now()) {
            case .good(let facts):
                return admission(of: VerifiedToken(facts))
            case .notGood(because: let reason):
                logger.debug("token refused", metadata: ["reason": "\(reason)"])
                return .failure(.badToken)
            }
        } catch {
            let mends = error.code == .busy || error.code == .unreachable
            logger.log(
                level: mends ? .warning : .error,
                "a token cannot be checked",
                metadata: ["reason": "\(error)"]
            )
            let seconds = min(max(error.retryAfter ?? Refusals.patience, 1), Refusals.longestPatience)
            return .failure(.unavailable(retryAfter: seconds))
        }
    }

    private func admission(of token: VerifiedToken) -> Result<VerifiedToken, Refusal> {
        if refusals.wantsPerson, token.person == nil { return .failure(.noPerson) }
        guard refusals.scope.isSubset(of: token.scope) else { return .failure(.insufficientScope) }
        return .success(token)
    }

    private func exposing(_ response: Response) -> Response {
        guard exposesChallenge else { return response }
        var response = response
        let names = "Content-Type, WWW-Authenticate, Content-Length, X-Requested-With"
        response.headers.append(HTTPField(name: .accessControlExposeHeaders, value: names))
        return response
    }
}
