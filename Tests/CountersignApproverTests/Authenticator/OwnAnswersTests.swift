import Countersign
import CountersignTesting
import Foundation
import Testing

@testable import CountersignApprover

@Suite("The answers that a person gives at this device")
struct OwnAnswersTests {
    private let fixture = AuthenticatorFixture()

    @Test func `explain why the list lacks a request while they are on their way, and then`() async throws {
        let request = try await fixture.shown()
        var answers = OwnAnswers()
        var explained = answers.noteLack(of: request.id)
        #expect(!explained && !answers.has(request.id))
        answers.begin(request.id)
        explained = answers.noteLack(of: request.id)
        #expect(explained && !answers.has(request.id))
        answers.give(request, at: fixture.clock.date)
        explained = answers.noteLack(of: request.id)
        #expect(explained && answers.has(request.id))
    }

    @Test func `say that the list was seen without a request, if they fail`() async throws {
        let request = try await fixture.shown()
        var answers = OwnAnswers()
        for isLacking in [true, false] {
            answers.begin(request.id)
            let explained = isLacking && answers.noteLack(of: request.id)
            let wasLacking = answers.fail(request.id)
            let isExplained = answers.noteLack(of: request.id)
            #expect(explained == isLacking && wasLacking == isLacking && !isExplained)
        }
    }

    @Test func `are forgotten once their requests have expired`() async throws {
        let old = try await fixture.shown()
        fixture.looks(fixture.lookText("r2", lasting: 90))
        let new = try await fixture.approver.request(SignInRequest.ID("r2"))
        var answers = OwnAnswers()
        answers.give(old, at: old.deadline - 1)
        answers.give(new, at: old.deadline)
        #expect(!answers.has(old.id) && answers.has(new.id))
    }
}
