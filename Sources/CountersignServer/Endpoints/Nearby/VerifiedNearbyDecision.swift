internal import Countersign
internal import CountersignWire
internal import Foundation

/// A decision that was signed by the key of the app that sent it, for this server, a moment ago; made by ``init`` alone.
struct VerifiedNearbyDecision: Sendable {
    /// How far the phone's clock may be off, in seconds, and how long its decision may take to get here.
    static let tolerance: TimeInterval = 60

    let claims: NearbyDecisionClaims
    /// By which it is verified: the app's, or the first one that it shows.
    let key: ApproverKey
    /// The text, to be kept.
    let signed: String

    /// Verifies what a phone sent.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` for another key than `known`, a wrong signature, another issuer, or a
    ///   time that is not now.
    init(
        _ decision: UnverifiedNearbyDecision,
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
        if case .paired(at: let instant) = claims.proof {
            guard Double(instant) <= now.timeIntervalSince1970 + Self.tolerance else {
                throw OAuthError(.invalidRequest, "the pairing is to come", because: "pat is in the future")
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

    /// What is proved by it, and by the app that sent it.
    func evidence(of app: ApprovingApp, sameNetwork: SameNetwork) -> Evidence {
        var evidence = Evidence()
        if let authenticated = app.signIn.grant.evidence.authenticated {
            evidence.add(.accountPassword(at: authenticated))
        }
        let how: NearbyProof =
            switch claims.proof {
            case .code: .code
            case .paired(at: let instant): .paired(at: Date(timeIntervalSince1970: Double(instant)))
            }
        evidence.add(.nearby(how: how, sameNetwork: sameNetwork))
        return evidence
    }
}
