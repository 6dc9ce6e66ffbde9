import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignApprover

/// A program that asks to act for the person, as an app shows it.
@Suite("A service on a device")
struct ActingServiceTests {
    private let fixture = AuthenticatorFixture()
    private var end: Date { fixture.clock.date + 10_000 }

    private func shown(_ purpose: String = "backup on nas") async throws -> WaitingRequest {
        let approval = #"{"session_terms":["own","15m","1h"]}"#
        let text = fixture.lookText(channel: "device_code", approval: approval)
        let service = #""service":{"purpose":"\#(purpose)","until":\#(end.numericDate)},"#
        return try await fixture.shown(text.replacing(#""scope":"#, with: service + #""scope":"#))
    }

    @Test func `says what it acts for, and until when, wherever it is shown`() async throws {
        let request = try await shown()
        #expect(request.service == .asserted(GuestService(purpose: "backup on nas", ends: end)))
        let sentence =
            "The Bank (‘Kitchen TV’) wants to act for Anna until \(end.formatted(.iso8601)): ‘backup on nas’."
        #expect(request.question == sentence)
        #expect(RequestNotification(of: request).body.contains("‘backup on nas’"))
        #expect(request.sessionSentence(choosing: nil) == "It may act for you until \(end.formatted(.iso8601)).")
        #expect(request.sessionSentence(choosing: .hour) == "It may act for you for an hour.")
        let longer = request.sessionSentence(choosing: .workday)
        #expect(longer?.hasPrefix("It does not offer the time that you chose. It may act for you until ") == true)
    }

    @Test func `shows its words in one line`() async throws {
        #expect(try await shown(#"a\n\u202Eb"#).service?.value.purpose == "ab")
        #expect(try await shown(#"\u202E"#).service?.value.purpose == "?")
    }

    @Test func `is answered with the time that the person chose`() async throws {
        let request = try await shown()
        fixture.decided(.approve)
        try await fixture.approver.answer(.approve(), to: request, session: .hour)
        #expect(try fixture.decisions.map(\.session) == [.hour])
    }
}
