internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `POST /authenticator/decide`: an enrolled device sends the signed answer of its person to what they were shown.
///
/// The request is taken and decided in one change, as a phone nearby does it. A wrong number is counted; the third one
/// denies the request.
struct AuthenticatorDecideEndpoint: Sendable {
    let server: ServerServices
    private static let path = "authenticator/decide"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(Self.path, [.post: server.proofs.givingNonces(answer)])
    }

    private static let forbidden = OAuthError(
        .accessDenied,
        "the evidence is not enough for what the request asks",
        because: "refused by policy"
    )

    private static let wrongNumber = OAuthError(
        .invalidNumber,
        "that is not the number that the other side shows",
        because: "a wrong number, or none"
    )

    private static let typedThere = OAuthError(
        .invalidRequest,
        "this password is typed where the request was started",
        because: "an approval of a one-time password"
    )

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await ApproverRequests(server: server).answeringDecision(
            request,
            in: context,
            at: Self.path,
            counting: .withAnswer,
            // The key was bound when the device registered; an answer does not bind one.
            requiringKey: true,
            reading: UnverifiedAuthenticatorDecision.init(form:),
            signed: { $0 }
        ) { _, decision, caller in
            let outcome = try await caller.decide(
                decision,
                counting: true,
                forbidden: Self.forbidden,
                wrongDigits: Self.wrongNumber
            ) { stored, app, now, repositories in
                try proposal(decision, on: stored, by: app, sentBy: caller, at: now, in: repositories)
            }
            switch outcome {
            case .failure(let error) where error.code == .accessDenied:
                return JSONResponse(error, status: .forbidden).response
            case .failure(let error):
                throw error
            case .success:
                let claims = decision.claims
                return try .json(AuthenticatorDecideResponse(exchange: claims.exchange, decision: claims.answer))
            }
        }
    }

    private func proposal(
        _ decision: VerifiedAuthenticatorDecision,
        on stored: SignInExchangeRecord,
        by app: ApprovingApp,
        sentBy caller: ApproverRequests.Caller,
        at now: Date,
        in repositories: any Repositories
    ) throws -> ProposedDecision {
        // A key alone is not enough: other decisions bind one, too, and its person sees no device on their account.
        guard let device = try repositories.devices.find(app.signIn.grant.id) else { throw DeviceRequests.keyMissing }
        // The device may have left the environment since it looked.
        guard try repositories.mayAnswer(stored, on: device) else { throw ApproverRequests.noOpenRequest }
        let claims = decision.claims
        guard stored.method.kind == .instant || !claims.answer.isApproval else { throw Self.typedThere }
        var evidence = app.evidence
        evidence.add(stored.method.proofOfAddressee)
        evidence.add(.decisionSigned)
        if claims.isUserVerified, isBelieved(app) {
            evidence = stored.demands(under: server.policy).adding(verificationAt: now, to: evidence)
        }
        var proposed = ProposedDecision(
            answer: claims.answer.isApproval ? .approve : .deny,
            stored: stored,
            requestState: .open,
            party: .app(app),
            evidence: evidence,
            address: caller.address,
            note: decision.note(by: app)
        )
        proposed.typed = claims.number.map { DigitsCode(of: TypedText.folded($0), for: stored.id, under: caller.keys) }
        if claims.answer == .report { proposed.objection = .report(reason: claims.reason) }
        return proposed
    }

    /// Whether the word of a device counts that it verified its person: the operator trusts its app, and it was
    /// enrolled by a sign-in at this server. One that was enrolled by the word of another provider proves no more than
    /// that.
    private func isBelieved(_ app: ApprovingApp) -> Bool {
        server.policy.userVerifyingApps.contains(app.signIn.grant.client)
            && app.evidence.authentication?.how.isLocal == true
    }
}
