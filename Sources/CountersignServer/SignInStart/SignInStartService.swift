internal import Countersign
internal import CountersignWire
internal import Foundation

/// Starts requests for sign-in, for every entry point: it asks policy, enforces the limits, draws the codes and stores
/// the request; where automatic sign-on applies, ``ApprovalService`` approves it in the same change.
///
/// The audit begins when a person takes a request, since anybody can start any number of them.
struct SignInStartService: Sendable {
    let store: any Store
    let keys: KeyRing
    let mint: CodeMint
    let policy: Policy
    let limits: StoredRateLimiter
    let approvals: ApprovalService

    /// How often a client that waits for the decision may ask, in seconds.
    static let interval = DeviceAuthorizationResponse.standardInterval

    /// Starts a request.
    ///
    /// - Throws: ``LimitReached``; ``StoreUnavailable``.
    func start(_ asked: SignInStartRequest) async throws -> SignInStartOutcome {
        if let domain = asked.domain, try await store.read({ try $0.domains.find(domain) }) == nil {
            // Refused before anything is written.
            return .unknownDomain
        }
        let keys = try await keys.current()
        let outcome = try await store.retryingOnKeyCollision {
            let deviceCode: DeviceCode = mint.secret()
            let userCode = mint.userCode()
            let codes = Codes(device: deviceCode, user: userCode, userDigest: keys.digest(of: userCode))
            return try await approvals.deciding { try self.start(asked, under: codes, in: $0, by: $1) }
        }
        return outcome ?? .noFreeCode
    }

    /// The codes that were drawn for a request.
    private struct Codes: Sendable {
        let device: DeviceCode
        let user: UserCode
        let userDigest: UserCodeDigest
    }

    private func start(
        _ asked: SignInStartRequest,
        under codes: Codes,
        in repositories: any Repositories,
        by step: ApprovalService.Step
    ) throws -> SignInStartOutcome {
        if let refusal = try refusal(of: asked.client.id, in: repositories) { return .refused(refusal) }
        var signOn = SingleSignOn.code
        if let name = asked.domain {
            guard let domain = try repositories.domains.find(name) else { return .unknownDomain }
            signOn = try SingleSignOn(of: asked.client.id, to: domain, at: step.now, in: repositories)
        }
        try limits.admitAndCount(rateKeys(asked, signOn), in: repositories)
        let request = asked.request(id: mint.identifier(), addressedTo: signOn.addressee, at: step.now)
        var terms = asked.terms(under: policy)
        if asked.renewsLink, signOn == .code { terms.freshLink = FreshLink(keyedBy: mint.keyBytes(16), from: step.now) }
        let stored = SignInExchangeRecord(
            exchange: SignInExchange(request: request),
            deviceCode: codes.device.digest,
            userCode: signOn == .code ? codes.userDigest : unusedCode(),
            interval: Self.interval,
            nearbyChallenge: asked.nearbyChallenge,
            terms: terms
        )
        let way: StartedSignIn.Way
        switch signOn {
        case .code:
            try repositories.exchanges.insert(stored)
            way = .code(codes.user)
        case .confirmation:
            try repositories.exchanges.insert(stored)
            way = .confirmation
        case .automatic(let earlier):
            switch try step.decide(approval(of: stored, after: earlier)) {
            case .decided: way = .automatic
            case .refused(let refusal): return .refused(refusal)
            case .repeated, .alreadyDecided, .notTaken, .expired, .addressedToAnother, .wrongDigits, .unmet:
                throw UndecidableNewRequest()
            }
        }
        return .started(
            StartedSignIn(
                deviceCode: codes.device,
                way: way,
                link: terms.freshLink?.mark(at: step.now),
                lifetime: asked.client.lifetimes.code
            )
        )
    }

    /// Why policy does not allow a client to ask; `nil` when it does.
    func refusal(of client: ClientID, in repositories: any Repositories) throws -> Policy.Refusal? {
        do {
            try policy.authorize(.start, client: client, subject: nil, evidence: Evidence(), in: repositories)
            return nil
        } catch let refusal as Policy.Refusal {
            return refusal
        }
    }

    // MARK: Started and decided at once

    /// The decision on a request that starts in the browser of the person who decides.
    struct ImmediateDecision: Sendable {
        let answer: ProposedDecision.Answer
        let party: DecidingParty
        let evidence: Evidence
        /// The digest of the authorization code with which the client redeems the grant.
        let code: SecretDigest
        /// What the code is bound to; `nil` for a code that never leaves the server.
        let binding: AuthorizationBinding?
        /// What else the audit notes about the answer.
        var note: String?
    }

    /// Starts a request and decides it, in one change.
    ///
    /// - Parameters:
    ///   - check: Runs first in the same change.
    ///   - also: Runs in the same change after the decision was recorded.
    /// - Throws: ``LimitReached``; ``StoreUnavailable``; what `check` and `also` throw, and then nothing was changed.
    func start(
        _ asked: SignInStartRequest,
        deciding decision: ImmediateDecision,
        checking check: @escaping @Sendable (any Repositories, Date) throws -> Void,
        also: @escaping @Sendable (any Repositories, Date) throws -> Void
    ) async throws -> DecisionOutcome {
        try await approvals.deciding { repositories, step in
            try check(repositories, step.now)
            if let refusal = try refusal(of: asked.client.id, in: repositories) { return .refused(refusal) }
            try limits.admitAndCount(rateKeys(asked, .code), in: repositories)
            let request = asked.request(
                id: asked.id ?? mint.identifier(),
                addressedTo: decision.party.approver.subject,
                at: step.now
            )
            let terms = asked.terms(under: policy)
            let outcome = try step.decide(
                ProposedDecision(
                    answer: decision.answer,
                    stored: SignInExchangeRecord(
                        exchange: SignInExchange(request: request),
                        deviceCode: decision.code,
                        userCode: unusedCode(),
                        interval: Self.interval,
                        binding: decision.binding,
                        terms: terms
                    ),
                    place: .new,
                    party: decision.party,
                    evidence: decision.evidence,
                    address: asked.address,
                    note: decision.note
                )
            )
            if outcome == .decided { try also(repositories, step.now) }
            return outcome
        }
    }

    /// Internal error: a request that was created in the same change cannot be decided.
    private struct UndecidableNewRequest: Error {}

    /// What counts when a client asks for a sign-in, whatever the way.
    static func rateKeys(_ client: ClientID, from address: String?) -> [RateLimitKey] {
        [.address(.startPerAddress, address), .client(.startPerClient, client), .overall(.startOverall)]
    }

    private func rateKeys(_ asked: SignInStartRequest, _ signOn: SingleSignOn) -> [RateLimitKey] {
        var rateKeys = Self.rateKeys(asked.client.id, from: asked.address)
        // A device that was signed in once must not flood its person's page with requests.
        if case .confirmation(let subject) = signOn { rateKeys.append(.subject(.confirmationPerAccount, subject)) }
        return rateKeys
    }

    /// The approval that automatic sign-on gives in the name of the person of an earlier sign-in.
    private func approval(of stored: SignInExchangeRecord, after earlier: SignInRecord) -> ProposedDecision {
        var evidence = Evidence([.signedInBefore])
        if let earlier = earlier.grant.evidence.authentication {
            for proof in Evidence.proofs(of: earlier.how, at: earlier.at) { evidence.add(proof) }
        }
        let request = stored.exchange.request
        return ProposedDecision(
            answer: .approve,
            stored: stored,
            place: .new,
            party: .earlierSignIn(earlier),
            evidence: evidence,
            address: request.address?.value,
            note: request.domain.map { "for \($0.value)" }
        )
    }

    /// A digest that belongs to no code: the screen shows none, so no code finds the request.
    func unusedCode() -> UserCodeDigest {
        UserCodeDigest(restoring: mint.keyBytes(32))
    }
}

extension SingleSignOn {
    /// The only person who may take the request.
    fileprivate var addressee: Subject? {
        switch self {
        case .code: nil
        case .confirmation(let subject): subject
        case .automatic(let earlier): earlier.grant.subject
        }
    }
}
