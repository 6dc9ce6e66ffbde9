import Countersign
import Foundation
import Testing

@Suite("The least evidence")
struct MinimumEvidenceTests {
    private static let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private static let typed = Evidence([.accountPassword(at: noon), .codeTyped])
    private static let forwarded = Evidence([.accountPassword(at: noon), .linkOpened])
    private static let matched = Evidence([.accountPassword(at: noon), .linkOpened, .numberMatched])
    private static let nearby = Evidence([.accountPassword(at: noon), .nearby(how: .code, sameNetwork: .no)])
    private static let stolen = Evidence([
        .accountPassword(at: noon), .codeTyped, .nearby(how: .paired(at: noon), sameNetwork: .no),
    ])
    private static let browser = Evidence([.accountPassword(at: noon), .redirected])
    private static let device = Evidence([.accountPassword(at: noon), .namedByClient, .decisionSigned])

    private static let cases: [(ScopeDemands.Demand, Evidence, Policy.ViolationError?)] = [
        (.number, typed, .noNumber), (.number, forwarded, .noNumber), (.number, device, .noNumber),
        (.number, stolen, .noNumber), (.number, matched, nil), (.number, nearby, nil), (.number, browser, nil),
        (.deviceKey, typed, .notSignedByDevice), (.deviceKey, matched, .notSignedByDevice),
        (.deviceKey, browser, .notSignedByDevice), (.deviceKey, device, nil), (.deviceKey, nearby, nil),
        (.nearby, matched, .notNearby), (.nearby, device, .notNearby), (.nearby, browser, nil),
    ]

    @Test(arguments: cases)
    func `of a scope value is what an approval of it needs`(
        demand: ScopeDemands.Demand, evidence: Evidence, refusal: Policy.ViolationError?
    ) {
        let policy = Policy(minimumEvidence: [ScopeWord("pay"): ScopeDemands([demand])])
        #expect(policy.refusal(of: Scope([.openid, ScopeWord("pay")]), by: evidence) == refusal)
        #expect(policy.refusal(of: Scope([.openid]), by: evidence) == nil)
    }

    @Test func `of several scope values and of a client is all of it, within the shortest time`() {
        let policy = Policy(minimumEvidence: [
            ScopeWord("pay"): ScopeDemands([.number], within: 300), ScopeWord("door"): ScopeDemands([.nearby]),
        ])
        let both = policy.demands(of: Scope([ScopeWord("door"), ScopeWord("pay"), .openid]))
        #expect(both == ScopeDemands([.nearby, .number], within: 300))
        let more = both.adding(ScopeDemands([.deviceKey], within: 60))
        #expect(more == ScopeDemands([.nearby, .number, .deviceKey], within: 60))
        #expect(both.adding(.none) == both && ScopeDemands.none.adding(both) == both)
        #expect(policy.demands(of: Scope([.openid])) == .none)
    }

    @Test(arguments: [
        ("", ScopeDemands.none), ("nearby", ScopeDemands([.nearby])), ("recent:300", ScopeDemands([], within: 300)),
        ("number,nearby,recent:86400", ScopeDemands([.nearby, .number], within: 86_400)),
        (
            "device_key,user_verified,second_factor,password,deliberate",
            ScopeDemands([.deviceKey, .userVerified, .secondFactor, .password, .deliberate])
        ),
    ])
    func `is written as words`(text: String, demands: ScopeDemands) throws {
        #expect(ScopeDemands(parsing: text) == demands)
        #expect(ScopeDemands(parsing: demands.description) == demands)
    }

    @Test(arguments: [
        "near", "nearby,", ",", "nearby number", "recent", "recent:", "recent:0", "recent:86401", "recent:-1",
        "recent:99999999999999999999", "recent:1,recent:2", "Nearby", "urn:countersign:acr:nearby",
    ])
    func `is nothing else`(text: String) {
        #expect(ScopeDemands(parsing: text) == nil)
    }

    /// Standard: RFC 9470 §5: the token has to name the class that the service asked for.
    @Test func `that a client asks for by class is named in tokens, beside a sign-in of any kind`() {
        let reached: [(AuthenticationClass, Evidence)] = [
            (.nearby, Self.nearby), (.number, Self.matched), (.deviceKey, Self.device),
        ]
        for (wanted, evidence) in reached {
            let demands = ScopeDemands.none.reaching([wanted, .password])
            #expect(demands.violation(by: evidence, at: Self.noon) == nil)
            #expect(demands.naming(evidence).authenticationClass == wanted)
        }
        let demands = ScopeDemands.none.reaching([.nearby])
        #expect(demands.violation(by: Self.matched, at: Self.noon) == .notNearby)
        let either = ScopeDemands.none.reaching([.nearby, .passkey])
        #expect(either.violation(by: Self.matched, at: Self.noon) == .classNotReached)
        #expect(ScopeDemands([.nearby]).reaching([.nearby]).classes == [.nearby], "tokens name it")
        #expect(ScopeDemands([.nearby]).reaching([.password]).violation(by: Self.typed, at: Self.noon) == .notNearby)
    }
}
