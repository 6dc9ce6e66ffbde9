import Countersign
import CountersignResource
import CountersignTesting
import CountersignWire
import HTTPTypes
import HummingbirdTesting
import Testing

import FoundationEssentialsCompat

/// Standard: RFC 9470 §3, §5.
@Suite("A service that wants a person to have signed in lately")
struct StepUpTests {
    private static let password = "urn:countersign:acr:password"
    private static let federated = "urn:countersign:acr:federated"

    private let clock = ManualClock()

    private func service(
        _ challenge: ResourceChallenge = .bearer(realm: "bank"),
        classes: [String] = [Self.password],
        within span: Duration? = .seconds(300)
    ) -> GuardedService {
        var known = KnownTokens()
        for (name, age, acr) in [
            ("fresh", 10.0, Self.password), ("old", 400.0, Self.password), ("other", 10.0, Self.federated),
        ] {
            known.tokens[name] = TokenFacts(
                client: ClientID("app"),
                person: Subject("anna-1"),
                authenticated: clock.date - age,
                authenticationClass: acr
            )
        }
        return GuardedService(challenge, checking: known, clock: clock) {
            $0.requiringAuthentication(classes: classes, within: span)
        }
    }

    @Test func `lets a person in who did`() async throws {
        #expect(try await service().answer("Bearer fresh").status == .ok)
        #expect(try await service(classes: []).answer("Bearer other").status == .ok)
        #expect(try await service(within: nil).answer("Bearer old").status == .ok)
    }

    @Test(arguments: ["old", "other", "of-anna"])
    func `says what is missing to the others, so that the app can ask for it`(token: String) async throws {
        let answer = try await service().answer("Bearer \(token)")
        #expect(answer.status == .unauthorized)
        #expect(
            answer.challenges == [
                #"Bearer realm="bank", error="insufficient_user_authentication", "#
                    + #"error_description="the person has to authenticate again, or in another way", "#
                    + #"acr_values="urn:countersign:acr:password", max_age="300""#
            ]
        )
        let challenge = try #require(StepUpChallenge(parsing: answer.challenges))
        #expect(challenge.acrValues == [Self.password] && challenge.maxAge == 300 && challenge.scope == nil)
    }

    @Test func `names no more than it wants, and the scope besides`() async throws {
        let classes = try await service(within: nil).answer("Bearer other").challenges
        #expect(StepUpChallenge(parsing: classes)?.maxAge == nil)
        let age = try await service(classes: []).answer("Bearer old").challenges
        #expect(StepUpChallenge(parsing: age)?.acrValues == [])
    }

    /// The class of the sign-in is the same for all: what was proved beside it decides.
    @Test(arguments: [
        (Evidence([.codeTyped, .network(.yes)]), [AuthenticationClass]()),
        (Evidence([.linkOpened, .numberMatched]), [.number]),
        (Evidence([.namedByClient, .decisionSigned]), [.deviceKey]),
        (Evidence([.nearby(how: .code, sameNetwork: .yes)]), [.number, .deviceKey, .nearby]),
    ])
    func `lets a person in by what was proved, and asks others for it`(
        evidence: Evidence, reached: [AuthenticationClass]
    ) async throws {
        var known = KnownTokens()
        known.tokens["a"] = TokenFacts(
            client: ClientID("app"), person: Subject("anna-1"), authenticated: clock.date,
            authenticationClass: Self.password, evidence: EvidenceClaim(evidence))
        for wanted in [AuthenticationClass.number, .deviceKey, .nearby, .userVerified] {
            let service = GuardedService(.bearer(realm: "bank"), checking: known, clock: clock) {
                $0.requiringAuthentication([wanted])
            }
            let answer = try await service.answer("Bearer a")
            #expect(answer.status == (reached.contains(wanted) ? .ok : .unauthorized), "\(wanted)")
            guard answer.status != .ok else { continue }
            #expect(StepUpChallenge(parsing: answer.challenges)?.acrValues == [wanted.rawValue])
        }
    }

    @Test func `does not take a challenge of another kind for one`() async throws {
        #expect(StepUpChallenge(parsing: try await service().answer("Bearer unknown").challenges) == nil)
        #expect(StepUpChallenge(parsing: try await service().answer().challenges) == nil)
        #expect(StepUpChallenge(parsing: [#"Basic error="insufficient_user_authentication""#]) == nil)
    }

    /// The example of RFC 9470 §3.
    @Test func `is understood as the standard writes it`() throws {
        let value = """
            Bearer error="insufficient_user_authentication",\
             error_description="A different authentication level is required",\
             acr_values="myACR", scope="a b", max_age=5
            """
        let challenge = try #require(StepUpChallenge(parsing: [value]))
        #expect(challenge.acrValues == ["myACR"] && challenge.maxAge == 5)
        #expect(challenge.scope == Scope([ScopeWord("a"), ScopeWord("b")]))
        let hostile = #"DPoP error="insufficient_user_authentication", max_age="-1""#
        #expect(StepUpChallenge(parsing: [hostile])?.maxAge == nil)
    }

    @Test func `wants a person at all`() async throws {
        #expect(try await service().answer("Bearer of-a-radio").status == .forbidden)
    }

    @Test func `reads both from a signed token`() async throws {
        let signer = TokenSigner()
        let network = ScriptedTransport(["/jwks": [.json(JSONWebKeySet(keys: [signer.publicKey]))]])
        let checker = SignedTokenChecker(
            issuer: IssuerName("https://id.example.com"),
            keysAt: try Endpoint("https://id.example.com/jwks"),
            audience: ResourceName("https://bank.example.com"),
            over: network
        )
        let now = Int(clock.date.timeIntervalSince1970)
        let claims = """
            {"iss":"https://id.example.com","aud":"https://bank.example.com","sub":"anna-1","client_id":"app",\
            "exp":\(now + 60),"auth_time":\(now - 20),"acr":"urn:countersign:acr:password",\
            "countersign_evidence":{"way":"nearby","proximity":"link","device_key":true,"network":"same"}}
            """
        let token = AccessToken(revealing: try signer.token(claims))
        guard case .good(let facts) = try await checker.check(token, at: clock.date) else {
            Issue.record("the token is not good")
            return
        }
        #expect(facts.authenticationClass == Self.password)
        #expect(facts.evidence == EvidenceClaim(Evidence([.nearby(how: .paired(at: clock.date), sameNetwork: .yes)])))
        #expect(facts.authenticated == Date(timeIntervalSince1970: Double(now - 20)))
    }
}
