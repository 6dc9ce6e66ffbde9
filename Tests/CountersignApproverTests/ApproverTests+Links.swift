import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignApprover

/// A request that comes over a link and is in the server's list, too: one question.
extension ApproverTests {
    @Test func `shows a request of a link and of the server's list once, with the facts of both`() async throws {
        fixture.transport.reply(at: Self.inbox, with: fixture.listed([fixture.entry("n1", lasting: 9_000)]), .silence)
        fixture.transport.reply(
            at: Self.look, with: json(fixture.lookText("n1", channel: "device_code", lasting: 9_000)), json(nearbyText))
        let events = EventReader(of: fixture.approver)
        #expect(await events.next() == "waiting n1")
        let screen = try asked()
        #expect(await events.next() == "waiting n1")
        let shown = await fixture.approver.inbox.waiting
        #expect(shown.count == 1)
        guard case .nearby? = shown.first?.kind else {
            Issue.record("not over the link: \(shown)")
            return
        }
        #expect(shown.first?.deviceName == .asserted("Kitchen TV"))
        // The screen is there still by the other way.
        screen.cancel()
        #expect(await events.next() == "waiting n1")
        #expect(await fixture.approver.inbox.waiting.map(\.kind) == [.code])
        await #expect(throws: ApprovalError.self) { try await screen.value }
        events.stop()
    }

    // MARK: One question

    /// A request that the server's list has, and that a link then brings, too.
    private func joined(
        digits: Int? = 2,
        approval: String? = nil,
        over link: String? = nil,
        _ proof: NearbyProof = .code
    ) async throws -> (before: WaitingRequest, screen: Task<RequestAnswer, any Error>, events: EventReader) {
        fixture.transport.reply(at: Self.inbox, with: fixture.listed([fixture.entry("n1", lasting: 9_000)]), .silence)
        let listed = fixture.lookText(
            "n1", channel: "device_code", digits: digits, approval: approval, lasting: 9_000)
        fixture.transport.reply(at: Self.look, with: json(listed), json(link ?? nearbyText))
        fixture.decided(.approve, on: "n1")
        let events = EventReader(of: fixture.approver)
        #expect(await events.next() == "waiting n1")
        let before = try #require(await fixture.approver.inbox.waiting.first)
        let screen = try asked(proof)
        while await !fixture.approver.held.has(before.id) { await Task.yield() }
        return (before, screen, events)
    }

    @Test(arguments: [nil, "42"])
    func `takes an answer to the earlier question, with the number or without`(number: String?) async throws {
        let (before, screen, events) = try await joined()
        #expect(before.step == .matchNumber && before.takesNumber)
        let now = try #require(await fixture.approver.inbox.waiting.first)
        #expect(now.id == before.id && now.step == .decide && now.takesNumber)
        try await fixture.approver.answer(.approve(number: number), to: before)
        #expect(try await screen.value == .approve(number: number))
        let finding = NearbyFinding(link: try link(), proof: .code, number: number)
        #expect(try fixture.decisions.map(\.finding) == [.nearby(finding)])
        events.stop()
    }

    @Test func `can approve what the list lets it only deny, once the screen is nearby`() async throws {
        let (before, screen, events) = try await joined(digits: nil, approval: #"{"obstacle":"nearby"}"#)
        #expect(before.step == .denyOnly(.nearby))
        let now = try #require(await fixture.approver.inbox.waiting.first)
        #expect(now.step == .decide && !now.takesNumber)
        try await fixture.approver.answer(.approve(), to: now)
        #expect(try await screen.value == .approve())
        events.stop()
    }

    @Test func `approves by the list what the link lets it only deny`() async throws {
        let old = nearbyText.replacingOccurrences(
            of: #""same_network""#, with: #""approval":{"obstacle":"recent"},"same_network""#)
        let (before, screen, events) = try await joined(over: old)
        let now = try #require(await fixture.approver.inbox.waiting.first)
        #expect(now.step == .matchNumber)
        try await fixture.approver.answer(.approve(number: "42"), to: before)
        #expect(try await screen.value == .approve(number: "42"))
        #expect(try fixture.decisions.map(\.finding) == [.inbox(InboxFinding(number: "42"))])
        events.stop()
    }

    @Test func `asks for no digits of a screen whose request the person can answer in the list`() async throws {
        let elsewhere = nearbyText.replacingOccurrences(of: "\"yes\"", with: "\"no\"")
        let (before, screen, events) = try await joined(over: elsewhere, .paired(at: .distantPast))
        #expect(await fixture.approver.inbox.waiting == [before])
        try await fixture.approver.answer(.approve(number: "42"), to: before)
        #expect(try await screen.value == .approve(number: "42"))
        #expect(try fixture.decisions.map(\.finding.method) == [.inbox])
        events.stop()
    }

    @Test(arguments: ["", "4", "421", "x"])
    func `goes on asking after a number that is none, and the screen goes on waiting`(typed: String) async throws {
        let (before, screen, events) = try await joined()
        let approver = fixture.approver
        let found = await code { () async throws(ApprovalError) in
            try await approver.answer(.approve(number: typed), to: before)
        }
        #expect(found == .digitsNeeded)
        #expect(await approver.held.has(before.id) && fixture.transport.sent(to: "/approver/decide").isEmpty)
        try await approver.answer(.approve(number: "42"), to: before)
        #expect(try await screen.value == .approve(number: "42"))
        events.stop()
    }

    @Test func `goes on asking after an approval where the person can only deny`() async throws {
        let old = nearbyText.replacingOccurrences(
            of: #""same_network""#, with: #""approval":{"obstacle":"recent"},"same_network""#)
        let (before, screen, events) = try await joined(approval: #"{"obstacle":"recent"}"#, over: old)
        let approver = fixture.approver
        let found = await code { () async throws(ApprovalError) in try await approver.answer(.approve(), to: before) }
        #expect(found == .policyRefused)
        #expect(await approver.held.has(before.id))
        fixture.decided(.deny, on: "n1")
        try await approver.answer(.deny, to: before)
        #expect(try await screen.value == .deny)
        events.stop()
    }

    @Test func `is not asked again for what was answered in the list between look and question`() async throws {
        let (before, screen, events) = try await joined(
            over: nearbyText.replacingOccurrences(of: "\"yes\"", with: "\"no\""), .paired(at: .distantPast))
        fixture.transport.reply(at: Self.look, with: json(nearbyText))
        let approver = fixture.approver
        let looked = try await approver.look(at: try nearbyRequest(), over: try link(), proof: .code)
        try await approver.answer(.approve(number: "42"), to: before)
        _ = try await screen.value
        let found = await code { () async throws(ApprovalError) in _ = try await approver.ask(looked) }
        #expect(found == .nothingToDecide)
        events.stop()
    }

    @Test func `reports by the list a request that a link brought, too`() async throws {
        let (_, screen, events) = try await joined()
        let now = try #require(await fixture.approver.inbox.waiting.first)
        #expect(now.canBeReported)
        fixture.transport.reply(
            at: "/approver/decide",
            with: .json(ApproverDecideResponse(exchange: now.id, outcome: .reported)))
        try await fixture.approver.answer(.report(), to: now)
        #expect(try await screen.value == .report())
        #expect(try fixture.decisions.map(\.finding) == [.inbox(InboxFinding())])
        events.stop()
    }

    @Test func `tells once that a request of a link and the list was answered elsewhere`() async throws {
        answerElsewhere(
            "n1", after: json(fixture.lookText("n1", channel: "device_code", lasting: 9_000)), json(nearbyText))
        let events = EventReader(of: fixture.approver)
        #expect(await events.next() == "waiting n1")
        let screen = try asked()
        #expect(await events.next() == "waiting n1")
        // Over the link alone it is there for a moment, and then it has gone.
        #expect(await events.next(advancing: fixture.clock) == "waiting n1")
        #expect(await events.next() == "waiting")
        #expect(await events.next() == "answered n1 on Anna’s phone")
        await #expect(throws: ApprovalError.self) { try await screen.value }
        events.stop()
    }
}
