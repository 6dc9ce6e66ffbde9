internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// A decision whose signature was verified: by the key of the app that sent it, for this server, and within
/// ``tolerance``.
struct VerifiedDecision: Sendable {
    /// The maximum deviation of the phone's clock, in seconds, including the time that the decision takes to arrive.
    static let tolerance: TimeInterval = 60
    /// The maximum age of a pairing, in seconds: ten years. No device lives longer.
    private static let longestPast: TimeInterval = 10 * 366 * 86_400

    let claims: DecisionClaims
    /// The key that verified it: the one bound to the app's sign-in, or the first one that the app presents.
    let key: ApproverKey
    /// The signed text, to be stored.
    let signed: String

    /// Verifies what an app sent.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` for another key than `known`, a wrong signature, another issuer, or a
    ///   time outside ``tolerance``.
    init(
        _ decision: UnverifiedDecision,
        by known: ApproverKey?,
        for issuer: Issuer,
        at now: Date
    ) throws(OAuthError) {
        guard let key = known ?? decision.key else {
            throw OAuthError(.invalidRequest, "the key is missing", because: "no key at first use")
        }
        guard decision.key == nil || decision.key == key else { throw Self.otherKey }
        let claims = try decision.claims(signedBy: key)
        guard claims.audience == issuer.text else {
            throw OAuthError(.invalidRequest, "the decision is for another server", because: "another audience")
        }
        guard abs(Double(claims.issued) - now.timeIntervalSince1970) <= Self.tolerance else {
            throw OAuthError(.invalidRequest, "the decision was not made now; set the clock", because: "iat is off")
        }
        if case .nearby(let finding) = claims.finding, case .paired(at: let instant) = finding.proof {
            let past = now.timeIntervalSince1970 - Double(instant)
            guard (-Self.tolerance...Self.longestPast).contains(past) else {
                throw OAuthError(.invalidRequest, "the pairing has no possible date", because: "pat is no recent past")
            }
        }
        self.claims = claims
        self.key = key
        signed = decision.text
    }

    static let otherKey = OAuthError(
        .invalidRequest,
        "this sign-in of the app has another key",
        because: "another key than the first"
    )

    private static let notShown = OAuthError(
        .invalidRequest, "something else was shown", because: "another digest of what was shown")

    /// Finds the nonce that the server gave this app for this request and this method.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when the app's sign-in is bound to another key, as it may have been
    ///   since the signature was verified, or when the request was shown differently; `invalid_grant` when there is no
    ///   such nonce, or it has expired.
    func nonce(of app: ApprovingApp, at now: Date, in repositories: any Repositories) throws -> DecisionNonceRecord {
        guard (app.signIn.approverKey ?? key) == key else { throw Self.otherKey }
        guard let nonce = try repositories.decisionNonces.find(claims.nonce.digest), now < nonce.expires,
            nonce.method == claims.finding.method, nonce.subject == app.person.subject,
            nonce.signIn == app.signIn.grant.id, nonce.request == claims.exchange
        else { throw ApproverRequests.noOpenRequest }
        guard nonce.shown == claims.shown else { throw Self.notShown }
        return nonce
    }

    /// The outcome of this very decision, if the app has sent it before; `nil` otherwise. It changes nothing.
    func recorded(
        by app: ApprovingApp,
        in repositories: any Repositories
    ) throws -> ApproverDecideResponse.Outcome? {
        guard let kept = try repositories.signedDecisions.find(claims.exchange), kept.signed == signed,
            kept.signIn == app.signIn.grant.id
        else { return nil }
        return claims.answer.outcome
    }

    /// Stores the signed decision, uses up every nonce of its request, and binds the key that signed it to this sign-in
    /// of the app.
    func keep(by app: ApprovingApp, at now: Date, in repositories: any Repositories) throws {
        try repositories.decisionNonces.removeAll(of: claims.exchange)
        if app.signIn.approverKey == nil {
            var signIn = app.signIn
            signIn.approverKey = key
            try repositories.signIns.update(signIn)
        }
        try repositories.signedDecisions.insert(
            SignedDecisionRecord(
                request: claims.exchange,
                subject: app.person.subject,
                signIn: app.signIn.grant.id,
                key: key,
                decided: now,
                signed: signed
            )
        )
    }

    /// The note of the audit about a decision of `app`.
    func note(by app: ApprovingApp) -> String { "by \(app.signIn.grant.client), key \(key.thumbprint)" }
}

extension NearbyFinding {
    /// The proof of the screen at the other end of the link.
    func proof(in network: SameNetwork) -> Evidence.Proof {
        let how: NearbyProof =
            switch proof {
            case .code: .code
            case .paired(at: let instant): .paired(at: Date(named: instant))
            }
        return .nearby(how: how, sameNetwork: network)
    }
}

extension AuthorizationFinding {
    /// Whether it is about this request as it is now: the client's registration may have changed since the look.
    ///
    /// - Parameter text: The query that opened the app.
    func isAbout(_ checked: CheckedAuthorizationRequest, in text: String) -> Bool {
        parameters == AnswerDigest(of: Array(text.utf8)) && client == checked.client.id
            && redirectURI == checked.answering.redirectURI && scope == checked.scope
            && challenge == checked.challenge
    }
}
