internal import Countersign
internal import CountersignWire
internal import Hummingbird
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The shared steps of all endpoints for approving apps: authentication of the app by its access token, and counting.
///
/// Standard: RFC 6750 §2.1; RFC 9449 §7.1.
struct ApproverRequests: Sendable {
    let server: ServerServices

    /// The one answer for every request that cannot be looked at or decided any more.
    static let noOpenRequest = OAuthError(
        .invalidGrant,
        "there is no such request, or it is decided or over",
        because: "no request that can be decided"
    )

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
        func countedApp(in repositories: any Repositories) throws -> ApprovingApp {
            let app = try app(in: repositories)
            try server.limits.admitAndCount([.subject(.approverPerAccount, app.person.subject)], in: repositories)
            return app
        }

        /// Counts the request in a change of its own.
        ///
        /// - Returns: The app that sent it.
        /// - Throws: ``OAuthError`` `invalid_token`, `insufficient_scope`; ``LimitReached``; ``StoreUnavailable``.
        fileprivate func count() async throws -> ApprovingApp {
            try await server.store.change { try countedApp(in: $0) }
        }

        /// The key of the app that sent the request; `nil` when it has none yet. The token is looked up unless that was
        /// done before; the change that answers the request looks it up in any case.
        ///
        /// - Throws: ``OAuthError`` `invalid_token`, `insufficient_scope`; ``StoreUnavailable``.
        func key() async throws -> ApproverKey? {
            if let known = server.approvers.knownKey(of: token) { return known }
            return try await server.store.read { try app(in: $0) }.signIn.approverKey
        }

        /// Decides the request that the app was shown, and stores its signed decision, in one change.
        ///
        /// - Parameters:
        ///   - decision: The signed decision.
        ///   - isCounted: Whether it counts in this change; by default it was counted before.
        ///   - forbidden: The refusal when policy refuses.
        ///   - wrongDigits: The refusal when the digits that an approval needs are wrong or missing.
        ///   - propose: Proposes the app's decision on the request; an ``OAuthError`` that it throws is the refusal.
        /// - Returns: The refusal, if it is refused. It is a value, since what was counted must not be rolled back.
        /// - Throws: ``OAuthError`` `invalid_token`, `insufficient_scope`; ``LimitReached``; ``StoreUnavailable``.
        func decide<Claims: DecisionClaims>(
            _ decision: VerifiedDecision<Claims>,
            counting isCounted: Bool = false,
            forbidden: OAuthError,
            wrongDigits: OAuthError,
            proposing propose:
                @escaping @Sendable (SignInExchangeRecord, ApprovingApp, Date, any Repositories) throws ->
                ProposedDecision
        ) async throws -> Result<Void, OAuthError> {
            try await server.approvals.deciding { repositories, step -> Result<Void, OAuthError> in
                let sender = try isCounted ? countedApp(in: repositories) : app(in: repositories)
                do {
                    let nonce = try decision.nonce(of: sender, at: step.now, in: repositories)
                    guard let stored = try repositories.exchanges.find(nonce.request) else {
                        return .failure(noOpenRequest)
                    }
                    switch try step.decide(propose(stored, sender, step.now, repositories)) {
                    case .decided:
                        try decision.keep(by: sender, at: step.now, in: repositories)
                        return .success(())
                    case .wrongDigits(isLast: let isLast):
                        if isLast { try repositories.decisionNonces.removeAll(of: stored.id) }
                        return .failure(wrongDigits)
                    case .refused:
                        return .failure(forbidden)
                    case .repeated, .alreadyDecided, .notTaken, .expired, .addressedToAnother, .unmet, .tooEarly:
                        return .failure(noOpenRequest)
                    }
                } catch let error as OAuthError {
                    return .failure(error)
                }
            }
        }
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
            let presented: PresentedAccessToken?
            do {
                presented = try await PresentedAccessToken(
                    in: request, over: context.certificate, at: path, of: server.core, server.tokens)
            } catch let error as OAuthError where error.code == .invalidRequest {
                return .tokenChallenge(error, to: request)
            }
            guard let token = presented else { return .tokenChallenge(to: request) }
            return try await answer(Caller(token: token, keys: keys, address: address, server: server))
        }
    }

    /// The change that counts a signed decision.
    enum Counting: Sendable {
        /// In one of its own, before it is read.
        case beforehand
        /// In the change that answers it, which calls ``Caller/countedApp(in:)`` first and is never rolled back for
        /// what the decision says. One that cannot be read or verified counts in a change of its own.
        case withAnswer
    }

    /// Answers a signed decision, which counts once: right, wrong or unreadable.
    ///
    /// - Parameters:
    ///   - path: The path of the endpoint.
    ///   - counting: The change that counts it.
    ///   - isKeyRequired: Whether the app must have a key already; by default its first decision binds one.
    ///   - read: Reads the form.
    ///   - signed: The signed decision in what was read.
    ///   - answer: Answers when the signature is that of the app.
    func answeringDecision<Sent, Claims: DecisionClaims>(
        _ request: Request,
        in context: ServerRequestContext,
        at path: String,
        counting: Counting = .beforehand,
        requiringKey isKeyRequired: Bool = false,
        reading read: (Form) throws -> Sent,
        signed: (Sent) -> UnverifiedDecision<Claims>,
        _ answer: (Sent, VerifiedDecision<Claims>, Caller) async throws -> Response
    ) async throws -> Response {
        try await answering(request, in: context, at: path) { caller in
            let key =
                switch counting {
                case .beforehand: try await caller.count().signIn.approverKey
                case .withAnswer: try await caller.key()
                }
            let sent: Sent
            let decision: VerifiedDecision<Claims>
            do {
                sent = try read(try await request.form())
                guard !isKeyRequired || key != nil else { throw DeviceRequests.keyMissing }
                decision = try VerifiedDecision(
                    signed(sent),
                    by: key,
                    for: server.issuer,
                    at: server.clock.now()
                )
            } catch {
                if counting == .withAnswer { _ = try await caller.count() }
                throw error
            }
            return try await answer(sent, decision, caller)
        }
    }
}
