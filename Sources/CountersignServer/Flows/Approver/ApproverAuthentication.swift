internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// An app on the phone of a person that may approve in their name; made by ``ApproverAuthentication`` alone, from an
/// access token that was looked up.
struct ApprovingApp: Sendable {
    let person: Person
    /// The sign-in that the token belongs to, and with it the key that the app signs with.
    let signIn: SignInRecord

    fileprivate init(_ person: Person, _ signIn: SignInRecord) {
        self.person = person
        self.signIn = signIn
    }

    /// The evidence of the app itself: its person's proofs when they signed it in.
    var evidence: Evidence {
        Evidence(signIn.grant.evidence.authentication.map { Evidence.proofs(of: $0.how, at: $0.at) } ?? [])
    }

    /// The evidence of an answer that the app signs, and brings back to the app that asks on the same device.
    var evidenceOnSameDevice: Evidence { Evidence(evidence.proofs + [.redirected, .decisionSigned]) }

    /// The app as the approver of a request.
    var approver: ApproverIdentity { signIn.approver }

    /// Whether the app may look at a request and answer it, wherever it found the request.
    func mayAnswer(_ stored: SignInExchangeRecord, in repositories: any Repositories, at now: Date) throws -> Bool {
        guard stored.exchange.isOpen(to: person.subject, at: now) else { return false }
        guard stored.method.environment != nil else { return true }
        return try EnrolledDevices(repositories).mayAnswer(stored, on: repositories.devices.find(signIn.grant.id))
    }

    /// The place where the app's own person answered a request; `nil` for every other request, and for one of a site
    /// where the device is not enrolled.
    func placeOfAnswer(to stored: SignInExchangeRecord?, in repositories: any Repositories) throws -> AnswerPlace? {
        guard let stored else { return nil }
        let device = try repositories.devices.find(signIn.grant.id)
        guard try EnrolledDevices(repositories).mayAnswer(stored, on: device) else { return nil }
        return try AnswerPlace(of: stored, toldTo: person.subject, in: repositories)
    }
}

/// Decides whether an app may approve requests in the name of its person: it needs an access token with the scope
/// `nearby_approve`, which an operator grants to the phone app alone.
///
/// Standard: RFC 6750 §2.1.
struct ApproverAuthentication: Sendable {
    let services: FlowServices
    private let knownKeys = ApproverKeyCache()

    init(_ services: FlowServices) {
        self.services = services
    }

    /// The cached key of the app that holds `token`; `nil` for an unknown token. It does not say that the token is
    /// still valid.
    func knownKey(of token: PresentedAccessToken) -> ApproverKey? { knownKeys.find(token.token) }

    /// The app that holds `token`.
    ///
    /// - Throws: ``OAuthError`` `invalid_token`, also when app or person are locked or were removed;
    ///   `insufficient_scope`.
    func app(
        presenting token: PresentedAccessToken,
        trusting keys: Keys,
        in repositories: any Repositories
    ) throws -> ApprovingApp {
        let now = services.clock.now()
        guard
            let found = try AccessTokens(repositories).verified(
                token, trusting: keys, under: services.policy, at: now),
            let person = found.person, let grant = found.record.grant,
            let signIn = try repositories.signIns.find(grant), signIn.isLive(at: now)
        else {
            throw OAuthError(.invalidToken, "the access token is not good", because: "unknown, expired or revoked")
        }
        // A service acts for its person within its purpose, and lets nobody else in.
        guard found.scope.contains(.nearbyApprove), signIn.request.service == nil else {
            throw OAuthError(.insufficientScope, "the scope nearby_approve is needed", because: "no nearby_approve")
        }
        services.tokens.firstUses.note(found.record)
        if let key = signIn.approverKey { knownKeys.keep(key, of: token.token) }
        return ApprovingApp(person, signIn)
    }

    private static let challenged: Set<OAuthError.Code> = [
        .invalidToken, .insufficientScope, .invalidDPoPProof, .useDPoPNonce,
    ]

    /// Runs `answer` with the current keys. A token error becomes a challenge by RFC 6750 or RFC 9449.
    func answering(_ request: Request, _ answer: (Keys) async throws -> Response) async throws -> Response {
        do {
            let response = try await answer(try await services.keys.current())
            try await services.tokens.firstUses.settle()
            return response
        } catch let error as OAuthError where Self.challenged.contains(error.code) {
            return .tokenChallenge(error, to: request, scope: .nearbyApprove)
        }
    }
}

extension DecidingParty {
    /// An app on the phone of a person.
    static func app(_ app: ApprovingApp) -> DecidingParty {
        DecidingParty(approver: app.approver, limit: app.limit, place: .app(app.signIn.grant.id))
    }

    /// The server, which decides by an earlier consent of the app's person.
    static func rememberedConsentAtApp(_ app: ApprovingApp) -> DecidingParty {
        DecidingParty(approver: app.approver, answersByRememberedConsent: true, limit: app.limit, actor: .server)
    }
}

extension ApprovingApp {
    /// The limit of what the app approves; `nil` where its sign-in does not end by itself.
    fileprivate var limit: DecidingParty.Limit? {
        signIn.grant.ends.map { DecidingParty.Limit(ends: $0, approver: approver.id) }
    }
}
