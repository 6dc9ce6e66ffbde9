import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignApprover

@Suite("An undo at a device")
struct UndoingTests {
    private let fixture = AuthenticatorFixture()
    private let request = SignInRequest.ID("r1")

    @Test(arguments: UndoOutcome.allCases)
    func `names the request, and ends in the server's outcome`(outcome: UndoOutcome) async throws {
        fixture.transport.reply(
            at: "/approver/undo", with: .json(ApproverUndoResponse(exchange: request, outcome: outcome)))
        #expect(try await fixture.approver.undo(request) == outcome)
        let sent = try #require(fixture.transport.sent(to: "/approver/undo").first)
        #expect(sent.request.method == .post && sent.request.headerFields[.authorization] == "Bearer token")
        #expect(try ApproverUndoRequest(form: sent.form).exchange == request)
    }

    @Test(arguments: [
        (ScriptedTransport.Reply.status(.notFound), ApprovalError.Code.notOffered),
        (.status(.unauthorized), .signedOut), (.status(.badGateway), .outcomeUnknown),
        (.status(.serviceUnavailable), .unreachable),
        (.json(ApproverUndoResponse(exchange: SignInRequest.ID("r2"), outcome: .undone)), .badAnswer),
    ])
    func `ends in an error that says what to do`(
        reply: ScriptedTransport.Reply, expected: ApprovalError.Code
    ) async {
        fixture.transport.reply(at: "/approver/undo", with: reply)
        let (approver, request) = (fixture.approver, request)
        #expect(
            await code { () async throws(ApprovalError) in _ = try await approver.undo(request) } == expected)
    }

    @Test func `is offered for the decisions that the server lists, also with outcomes of a later server`() async throws
    {
        var listed = DecisionListing(
            exchange: request, clientName: "The TV", outcome: .approved, since: fixture.now, words: "Approved")
        listed.undoUntil = fixture.now + 60
        let later = DecisionListing(
            exchange: SignInRequest.ID("r2"), clientName: "The TV", outcome: DecisionListing.Outcome("later"),
            since: fixture.now, words: "Later")
        fixture.transport.reply(at: "/approver/decisions", with: .json([listed, later]))
        #expect(try await fixture.approver.decisions() == [listed, later])
        fixture.transport.reply(at: "/approver/decisions", with: .status(.notFound))
        let approver = fixture.approver
        #expect(
            await code { () async throws(ApprovalError) in _ = try await approver.decisions() } == .notOffered)
    }
}
