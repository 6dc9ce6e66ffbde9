import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("The approval service")
struct ApprovalServiceTests {
    /// A way in has nothing to do with policy, so it cannot forget it: whatever it proposes is refused inside.
    @Test(arguments: [
        (Policy.ViolationError.client(.absent), ApprovalTrial.Flaw.noClient), (.subject(.locked), .lockedPerson),
        (.notAuthenticated, .noPassword), (.codeNotNamed, .noCode), (.notNearby, .reserved),
        (.client(.absent), .noDomain),
    ])
    func `refuses what policy refuses, whatever a way in proposes`(
        refusal: Policy.ViolationError,
        flaw: ApprovalTrial.Flaw
    ) async throws {
        for requestState in [ProposedDecision.RequestState.open, .new] {
            let minimum = [ScopeWord("play"): ScopeDemands([.nearby])]
            try await TestServer.open(configuring: { $0.minimumEvidence = minimum }) { server in
                let trial = try await ApprovalTrial(flaw, requestState, at: server)
                let before = try await server.dump()
                #expect(try await trial.decide(.approve) == .refused(refusal))
                #expect(try await server.dump() == before)
                #expect(try await server.audited(.approved).isEmpty)

                // A denial gives nothing to anybody.
                #expect(try await trial.decide(.deny) == .decided)
                #expect(try await server.audited(.denied).count == 1)
            }
        }
    }

    @Test func `approves what policy allows, in one change with its audit entry`() async throws {
        for requestState in [ProposedDecision.RequestState.open, .new] {
            try await TestServer.open { server in
                let trial = try await ApprovalTrial(nil, requestState, at: server)
                #expect(try await trial.decide(.approve) == .decided)
                let exchange = try #require(try await server.store.read { try $0.exchanges.find(trial.id) }).exchange
                #expect(exchange.grant?.subject == TestPerson.anna.subject)
                let written = try #require(try await server.audited(.approved).last)
                #expect(written.detail == "signed_in_before account_password, as a trial")
                #expect(written.by == .server && written.request == trial.id)
            }
        }
    }

    /// The page hands over what its form said, and checks nothing of it.
    @Test(
        .server { $0.minimumEvidence = [ScopeWord("play"): ScopeDemands([.deliberate])] },
        arguments: [ProposedDecision.RequestState.open, .new])
    func `takes no approval from a page before the delay that is demanded is over`(
        requestState: ProposedDecision.RequestState
    ) async throws {
        let server = TestServer.current
        let visitor = try await server.visitor(at: try await server.browser(of: .anna))
        let keys = try await server.server.services.keys.current()
        var trial = try await ApprovalTrial(.reserved, requestState, at: server)
        let delay = try #require(
            ApprovalDelay(
                ScopeDemands([.deliberate]),
                on: .request(trial.id),
                shownTo: .session(visitor.session),
                under: keys
            )
        )
        let mark = delay.view(at: server.clock.date).shownMark
        let before = try await server.dump()
        trial.answers(from: visitor, shown: nil)
        #expect(try await trial.decide(.approve) == .tooEarly)
        trial.answers(from: visitor, shown: mark)
        #expect(try await trial.decide(.approve) == .tooEarly)
        #expect(try await server.dump() == before)
        server.clock.advance(by: .seconds(ApprovalDelay.delay))
        #expect(try await trial.decide(.approve) == .decided)
    }

    @Test(.server { $0.minimumEvidence = [ScopeWord("play"): ScopeDemands([.deliberate])] })
    func `demands no delay of a party that answers without a page`() async throws {
        let server = TestServer.current
        let trial = try await ApprovalTrial(.reserved, .new, at: server)
        #expect(try await trial.decide(.approve) == .decided)
    }

    @Test func `counts nothing that is rolled back`() async throws {
        struct Mistake: Error {}
        try await TestServer.open { server in
            let trial = try await ApprovalTrial(nil, .open, at: server)
            let before = try await server.dump()
            await #expect(throws: Mistake.self) {
                try await trial.decide(.approve) { throw Mistake() }
            }
            #expect(try await server.dump() == before)
            let line = #"countersign_sign_ins_decided_total{decision="approved"} 0"#
            #expect(server.metrics.text().contains("\n\(line)\n"))
        }
    }

    @Test(.server) func `takes no answer of a browser whose person signs out while it is under way`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        let visitor = try await server.visitor(at: anna)
        var trial = try await ApprovalTrial(nil, .new, at: server)
        trial.answers(from: visitor, shown: nil)
        _ = try await anna.confirm("logout")
        let before = try await server.dump()
        for answer in [ProposedDecision.Answer.approve, .deny] {
            await #expect(throws: SessionEndedError.self) { try await trial.decide(answer) }
        }
        #expect(try await server.dump() == before)
    }

    @Test(.server, arguments: [true, false])
    func `lets no browser take a request whose session has expired, or whose person is locked`(
        isLocked: Bool
    ) async throws {
        let server = TestServer.current
        let visitor = try await server.visitor(at: try await server.browser(of: .anna))
        if isLocked {
            try await server.lock(.anna)
        } else {
            server.clock.advance(by: .seconds(visitor.session.expires.timeIntervalSince(server.clock.date) + 1))
        }
        let codes = try await server.ask()
        let before = try await server.dump()
        await #expect(throws: SessionEndedError.self) {
            try await server.server.services.approvals.deciding { repositories, step -> TakingOutcome in
                let stored = try #require(try repositories.exchanges.find(codes.deviceCode.digest))
                return try step.take(
                    stored, by: visitor, proving: Evidence([.codeTyped]), from: nil, checking: {})
            }
        }
        #expect(try await server.dump() == before)
    }

    @Test(.server)
    func `takes no answer of a person who was locked while it was under way, a denial neither`() async throws {
        let server = TestServer.current
        let visitor = try await server.visitor(at: try await server.browser(of: .anna))
        var trial = try await ApprovalTrial(.lockedPerson, .new, at: server)
        trial.answers(from: visitor, shown: nil)
        let before = try await server.dump()
        for answer in [ProposedDecision.Answer.approve, .deny] {
            #expect(try await trial.decide(answer) == .refused(.subject(.locked)))
        }
        #expect(try await server.dump() == before)
    }
}

extension TestServer {
    /// The person at a browser, as its pages see them.
    fileprivate func visitor(at browser: TestBrowser) async throws -> SignedInVisitor {
        let sessions = BrowserSessions(
            store: server.services.store,
            keys: server.services.keys,
            mint: server.services.mint,
            clock: serverClock,
            lifetime: 3600
        )
        let cookie = try #require(browser.cookie.split(separator: "=", maxSplits: 1).last)
        return try #require(try await sessions.visitor(presenting: BrowserCookie(revealing: String(cookie))).signedIn)
    }
}

/// A request and a party, as a way in would bring them.
struct ApprovalTrial: Sendable {
    /// A flaw of the request or the party.
    enum Flaw: Sendable {
        case noClient, lockedPerson, noPassword, noCode, reserved, noDomain
    }

    let id: SignInRequest.ID
    private let server: TestServer
    private let stored: SignInExchangeRecord
    private let requestState: ProposedDecision.RequestState
    private var party: DecidingParty
    private let evidence: Evidence

    init(_ flaw: Flaw?, _ requestState: ProposedDecision.RequestState, at server: TestServer) async throws {
        let now = server.clock.date
        let mint = CodeMint(drawingFrom: .system)
        let client = flaw == .noClient ? ClientID("gone") : TestClients.tv.id
        let request = SignInRequest(
            id: mint.identifier(),
            client: .asserted(client),
            scope: .verified(flaw == .reserved ? Scope([ScopeWord("play")]) : .none),
            domain: flaw == .noDomain ? .verified(Domain("gone.example")) : nil,
            asked: .observed(now),
            deadline: now + 300
        )
        let stored = SignInExchangeRecord(
            exchange: SignInExchange(request: request),
            requestCode: mint.secret(DeviceCode.self).digest,
            method: .deviceCode(UserCodeDigest(restoring: mint.keyBytes(32))),
            interval: 5
        )
        if case .open = requestState { try await server.change { try $0.exchanges.insert(stored) } }
        if flaw == .lockedPerson { try await server.lock(.anna) }
        var proofs: [Evidence.Proof] = flaw == .noCode ? [] : [.signedInBefore]
        if flaw != .noPassword { proofs.append(.accountPassword(at: now)) }
        let earlier = Grant(
            id: mint.identifier(),
            subject: TestPerson.anna.subject,
            client: client,
            scope: .none,
            evidence: Evidence(),
            approved: now
        )
        party = .earlierSignIn(
            SignInRecord(grant: earlier, request: request, signedIn: now, lastUsed: now, ends: now + 3600)
        )
        (id, evidence) = (request.id, Evidence(proofs))
        (self.server, self.stored, self.requestState) = (server, stored, requestState)
    }

    /// Lets a person answer from the page about the request; by default, no person is asked.
    mutating func answers(from visitor: SignedInVisitor, shown mark: String?) {
        let page = FormContext(viewer: .session(visitor.session), question: .request(id), mark: mark)
        party = .visitor(visitor, on: page)
    }

    /// Proposes `answer`, and runs `then` in the same change.
    @discardableResult
    func decide(
        _ answer: ProposedDecision.Answer,
        then: @escaping @Sendable () throws -> Void = {}
    ) async throws -> DecisionOutcome {
        try await server.server.services.approvals.deciding { [stored, requestState, party, evidence] _, step in
            let proposed = ProposedDecision(
                answer: answer,
                stored: stored,
                requestState: requestState,
                party: party,
                evidence: evidence,
                address: nil,
                note: "as a trial"
            )
            let outcome = try step.decide(proposed)
            try then()
            return outcome
        }
    }
}
