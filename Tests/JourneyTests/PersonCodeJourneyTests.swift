import Countersign
import CountersignRequester
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

/// A person who gets a code on the phone, and types it on the screen.
///
/// Standard: RFC 10027 §6.1.15, §6.1.16.
@Suite("A screen where a person typed a code", .timeLimit(.minutes(10)))
struct PersonCodeJourneyTests {
    @Test func `is signed in after the same person approved on the phone`() async throws {
        try await JourneyServer.with { server in
            let anna = JourneyVisitor(at: server.issuer)
            let code = try await newCode(of: .anna, at: anna)
            let screen = Screen(at: server, typing: code)
            let result = try await screen.begin()
            try await decide(.approve, at: anna)
            let signedIn = try await result.value.get()
            #expect(signedIn.identity?.subject == JourneyPerson.anna.subject)
            #expect(await screen.asked == ["Anna Example"])
        }
    }

    /// An attacker lets a victim type the attacker's code, to see what the victim then does in the attacker's account.
    @Test func `asks who is signed in, so that nobody uses the account of an attacker`() async throws {
        try await JourneyServer.with { server in
            let attacker = JourneyVisitor(at: server.issuer)
            let code = try await newCode(of: .ben, at: attacker)
            let screen = Screen(at: server, typing: code, saying: .notMe)
            let result = try await screen.begin()
            try await decide(.approve, at: attacker)
            await #expect(throws: SignInError(.notMe, because: "")) { try await result.value.get() }
            #expect(await screen.asked == ["Ben Example"])
            let tokens = try #require(screen.transport.tokens.first)
            #expect(try await !JourneyScreen.api(at: server.issuer).isActive(tokens.accessToken))
        }
    }

    /// Signs a person in at the pages, and gets a code for them.
    private func newCode(of person: JourneyPerson, at visitor: JourneyVisitor) async throws -> PersonCode {
        try await visitor.signIn(as: person)
        let page = try await visitor.submit(
            try await visitor.open("/activate"), to: "/activate/code", [:], expecting: "A code for your screen")
        let shown = try #require(page.markup.firstMatch(of: /<strong class="code">([0-9 ]+)</))
        return try #require(PersonCode(parsing: String(shown.1)))
    }

    /// Answers on the page to which that of the code leads.
    private func decide(_ answer: JourneyVisitor.Answer, at visitor: JourneyVisitor) async throws {
        let page = try await visitor.open("/activate/code")
        let request = try #require(page.markup.firstMatch(of: /name="request" value="([^"]+)"/)).1
        try await visitor.submit(
            page, to: "/activate/decision", ["request": String(request), "decision": answer.rawValue],
            expecting: "Approved")
    }

    /// A screen with a keyboard.
    private actor Screen {
        nonisolated let transport = OverheardTransport()
        private nonisolated let signIn: SignIn
        private let confirmation: SignIn.Confirmation
        private(set) var asked: [String] = []

        init(
            at server: JourneyServer, typing code: PersonCode, saying confirmation: SignIn.Confirmation = .continue
        ) {
            var options = SignInOptions()
            options.personCode = code
            signIn = SignIn(
                at: server.issuer,
                as: ClientIdentity(JourneyParties.tv),
                for: JourneyRequester.scope,
                on: SignInScreen(name: "Anna’s big screen"),
                options: options,
                in: RequesterContext(over: transport, clock: server.clock.skipping, random: .system)
            )
            self.confirmation = confirmation
        }

        /// Starts to sign in; returns once the request is made.
        func begin() async throws -> Task<Result<CompletedSignIn, SignInError>, Never> {
            var events = signIn.events.makeAsyncIterator()
            let task = Task {
                do throws(SignInError) {
                    return .success(try await signIn.run { await self.answer($0) })
                        as Result<CompletedSignIn, SignInError>
                } catch {
                    return .failure(error)
                }
            }
            while let event = await events.next() {
                if case .waiting = event { break }
            }
            return task
        }

        private func answer(_ identity: VerifiedIdentity) -> SignIn.Confirmation {
            asked.append(identity.displayName)
            return confirmation
        }
    }
}
