import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignServer

@Suite("The link in a text message, in a browser", .timeLimit(.minutes(10)))
struct AnswerLinkInBrowserTests {
    private let all = BrowserOptions.all

    @Test func `asks a person who is not signed in, and takes the number or the denial`() async throws {
        let telephone = TextedTelephone()
        try await BrowserStory.play(
            .phone, configuring: { $0.delivery = DeliverySettings(gateway: telephone) }
        ) { story in
            let (environment, secret) = try await Self.environment(at: story.server)
            let browser = story.browser
            let asked = try await Self.open(at: story.server, by: environment, secret)
            try await browser.open(try await telephone.link(advancing: story.server.clock))
            try await browser.expect("Approve this sign-in?", in: all)
            #expect(try await browser.text().contains("Pay 5 euro"))
            let number = try #require(asked.number)
            try await browser.element("#number").type(number == "00" ? "01" : "00")
            try await browser.press("Approve")
            try await browser.expect("Approve this sign-in?", in: all)
            try await browser.element("#number").type(number)
            try await browser.press("Approve")
            try await browser.expect("Approved", in: all)

            _ = try await Self.open(at: story.server, by: environment, secret)
            try await browser.open(try await telephone.link(advancing: story.server.clock))
            try await browser.expect("Approve this sign-in?")
            try await browser.press("Deny")
            try await browser.expect("Denied", in: all)

            _ = try await Self.open(at: story.server, by: environment, secret)
            let late = try await telephone.link(advancing: story.server.clock)
            story.server.clock.advance(by: .seconds(301))
            try await browser.open(late)
            try await browser.expect("Too late", answering: 410, in: all)
        }
    }

    /// An environment that may reach Anna by her number.
    private static func environment(
        at server: JourneyServer
    ) async throws -> (AuthenticatorEnvironment, EnvironmentSecret) {
        let store = try #require(await server.store)
        let added = try await EnvironmentRegistry(
            of: store, mint: CodeMint(drawingFrom: .system), clock: server.clock.source
        ).add(EnvironmentDraft(name: "My Bank"))
        let number = try PhoneNumber("+31612345678")
        let now = server.clock.date
        try await server.change {
            try $0.phoneNumbers.keep(PhoneNumberRecord(number, of: JourneyPerson.anna.subject, verified: now))
        }
        return added
    }

    private static func open(
        at server: JourneyServer,
        by environment: AuthenticatorEnvironment,
        _ secret: EnvironmentSecret
    ) async throws -> AuthenticationRequest {
        let body = """
            {"environment_id":"\(environment.id)","to":"+31612345678","expiry":300,"message_type":"sms",\
            "text":"Pay 5 euro","ip":"203.0.113.7"}
            """
        let token = EnvironmentToken.text(
            by: secret, body: Array(body.utf8), at: server.clock.date, lifetime: 60)
        var request = try Endpoint("\(server.issuer)/auth/v1.0/instant", allowingInsecureHTTP: true).request(.post)
        request.headerFields[.contentType] = "application/json"
        request.headerFields[.authorization] = "Bearer \(token)"
        let answer = try await SystemTransport.make().send(request, body: Array(body.utf8), within: .seconds(60))
        return try JSONDecoder().decode(AuthenticationRequest.self, from: Data(answer.body))
    }
}

/// A telephone that receives texts.
private actor TextedTelephone: SMSGateway {
    private var texts: [String] = []

    func send(_ message: TextMessage) -> DeliveryOutcome {
        texts.append(message.text.revealed)
        return .accepted
    }

    /// The link in the next text; the clock goes on until it has come.
    func link(advancing clock: ManualClock) async throws -> String {
        for _ in 0..<2_000 {
            if !texts.isEmpty {
                let text = texts.removeFirst()
                return String(try #require(text.firstMatch(of: /http\S+/)).0)
            }
            clock.advance(by: .milliseconds(100))
            try await Task.sleep(for: .milliseconds(10))
        }
        throw NoText()
    }

    struct NoText: Error {}
}
