import Countersign
import CountersignWire
import Foundation
import Testing

@Suite("What the provider's own app and its server say to each other")
struct AuthorizationDecisionMessagesTests {
    private let look = ApproverLook(
        exchange: SignInRequest.ID("exchange"),
        nonce: DecisionNonce(revealing: "the-nonce"),
        client: .verified(ClientID("app")),
        clientName: .asserted("The app"),
        scope: Scope([.openid]),
        asked: 1_800_000_000,
        expires: 1_800_000_300,
        serverTime: 1_800_000_000,
        accountName: "Anna",
        details: AuthorizationLook(
            redirectURI: "https://app.example/done",
            permissions: [AuthorizationLook.Permission(.openid, meaning: "Know that it is you")],
            challenge: CodeChallenge(of: CodeVerifier(revealing: String(repeating: "v", count: 43))),
            isAllowedBefore: true,
            mustAsk: false
        )
    )

    private func coded<Message: Codable>(_ message: Message) throws -> Message {
        try JSONDecoder().decode(Message.self, from: JSONEncoder().encode(message))
    }

    @Test func `is read as it was written`() throws {
        let location = AuthorizationAnswerAddress(revealing: "https://app.example/done?error=invalid_scope")
        for response in [
            ApproverLookResponse<AuthorizationLook>.decide(look), .browser, .unanswerable,
            .answer(location, redirectURI: "https://app.example/done"),
        ] {
            #expect(try coded(response) == response)
        }
        let said = ApproverDecideResponse(exchange: look.exchange, outcome: .denied, location: location)
        #expect(try coded(said) == said)
        for answer in ApprovalMethod.authorization.answers {
            let claims = claims(answer)
            #expect(try coded(claims) == claims)
            #expect(answer.isApproval == (answer != .deny))
        }
        #expect(
            try ApproverLookRequest(form: ApproverLookRequest.authorization(parameters: "a=b").form)
                == .authorization(parameters: "a=b"))
    }

    private func claims(_ answer: DecisionClaims.Answer) -> DecisionClaims {
        DecisionClaims(
            answer,
            by: .authorization(AuthorizationFinding(look, to: "client_id=app")),
            on: look,
            shown: AnswerDigest(of: Array("{}".utf8)),
            audience: "https://id.example.com",
            issued: 1_800_000_000,
            id: "a decision"
        )
    }

    @Test func `reads no answer that belongs to another way`() throws {
        for answer in DecisionClaims.Answer.allCases where !ApprovalMethod.authorization.answers.contains(answer) {
            #expect(throws: DecodingError.self) { try coded(claims(answer)) }
        }
    }

    @Test func `prints no secret`() throws {
        let location = AuthorizationAnswerAddress(revealing: "https://app.example/done?code=the-code")
        let said = ApproverDecideResponse(exchange: look.exchange, outcome: .approved, location: location)
        let address = try #require(AuthorizationAddress(parsing: "x:/?client_id=a&request_uri=the-code"))
        var printed = "\(location) \(said) \(look) \(address) \(String(reflecting: address)) \(claims(.deny))"
        dump(said, to: &printed)
        dump(address, to: &printed)
        #expect(!printed.contains("the-code") && !printed.contains("the-nonce"))
    }

    @Test(arguments: [
        ("https://app.example/done?code=a", true), ("https://app.example/done?error=x&state=y", true),
        ("https://app.example/done?code=a&error=x", false), ("https://app.example/done?state=y", false),
        ("https://app.example/done", false), ("https://app.example/done2?code=a", false),
        ("https://app.example/done?code=a#b", false), ("https://app.example/done?code=a b", false), ("", false),
    ])
    func `tells an answer at a redirect URI from any other address`(text: String, isAnswer: Bool) {
        let address = AuthorizationAnswerAddress(revealing: text)
        #expect(address.isAnswer(at: "https://app.example/done") == isAnswer)
    }

    @Test func `adds an answer to the query of a redirect URI`() {
        let address = AuthorizationAnswerAddress(revealing: "https://app.example/done?shop=1&code=a")
        #expect(address.isAnswer(at: "https://app.example/done?shop=1"))
    }

    @Test(arguments: [
        ("https://id.example.com/authorize", true), ("HTTPS://ID.EXAMPLE.COM/authorize", true),
        ("https://id.example.com/Authorize", false), ("https://id.example.com/authorize/", false),
        ("https://id.example.com:443/authorize", false), ("https://id.example.com.evil.test/authorize", false),
        ("id.example.com/authorize", false),
    ])
    func `knows its own page`(page: String, isOwn: Bool) throws {
        let address = try #require(AuthorizationAddress(parsing: "https://id.example.com/authorize?client_id=a"))
        #expect(address.isAt(page) == isOwn)
    }

    @Test func `reads the request, unless it is elsewhere or no good one`() throws {
        var request = AuthorizationRequest(
            client: ClientID("app"),
            redirectURI: "com.example.app:/done",
            challenge: look.details.challenge
        )
        request.state = "s"
        let read = try #require(AuthorizationAddress(parsing: "x.y:/authorize?\(request.form.encoded)#there"))
        #expect(read.request == request && read.client == ClientID("app"))
        #expect(read.parameters == request.form.encoded)
        for other in ["request_uri=urn:x", "request=a.b.c", "response_type=token", "state=a&state=b"] {
            let address = try #require(AuthorizationAddress(parsing: "x.y:/authorize?client_id=app&\(other)"))
            #expect(address.request == nil && address.client == ClientID("app"))
        }
    }
}
