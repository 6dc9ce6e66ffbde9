internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The verified identity of a person at another provider: made from a verified ID token, or from the provider's answer
/// about a token that was made for an app of ours.
struct ProvenIdentity: Sendable {
    let issuer: IdentityIssuer
    /// The person's identifier at that issuer; together with the issuer it alone finds a person.
    let subject: String
    /// The way that the provider's assertion took to the server.
    let how: FederatedProof
    /// The time of the sign-in there; `nil` when the provider does not say it, which meets no demand for a recent one.
    let authenticated: Date?
    /// The name, safe to show; the provider's word, which the person may have chosen freely.
    let name: String?
    /// The e-mail address, safe to show, if the provider says that it is the person's.
    let email: String?

    /// The label in the list of the person's identities.
    var label: String? { email ?? name }

    /// The identity in a verified ID token.
    ///
    /// - Parameter now: The current time; a provider's clock that is ahead does not make a sign-in come from the
    ///   future.
    init(verified token: VerifiedIDToken, how: FederatedProof, at now: Date) {
        let claims = token.claims
        issuer = IdentityIssuer(claims.issuer)
        subject = claims.subject.rawValue
        self.how = how
        authenticated = claims.authenticated.map { min(now, Date(named: $0)) }
        name = Self.presentable(claims.name ?? claims.preferredUsername)
        email = token.isEmailVerified ? Self.presentable(claims.email) : nil
    }

    /// The identity that a provider confirmed for a token that is no ID token; only the verifiers in this folder make
    /// one.
    init(
        confirmedBy issuer: IdentityIssuer,
        subject: String,
        how: FederatedProof,
        name: String?,
        at now: Date
    ) {
        self.issuer = issuer
        self.subject = subject
        self.how = how
        authenticated = now
        self.name = Self.presentable(name)
        email = nil
    }

    /// The same, of a person who was made to sign in anew.
    func authenticated(at instant: Date) -> ProvenIdentity { ProvenIdentity(self, at: instant) }

    private init(_ other: ProvenIdentity, at instant: Date) {
        (issuer, subject, how, name, email) = (other.issuer, other.subject, other.how, other.name, other.email)
        authenticated = instant
    }

    /// The time of the sign-in, or the placeholder for an unknown one.
    var authenticatedOrUnknown: Date { authenticated ?? Evidence.unknownInstant }

    /// The person's authentication.
    var authentication: Authentication { .federated(issuer: issuer, how: how) }

    private static func presentable(_ text: String?) -> String? {
        text.flatMap { DeviceAuthorizationRequest.presentable($0, upTo: 100) }
    }
}
