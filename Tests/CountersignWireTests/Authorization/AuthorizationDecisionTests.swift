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
        #expect(address.isAnswer(to: .authorization, at: "https://app.example/done") == isAnswer)
    }

    @Test func `adds an answer to the query of a redirect URI`() {
        let address = AuthorizationAnswerAddress(revealing: "https://app.example/done?shop=1&code=a")
        #expect(address.isAnswer(to: .authorization, at: "https://app.example/done?shop=1"))
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
        #expect(read.kind == .authorization(of: ClientID("app"), request))
        #expect(read.parameters == request.form.encoded)
        for other in ["request_uri=urn:x", "request=a.b.c", "response_type=token", "state=a&state=b"] {
            let address = try #require(AuthorizationAddress(parsing: "x.y:/authorize?client_id=app&\(other)"))
            #expect(address.kind == .authorization(of: ClientID("app"), nil))
        }
    }

    @Test func `reads the request of a screen by its code and its way back`() throws {
        let text = "https://id.example.com/activate?user_code=BCDF-GHJK&redirect_uri=https%3A%2F%2Ftv.example%2Fdone"
        let address = try #require(AuthorizationAddress(parsing: "\(text)#there"))
        let back = try RedirectURI("https://tv.example/done")
        #expect(address.kind == .activation(UserCodeText("BCDF-GHJK"), returningTo: back))
        #expect(address.text == text && address.isAt("https://id.example.com/activate"))
        let asked = ApproverLookRequest.activation(UserCodeText("BCDF-GHJK"), returningTo: back)
        #expect(try ApproverLookRequest(form: asked.form) == asked)
        for form in [["user_code": "A"], ["user_code": "A", "redirect_uri": "javascript:1"]] as [Form] {
            var form = form
            form["method"] = "activation"
            #expect(throws: OAuthError.self) { try ApproverLookRequest(form: form) }
        }
    }

    @Test(arguments: [
        "", "?", "?user_code=A", "?user_code=A&s=mark", "?redirect_uri=https://tv.example/done",
        "?user_code=A&redirect_uri=javascript:alert(1)", "?user_code=&redirect_uri=https://tv.example/done",
        "?user_code=A&user_code=B&redirect_uri=https://tv.example/done",
        "?user_code=A&redirect_uri=https://tv.example/done&redirect_uri=https://tv.example/done",
        "?user_code=A&redirect_uri=https://tv.example/done&client_id=a", "?client_id=", "?client_id=a&client_id=b",
        "?client_id=%ZZ", "?a=b", "?not_mine=1",
    ])
    func `takes all else for a page`(query: String) throws {
        let address = try #require(AuthorizationAddress(parsing: "https://id.example.com/activate\(query)"))
        #expect(address.kind == .page && address.isAt("https://id.example.com/activate"))
    }

    @Test(arguments: [
        ("https://tv.example/done?link=\(String(repeating: "A", count: 43))&state=s&iss=x", true),
        ("https://tv.example/done?error=access_denied", true), ("https://tv.example/done?code=a", false),
        ("https://tv.example/done?link=short", false), ("https://tv.example/other?error=access_denied", false),
        ("https://tv.example/done?error=a&link=\(String(repeating: "A", count: 43))", false), ("", false),
    ])
    func `tells the way back to a screen from any other address`(text: String, isAnswer: Bool) {
        let address = AuthorizationAnswerAddress(revealing: text)
        #expect(address.isAnswer(to: .activation, at: "https://tv.example/done") == isAnswer)
    }

    @Test func `says the same about a screen on the same device`() throws {
        let back = try RedirectURI("https://tv.example/done")
        let permission = AuthorizationLook.Permission(.openid, meaning: "Know that it is you")
        let shown = ApproverLook(
            exchange: look.exchange, nonce: look.nonce, client: look.client, clientName: look.clientName,
            scope: look.scope, asked: look.asked, expires: look.expires, serverTime: look.serverTime,
            accountName: look.accountName,
            details: ActivationLook(redirectURI: back.text, permissions: [permission], deviceName: "Big screen"))
        for response in [ApproverLookResponse<ActivationLook>.decide(shown), .browser] {
            #expect(try coded(response) == response)
        }
        for answer in DecisionClaims.Answer.allCases {
            var claims = DecisionClaims(
                answer, by: .activation(ActivationFinding(returningTo: back)), on: shown,
                shown: AnswerDigest(of: []), audience: "https://id.example.com", issued: 1_800_000_000, id: "a")
            claims.session = answer == .approve ? .remembered : nil
            guard ApprovalMethod.activation.answers.contains(answer) else {
                #expect(throws: DecodingError.self) { try coded(claims) }
                continue
            }
            #expect(try coded(claims) == claims)
        }
    }
}
