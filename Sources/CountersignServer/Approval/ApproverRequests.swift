internal import Countersign
internal import CountersignWire
internal import Hummingbird

/// What all endpoints for approving apps share: whose token a request presents, and what it counts against.
///
/// Standard: RFC 6750 §2.1; RFC 9449 §7.1.
struct ApproverRequests: Sendable {
    let server: ServerServices

    /// A request with a token that was presented; ``app(in:)`` says whose it is, each time that it is looked up.
    struct Caller: Sendable {
        let token: PresentedAccessToken
        let keys: Keys
        /// The network address of the app.
        let address: String?
        fileprivate let server: ServerServices

        /// The app that sent the request.
        ///
        /// - Throws: ``OAuthError`` `invalid_token`, `insufficient_scope`.
        func app(in repositories: any Repositories) throws -> ApprovingApp {
            try server.approvers.app(presenting: token, trusting: keys, in: repositories)
        }

        /// The app that sent the request, which counts, right or wrong.
        ///
        /// - Throws: ``OAuthError`` `invalid_token`, `insufficient_scope`; ``LimitReached``.
        func countedApp(_ limits: Limits, in repositories: any Repositories) throws -> ApprovingApp {
            let app = try app(in: repositories)
            let rateKeys: [RateLimitKey] = [
                .address(limits.perAddress, address), .subject(limits.perAccount, app.person.subject),
            ]
            try server.limits.admitAndCount(rateKeys, in: repositories)
            return app
        }
    }

    /// What a request counts against.
    struct Limits: Sendable {
        let perAddress: LimitName
        let perAccount: LimitName

        static let nearbyLook = Limits(perAddress: .nearbyLookPerAddress, perAccount: .nearbyLookPerAccount)
        static let nearbyDecision = Limits(
            perAddress: .nearbyDecisionPerAddress,
            perAccount: .nearbyDecisionPerAccount
        )
        static let authorizationLook = Limits(
            perAddress: .authorizationLookPerAddress,
            perAccount: .authorizationLookPerAccount
        )
        static let authorizationDecision = Limits(
            perAddress: .authorizationDecisionPerAddress,
            perAccount: .authorizationDecisionPerAccount
        )
        static let authenticatorLook = Limits(
            perAddress: .authenticatorLookPerAddress,
            perAccount: .authenticatorLookPerAccount
        )
        static let authenticatorDecision = Limits(
            perAddress: .authenticatorDecisionPerAddress,
            perAccount: .authenticatorDecisionPerAccount
        )
    }

    /// Answers a request that presents a token; every other gets a challenge.
    ///
    /// - Parameter path: The path of the endpoint, which a DPoP proof names.
    func answering(
        _ request: Request,
        in context: ServerRequestContext,
        at path: String,
        _ answer: (Caller) async throws -> Response
    ) async throws -> Response {
        let address = context.address(of: request, by: server.addresses)
        return try await server.approvers.answering(request) { keys in
            guard
                let token = try await PresentedAccessToken(
                    in: request,
                    over: context.certificate,
                    at: path,
                    verifying: server.proofs
                )
            else { return .tokenChallenge(to: request) }
            return try await answer(Caller(token: token, keys: keys, address: address, server: server))
        }
    }

    /// Answers a signed decision, which counts once before it is read: right, wrong or unreadable.
    ///
    /// - Parameters:
    ///   - path: The path of the endpoint.
    ///   - limits: What it counts against.
    ///   - isKeyRequired: Whether the app must have a key already; by default its first decision binds one.
    ///   - read: Reads the form.
    ///   - signed: The signed decision in what was read.
    ///   - answer: Answers when the signature is that of the app.
    func answeringDecision<Sent, Claims: DecisionClaims>(
        _ request: Request,
        in context: ServerRequestContext,
        at path: String,
        against limits: Limits,
        requiringKey isKeyRequired: Bool = false,
        reading read: (Form) throws -> Sent,
        signed: (Sent) -> UnverifiedDecision<Claims>,
        _ answer: (Sent, VerifiedDecision<Claims>, ApprovingApp, Caller) async throws -> Response
    ) async throws -> Response {
        try await answering(request, in: context, at: path) { caller in
            let app = try await server.store.change { try caller.countedApp(limits, in: $0) }
            let sent = try read(try await request.form())
            guard !isKeyRequired || app.signIn.approverKey != nil else { throw DeviceRequests.keyMissing }
            let decision = try VerifiedDecision(
                signed(sent),
                by: app.signIn.approverKey,
                for: server.issuer,
                at: server.clock.now()
            )
            return try await answer(sent, decision, app, caller)
        }
    }
}
