internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The approval that an app can give to a request that it looks at, as policy would judge it now.
struct ApprovalPreview: Sendable {
    private let stored: SignInExchangeRecord
    private let app: ApprovingApp
    private let evidence: Evidence
    /// Whether the app may state that it verified its person (`uv`).
    private let mayVerify: Bool
    private let now: Date

    /// An approval over a link to a screen nearby, whose digits the person types if they are asked for them.
    init(
        of stored: SignInExchangeRecord,
        nearby network: SameNetwork,
        by app: ApprovingApp,
        at now: Date
    ) {
        self.init(of: stored, by: app, adding: [.nearby(how: .code, sameNetwork: network)], mayVerify: false, at: now)
    }

    /// An approval in the inbox of an enrolled device, with the number if the request has one.
    init(inInbox stored: SignInExchangeRecord, by app: ApprovingApp, under policy: Policy, at now: Date) {
        var proofs = stored.proofsInInbox
        if stored.hasNumberInInbox { proofs.append(.numberMatched) }
        self.init(of: stored, by: app, adding: proofs, mayVerify: app.mayVerifyPerson(under: policy), at: now)
    }

    private init(
        of stored: SignInExchangeRecord,
        by app: ApprovingApp,
        adding proofs: [Evidence.Proof],
        mayVerify: Bool,
        at now: Date
    ) {
        self.stored = stored
        self.app = app
        // The proofs with which the app has taken the request still hold.
        let taking = stored.exchange.taking(at: now).flatMap { $0.approver == app.approver ? $0.evidence : nil }
        evidence = Evidence(app.evidence.proofs + proofs).adding(taking)
        self.mayVerify = mayVerify
        self.now = now
    }

    /// The conditions for the approval, as the app is told them.
    func conditions(under policy: Policy, in repositories: any Repositories) throws -> ApprovalConditions {
        var conditions = ApprovalConditions()
        if let refusal = refusal(of: evidence, under: policy) {
            conditions.obstacle = ApprovalObstacle(refusal) ?? .other
            if mayVerify {
                let verified = stored.demands(under: policy).adding(verificationAt: now, to: evidence)
                conditions.isVerificationEnough = self.refusal(of: verified, under: policy) == nil
            }
        }
        conditions.isRemembered = try RememberedScreens(repositories).find(of: stored, for: app.person.subject) != nil
        conditions.sessionTerms = stored.sessionTerms(until: app.signIn.grant.ends, at: now)
        conditions.sessionLimit = app.signIn.grant.ends?.numericDate
        return conditions
    }

    /// The reason why policy would refuse the approval, first one that no other sign-in mends; `nil` when it would not.
    private func refusal(of evidence: Evidence, under policy: Policy) -> Policy.ViolationError? {
        let demands = stored.demands(under: policy)
        if let obstacle = demands.obstacle(to: evidence) { return obstacle }
        do throws(Policy.ViolationError) {
            try policy.authorize(
                .decision, client: .active, subject: .active, evidence: evidence, demands: demands, at: now)
            return nil
        } catch {
            return error
        }
    }
}

extension SignInExchangeRecord {
    /// The proofs that an answer in the inbox of a device adds to those of its sign-in.
    var proofsInInbox: [Evidence.Proof] { [proofOfAddressee, .decisionSigned] }

    /// Whether an approval in the inbox of a device takes the number that is shown where the person started.
    var hasNumberInInbox: Bool { (terms.number ?? method.number) != nil }
}

extension ApprovingApp {
    /// Whether the device's `uv` claim is trusted: its app is trusted, and its enrolment followed a sign-in at this
    /// server instead of another provider.
    func mayVerifyPerson(under policy: Policy) -> Bool {
        policy.userVerifyingApps.contains(signIn.grant.client) && evidence.authentication?.how.isLocal == true
    }
}

extension ApprovalObstacle {
    /// The demand that a refusal of policy tells; `nil` for one that no other sign-in and no other place mends.
    init?(_ refusal: Policy.ViolationError) {
        switch refusal {
        case .notNearby, .noNumber, .codeNotNamed: self = .nearby
        case .notRecent: self = .recent
        case .notByPassword: self = .password
        case .noSecondFactor: self = .secondFactor
        case .notUserVerified: self = .userVerified
        case .notAuthenticated, .notSignedByDevice, .classNotReached: self = .other
        case .client, .subject, .noWay, .notInGroup: return nil
        }
    }
}
