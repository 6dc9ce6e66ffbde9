import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("Two devices of a person that answer at once")
struct DecisionConcurrencyTests {
    private static let rounds = 200

    /// One of them approves while the other denies; both take the request and decide it in one change, as the endpoint
    /// does.
    @Test(arguments: StoreUnderTest.allCases)
    func `leave one answer, each time and on every store`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let approvals = try Self.approvals(on: store)
            let anna = Fixtures.activePerson("anna")
            try await store.change { repositories in
                try repositories.people.insert(anna)
                try repositories.clients.insert(Fixtures.client("desk"))
            }
            for round in 0..<Self.rounds {
                let asked = Self.asked("\(round)")
                try await store.change { try $0.exchanges.insert(asked) }
                async let approval = Self.answer(.approve, asked.id, by: "phone", approvals)
                async let denial = Self.answer(.deny, asked.id, by: "tablet", approvals)
                let outcomes = (try await approval, try await denial)
                let isApproved = outcomes.0 == .decided
                #expect(isApproved != (outcomes.1 == .decided), "\(round): \(outcomes)")
                let kept = try await store.read { try $0.exchanges.find(asked.id) }
                #expect(kept?.status(at: noon + 30) == (isApproved ? .approved : .denied))
            }
        }
    }

    /// A request over the back channel for Anna.
    private static func asked(_ name: String) -> SignInExchangeRecord {
        let request = SignInRequest(
            id: SignInRequest.ID(name),
            client: .verified(ClientID("desk")),
            scope: .verified(.none),
            addressee: Subject("anna"),
            asked: .observed(noon),
            deadline: noon + 600
        )
        return SignInExchangeRecord(
            exchange: SignInExchange(request: request),
            requestCode: Fixtures.deviceCode(name),
            method: .backchannel(BackchannelTerms(deliveryMode: .poll, bindingMessage: nil)),
            interval: 5
        )
    }

    private static func approvals(on store: any Store) throws -> ApprovalService {
        let clock = ManualClock(noon + 20).source
        let mint = CodeMint(drawingFrom: .system)
        return ApprovalService(
            store: store,
            keys: KeyRing(store: store, mint: mint, clock: clock),
            mint: mint,
            policy: Policy(),
            clock: clock,
            metrics: ServerMetrics(PrometheusMetrics()),
            addresses: ClientAddressResolver(issuer: try Issuer("https://id.example"), trustedProxies: []),
            budget: MessageBudget(limits: StoredRateLimiter(limits: Limits(), clock: clock))
        )
    }

    private static func answer(
        _ answer: ProposedDecision.Answer,
        _ id: SignInRequest.ID,
        by device: String,
        _ approvals: ApprovalService
    ) async throws -> DecisionOutcome {
        try await approvals.deciding { repositories, step in
            let stored = try #require(try repositories.exchanges.find(id))
            return try step.decide(
                ProposedDecision(
                    answer: answer,
                    stored: stored,
                    requestState: .open,
                    party: .earlierSignIn(Fixtures.signIn("\(device) \(id)")),
                    evidence: Evidence([.accountPassword(at: step.now), .namedByClient, .decisionSigned]),
                    address: nil
                )
            )
        }
    }
}

extension Fixtures {
    /// A person who may decide.
    fileprivate static func activePerson(_ name: String) -> Person {
        Person(subject: Subject(name), username: Username(name), name: name, password: nil, created: noon)
    }
}
