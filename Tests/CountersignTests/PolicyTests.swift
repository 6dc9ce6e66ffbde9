import Countersign
import Foundation
import Testing

@Suite("Policy")
struct PolicyTests {
    @Test(arguments: [
        (Evidence([.accountPassword(at: noon), .codeTyped]), Policy.ViolationError?.none),
        (Evidence([.federated(issuer: IdentityIssuer("a"), how: .browser, at: noon), .codeTyped]), .notByPassword),
        (Evidence([.federated(issuer: IdentityIssuer("a"), how: .idToken, at: noon)]), .notByPassword),
        (Evidence([.crossDevice(at: noon), .codeTyped]), .notByPassword),
        (
            Evidence([
                .federated(issuer: IdentityIssuer("a"), how: .idToken, at: noon), .accountPassword(at: noon + 1),
            ]), nil
        ),
    ])
    func `gives what needs a password only after a sign-in with one`(
        evidence: Evidence, refusal: Policy.ViolationError?
    ) {
        let policy = Policy(minimumEvidence: [ScopeWord("pay"): ScopeDemands([.password])])
        #expect(policy.refusal(of: Scope([.openid, ScopeWord("pay")]), by: evidence) == refusal)
        #expect(policy.refusal(of: Scope([.openid]), by: evidence) == nil)
    }

    private static let twoFactors: [(Evidence, Policy.ViolationError?)] = [
        (Evidence([.accountPassword(at: noon), .codeTyped]), .noSecondFactor),
        (Evidence([.accountPassword(at: noon), .secondFactor(.oneTimePassword, at: noon), .codeTyped]), nil),
        (Evidence([.accountPassword(at: noon), .secondFactor(.recoveryCode, at: noon), .codeTyped]), nil),
        // A second factor counts with its own password only.
        (
            Evidence([.accountPassword(at: noon + 1), .secondFactor(.oneTimePassword, at: noon), .codeTyped]),
            .noSecondFactor
        ),
        (Evidence([.crossDevice(at: noon), .codeTyped]), .noSecondFactor),
        (Evidence([.passkey(at: noon), .codeTyped]), nil),
        (Evidence([.passkey(at: noon), .accountPassword(at: noon + 1), .codeTyped]), .noSecondFactor),
        (
            Evidence([.federated(issuer: IdentityIssuer("a"), how: .browser, at: noon), .codeTyped]),
            .noSecondFactor
        ),
    ]

    @Test(arguments: twoFactors)
    func `gives some words of a scope only after two factors`(evidence: Evidence, refusal: Policy.ViolationError?) {
        let policy = Policy(minimumEvidence: [ScopeWord("pay"): ScopeDemands([.secondFactor])])
        #expect(policy.refusal(of: Scope([ScopeWord("pay")]), by: evidence) == refusal)
        #expect(policy.refusal(of: Scope([.openid]), by: evidence) == nil)
    }

    private static let confirmed: [(Evidence, Policy.ViolationError?)] = [
        (Evidence([.passkey(at: noon), .codeTyped]), .notUserVerified),
        (Evidence([.accountPassword(at: noon), .decisionSigned, .codeTyped]), .notUserVerified),
        (Evidence([.accountPassword(at: noon), .userVerified(at: noon + 1), .codeTyped]), nil),
        (Evidence([.enrolledDevice(at: noon), .decisionSigned, .codeTyped]), .notUserVerified),
        (Evidence([.accountPassword(at: noon), .decisionSigned, .verifiedByDevice(at: noon), .codeTyped]), nil),
    ]

    @Test(arguments: confirmed)
    func `gives some words of a scope only where a passkey or a device verifies who confirms the request`(
        evidence: Evidence,
        refusal: Policy.ViolationError?
    ) {
        let policy = Policy(minimumEvidence: [ScopeWord("pay"): ScopeDemands([.userVerified])])
        #expect(policy.refusal(of: Scope([ScopeWord("pay")]), by: evidence) == refusal)
        #expect(policy.refusal(of: Scope([.openid]), by: evidence) == nil)
    }

    private static let signedIn: [(Evidence, Double?, Policy.ViolationError?)] = [
        (Evidence([.accountPassword(at: noon), .codeTyped]), 300, nil),
        (Evidence([.accountPassword(at: noon), .codeTyped]), 301, .notRecent),
        (Evidence([.accountPassword(at: noon), .codeTyped]), nil, .notRecent),
        (Evidence([.passkey(at: noon), .codeTyped]), 299, nil),
        (Evidence([.accountPassword(at: noon - 900), .userVerified(at: noon), .codeTyped]), 10, nil),
        (Evidence([.accountPassword(at: noon - 900), .verifiedByDevice(at: noon), .codeTyped]), 10, nil),
        (Evidence([.federated(issuer: IdentityIssuer("a"), how: .browser, at: noon), .codeTyped]), 1, .notRecent),
        (Evidence([.possession(.sharedSecret, at: noon), .codeTyped]), 1, .notRecent),
    ]

    @Test(arguments: signedIn)
    func `gives some words of a scope only soon after a sign-in here, by the shortest time`(
        evidence: Evidence,
        later: Double?,
        refusal: Policy.ViolationError?
    ) {
        let policy = Policy(minimumEvidence: [
            ScopeWord("pay"): ScopeDemands([], within: 300), .openid: ScopeDemands([], within: 86_400),
        ])
        let now = later.map { Self.noon + $0 }
        #expect(policy.refusal(of: Scope([.openid, ScopeWord("pay")]), by: evidence, at: now) == refusal)
        #expect(policy.refusal(of: Scope([.profile]), by: evidence, at: now) == nil)
    }

    @Test func `of demands keeps each part when a client asks for a class, and reads old ones`() throws {
        let policy = Policy(minimumEvidence: [.openid: ScopeDemands([.deliberate], within: 300)])
        let demands = policy.demands(of: Scope([.openid])).reaching([.passkey])
        #expect(demands == ScopeDemands([.deliberate], within: 300, reaching: [.passkey]))
        let old = Data(#"{"all":["password"],"classes":[]}"#.utf8)
        #expect(try JSONDecoder().decode(ScopeDemands.self, from: old) == ScopeDemands([.password]))
    }

    private static let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private static let enough = Evidence([.accountPassword(at: noon), .codeTyped])
    private static let evidences = [
        Evidence(), Evidence([.codeTyped]), Evidence([.linkOpened]), Evidence([.accountPassword(at: noon)]), enough,
    ]
    private static let subjects: [Policy.Standing?] = [nil] + Policy.Standing.allCases

    @Test(arguments: Policy.Phase.allCases, [Policy.Standing.locked, .absent])
    func `gives a client that is locked or gone nothing, at any step`(phase: Policy.Phase, client: Policy.Standing) {
        for subject in Self.subjects {
            for evidence in Self.evidences {
                #expect(refusal(at: phase, client, subject, evidence) == .client(client))
            }
        }
    }

    @Test(arguments: Policy.Phase.allCases, [Policy.Standing.locked, .absent])
    func `gives a person who is locked or gone nothing, at any step`(phase: Policy.Phase, subject: Policy.Standing) {
        for evidence in Self.evidences {
            #expect(refusal(at: phase, .active, subject, evidence) == .subject(subject))
        }
    }

    @Test(arguments: [Policy.Phase.start, .redemption], [Policy.Standing?.none, .active])
    func `lets a request start and a grant be redeemed without new evidence`(
        phase: Policy.Phase,
        subject: Policy.Standing?
    ) {
        for evidence in Self.evidences {
            #expect(refusal(at: phase, .active, subject, evidence) == nil)
        }
    }

    @Test(arguments: [
        (Evidence(), Policy.ViolationError?.some(.notAuthenticated)),
        (Evidence([.codeTyped]), .notAuthenticated),
        (Evidence([.linkOpened]), .notAuthenticated),
        (Evidence([.accountPassword(at: noon)]), .codeNotNamed),
        (Evidence([.accountPassword(at: noon), .codeTyped]), nil),
        (Evidence([.linkOpened, .accountPassword(at: noon)]), nil),
        (Evidence([.signedInBefore]), .notAuthenticated),
        (Evidence([.signedInBefore, .accountPassword(at: noon)]), nil),
        (Evidence([.nearby(how: .code, sameNetwork: .yes)]), .notAuthenticated),
        (Evidence([.accountPassword(at: noon), .nearby(how: .code, sameNetwork: .no)]), nil),
        (Evidence([.accountPassword(at: noon), .nearby(how: .paired(at: noon), sameNetwork: .yes)]), nil),
        (Evidence([.accountPassword(at: noon), .nearby(how: .paired(at: noon), sameNetwork: .no)]), .codeNotNamed),
        (
            Evidence([.accountPassword(at: noon), .nearby(how: .paired(at: noon), sameNetwork: .unknown)]),
            .codeNotNamed
        ),
    ])
    func `lets only a person decide who proved who they are, and names the code or signed the client in before`(
        evidence: Evidence,
        expected: Policy.ViolationError?
    ) {
        #expect(refusal(at: .decision, .active, .active, evidence) == expected)
    }

    @Test(arguments: [
        (Evidence([.accountPassword(at: noon), .codeTyped]), Policy.ViolationError?.some(.notNearby)),
        (Evidence([.accountPassword(at: noon), .signedInBefore]), .notNearby),
        (
            Evidence([.accountPassword(at: noon), .codeTyped, .nearby(how: .paired(at: noon), sameNetwork: .no)]),
            .notNearby
        ),
        (Evidence([.accountPassword(at: noon), .nearby(how: .paired(at: noon), sameNetwork: .yes)]), nil),
        (Evidence([.accountPassword(at: noon), .nearby(how: .code, sameNetwork: .unknown)]), nil),
    ])
    func `gives some words of a scope only nearby, where that is wanted`(
        evidence: Evidence,
        expected: Policy.ViolationError?
    ) {
        let policy = Policy(minimumEvidence: [ScopeWord("open_the_door"): ScopeDemands([.nearby])])
        #expect(policy.refusal(of: Scope([.openid, ScopeWord("open_the_door")]), by: evidence) == expected)
        #expect(
            policy.refusal(of: Scope([.openid]), by: evidence) == (evidence.knowsTheScreen ? nil : .codeNotNamed))
    }

    @Test(arguments: evidences)
    func `lets nobody decide where there is no person`(evidence: Evidence) {
        #expect(refusal(at: .decision, .active, nil, evidence) == .notAuthenticated)
    }

    private func refusal(
        at phase: Policy.Phase,
        _ client: Policy.Standing,
        _ subject: Policy.Standing?,
        _ evidence: Evidence
    ) -> Policy.ViolationError? {
        do {
            try Policy().authorize(phase, client: client, subject: subject, evidence: evidence)
            return nil
        } catch {
            return error
        }
    }
}
