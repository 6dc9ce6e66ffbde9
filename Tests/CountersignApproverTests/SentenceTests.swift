import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import CountersignTesting
import Testing

@testable import CountersignApprover

@Suite("What an approver says to its person")
struct SentenceTests {
    private let fixture = AuthenticatorFixture()

    @Test(arguments: ApprovalError.Code.allCases)
    func `says what happened and what to do next, without the reason for the log`(code: ApprovalError.Code) {
        let sentence = ApprovalError(code, because: "details").sentence
        #expect(sentence == code.sentence && sentence.hasSuffix(".") && !sentence.contains("details"))
        // More than one part: the fault, and the remedy.
        #expect(sentence.contains(". ") || sentence.contains(": ") || sentence.contains("; "), "\(sentence)")
    }

    @Test func `says of an answered request where`() {
        let place = AnswerPlace(.device, named: "Anna’s phone", answered: fixture.clock.date)
        let error = ApprovalError(.nothingToDecide, because: "", answered: place)
        #expect(
            error.sentence
                == "Answered on Anna’s phone. If that was not you, look at the devices of your account.")
    }

    @Test(arguments: [
        ("device_code", "The Bank (‘Kitchen TV’): The screen stopped asking."),
        ("single_sign_on", "The Bank (‘Kitchen TV’): The screen stopped"),
        ("backchannel", "The Bank: The app stopped asking."),
    ])
    func `names who asked in each end of a request`(channel: String, words: String) async throws {
        let request = try await fixture.shown(fixture.lookText(channel: channel))
        #expect(ApproverEvent.cancelled(request).sentence?.hasPrefix(words) == true)
        let place = AnswerPlace(.browser, named: nil, answered: fixture.clock.date)
        for event in [ApproverEvent.answered(request, at: place), .withdrawn(request), .expired(request)] {
            #expect(event.sentence?.hasPrefix("\(request.askerName): ") == true)
        }
        #expect(ApproverEvent.waiting([request]).sentence == nil)
    }

    @Test func `names a new device, and says what to do about it`() {
        var device = DeviceListing(id: DeviceRegistration.ID("d3"), added: 1, seen: 1, isCurrent: false)
        #expect(
            ApproverEvent.newDevice(device).sentence
                == "A new device answers for you: d3. If it is not yours, revoke it.")
        device.model = "Pixel 9"
        device.platform = "Android"
        #expect(ApproverEvent.newDevice(device).sentence?.contains(": Pixel 9, Android. ") == true)
    }

    // MARK: The page

    private func page(_ name: String) throws -> String {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Documentation/\(name)")
        return try String(contentsOf: page, encoding: .utf8)
    }

    @Test(arguments: ApprovalError.Code.allCases)
    func `stand on the page about authenticators, with what an app does about them`(code: ApprovalError.Code) throws {
        #expect(try page("Authenticator.md").contains("`\(code.rawValue)`"))
    }

    /// The rows of a table of the page of sentences, without its head.
    private func rows(below heading: String) throws -> [String] {
        let lines = try page("Sentences.md").split(
            separator: "\n", omittingEmptySubsequences: false)
        let below = lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("#") }
        return below.filter { $0.hasPrefix("| `") }.map(String.init)
    }

    @Test func `stand on the page of sentences, each obstacle`() throws {
        let declared = ApprovalObstacle.allCases.map { "| `\($0.rawValue)` | \($0.sentence) |" }
        #expect(try rows(below: "### `ApprovalObstacle`") == declared)
    }

    @Test func `stand on the page of sentences, each time of a sign-in`() async throws {
        let terms = SessionTerm.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
        let request = try await fixture.shown(
            fixture.lookText(channel: "device_code", approval: "{\"session_terms\":[\(terms)]}"))
        let declared = SessionTerm.allCases.map { term in
            "| `\(term.rawValue)` | \(request.sessionSentence(choosing: term) ?? "") |"
        }
        #expect(try rows(below: "### `SessionTerm`") == declared)
    }

    @Test func `stand on the page of sentences, each error`() throws {
        let declared = ApprovalError.Code.allCases.map { "| `\($0.rawValue)` | \($0.sentence) |" }
        #expect(try rows(below: "### `ApprovalError`").sorted() == declared.sorted())
    }

    @Test func `stand on the page of sentences, each event in order`() async throws {
        let request = try await fixture.shown(fixture.lookText(channel: "device_code"))
        let place = AnswerPlace(.device, named: "Anna’s phone", answered: fixture.clock.date)
        let decision = DecisionListing(
            exchange: request.id, clientName: "The Bank", outcome: .undone, since: 1, words: "Undone.")
        var device = DeviceListing(id: DeviceRegistration.ID("d3"), added: 1, seen: 1, isCurrent: false)
        device.model = "Pixel 9"
        let failure = ApproverEvent.temporaryFailure(
            ApprovalError(.unreachable, because: ""), retryingIn: .seconds(4))
        let events: [(String, ApproverEvent)] = [
            ("answered", .answered(request, at: place)), ("cancelled", .cancelled(request)),
            ("withdrawn", .withdrawn(request)), ("expired", .expired(request)), ("undone", .undone(decision)),
            ("newDevice", .newDevice(device)), ("passwordChanged", .passwordChanged(fixture.clock.date)),
            ("temporaryFailure", failure),
        ]
        let declared = events.map { "| `\($0.0)` | \($0.1.sentence ?? "") |" }
        #expect(try rows(below: "### `ApproverEvent`") == declared)
    }
}
