import Countersign
import Foundation
import Testing

@testable import CountersignNearby
@testable import CountersignRequester

/// The page of sentences says what this library says.
@Suite("The page of sentences, of the screen that asks")
struct SentencesDocumentTests {
    private static let page = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../Documentation/Sentences.md")

    /// The rows of a table, without its head.
    private func rows(below heading: String) throws -> [String] {
        let lines = try String(contentsOf: Self.page, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let below = lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("#") }
        return below.filter { $0.hasPrefix("| `") }.map(String.init)
    }

    @Test func `has each error with its sentence, and no other`() throws {
        let declared = SignInError.sentences.map { "| `\($0.key.rawValue)` | \($0.value) |" }
        #expect(try rows(below: "### `SignInError`").sorted() == declared.sorted())
    }

    @Test(arguments: SignInError.sentences.keys.map(\.rawValue))
    func `says on the page about sign-ins what the person can do about each error`(code: String) throws {
        let page = try String(
            contentsOf: Self.page.deletingLastPathComponent().appending(path: "SignIn.md"), encoding: .utf8)
        #expect(page.contains("`\(code)`"))
    }

    @Test func `has the sentence of each event, in order`() throws {
        let page = try #require(URL(string: "https://id.example.com/activate"))
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        let less = CompletedSignIn(
            accessToken: AccessToken(revealing: "a"), refreshToken: nil, expires: nil, scope: Scope([.openid]),
            identity: nil
        )
        .compared(to: Scope([.openid, .profile, .email]))
        let events: [(String, SignInEvent)] = [
            ("discovering", .discovering),
            ("presenting(ticket)", .presenting(.ticket)),
            ("presenting(token)", .presenting(.token)),
            ("presenting(account)", .presenting(.account)),
            ("began(nearby)", .began(.nearby)),
            ("began(browser)", .began(.browser)),
            ("began(push)", .began(.push)),
            ("began(code)", .began(.code)),
            ("opened(in: app)", .opened(page, in: .app)),
            ("opened(in: browser)", .opened(page, in: .browser)),
            ("ended(browser, cancelled)", .ended(.browser, SignInError(.cancelled, because: ""))),
            ("ended(browser, browser_not_opened)", .ended(.browser, SignInError(.browserNotOpened, because: ""))),
            ("ended(push, expired)", .ended(.push, SignInError(.expired, because: ""))),
            ("invitationHidden", .invitationHidden),
            ("codeAccepted", .codeAccepted),
            ("waiting", .waiting(until: date)),
            ("verificationNumber", .verificationNumber(VerificationNumber(rawValue: "42"))),
            ("link", .link(page)),
            ("temporaryFailure(notReachable)", .temporaryFailure(.notReachable, retryingAt: date)),
            ("temporaryFailure(notTrusted)", .temporaryFailure(.notTrusted, retryingAt: date)),
            ("temporaryFailure(interrupted)", .temporaryFailure(.interrupted, retryingAt: date)),
            ("temporaryFailure(busy)", .temporaryFailure(.busy, retryingAt: date)),
            ("temporaryFailure(serverFault)", .temporaryFailure(.serverFault, retryingAt: date)),
            ("signedIn (less granted)", .signedIn(less)),
        ]
        let declared = events.map { "| `\($0.0)` | \($0.1.sentence ?? "") |" }
        #expect(try rows(below: "### `SignInEvent`") == declared)
    }

    @Test func `has the sentence of each news of phones nearby, in order`() throws {
        let phone = NearbyApprover(
            id: NearbyApprover.ID(name: "Anna's phone"), name: "Anna's phone", pairedAs: nil)
        let events: [(String, NearbyEvent)] = [
            ("found (none)", .found([])),
            ("found (one)", .found([phone])),
            ("found (two)", .found([phone, phone])),
            ("asking", .progress(.asking, phone)),
            ("busy", .progress(.busy, phone)),
            ("waiting", .progress(.waiting(place: 1), phone)),
            ("missed (2 left)", .progress(.missed(codesLeft: 2), phone)),
            ("missed (none left)", .progress(.missed(codesLeft: 0), phone)),
            ("askedForDecision", .progress(.askedForDecision, phone)),
            ("ended(gone)", .progress(.ended(.gone(said: nil)), phone)),
            ("ended(unreachable)", .progress(.ended(.unreachable), phone)),
            ("ended(anotherCodeIsShown)", .progress(.ended(.anotherCodeIsShown), phone)),
            ("ended(timedOut)", .progress(.ended(.timedOut), phone)),
            ("ended(notAuthentic)", .progress(.ended(.notAuthentic), phone)),
            ("ended(brokeProtocol)", .progress(.ended(.brokeProtocol), phone)),
            ("ended(windowClosed)", .progress(.ended(.refused(.windowClosed)), phone)),
            ("ended(notNow)", .progress(.ended(.refused(.notNow)), phone)),
            ("ended(busy)", .progress(.ended(.refused(.busy)), phone)),
            ("ended(version)", .progress(.ended(.refused(.version)), phone)),
            ("ended(missesUsedUp)", .progress(.ended(.refused(.missesUsedUp)), phone)),
            ("ended(issuerUnknown)", .progress(.ended(.refused(.issuerUnknown)), phone)),
            ("ended(serverRefused)", .progress(.ended(.refused(.serverRefused)), phone)),
            ("declined", .ended(.declined(by: nil))),
            ("missesUsedUp", .ended(.missesUsedUp)),
            ("timedOut", .ended(.timedOut)),
        ]
        let declared = events.map { "| `\($0.0)` | \($0.1.sentence ?? "") |" }
        #expect(try rows(below: "### `NearbyEvent`") == declared)
    }
}
