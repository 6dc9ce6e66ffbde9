internal import Countersign
internal import CountersignWire
internal import Foundation

/// A decision whose signature was verified: by the key of the app that sent it, for this server, and within
/// ``tolerance``.
struct VerifiedNearbyDecision: Sendable {
    /// How far the phone's clock may be off, in seconds, including the time that the decision takes to arrive.
    static let tolerance: TimeInterval = 60

    let claims: NearbyDecisionClaims
    /// The key that verified it: the one bound to the app's sign-in, or the first one that the app presents.
    let key: ApproverKey
    /// The signed text, to be stored.
    let signed: String

    /// Verifies what a phone sent.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` for another key than `known`, a wrong signature, another issuer, or a
    ///   time outside ``tolerance``.
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
            guard instant >= 0, Double(instant) <= now.timeIntervalSince1970 + Self.tolerance else {
                throw OAuthError(.invalidRequest, "the pairing has no possible date", because: "pat is not in the past")
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

    /// The evidence of this decision, and of the app that sent it.
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
