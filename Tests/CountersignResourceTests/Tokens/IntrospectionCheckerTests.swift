import Countersign
import CountersignRequester
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignResource

import FoundationEssentialsCompat

@Suite("A checker by introspection")
struct IntrospectionCheckerTests {
    let provider = ScriptedProvider()
    let clock = ManualClock(Date(timeIntervalSince1970: 1_800_000_000))

    private func checker(allowingMissingAudience: Bool = false) throws -> IntrospectionChecker {
        IntrospectionChecker(
            at: try Endpoint("https://id.example.com/introspect"),
            as: ClientID("radio service"),
            secret: ClientSecret(revealing: "s:cret"),
            audience: ResourceName("https://radio.example.com"),
            over: provider,
            allowingMissingAudience: allowingMissingAudience
        )
    }

    private func verdict(on body: String, _ status: HTTPResponse.Status = .ok) async throws -> TokenVerdict {
        provider.network.reply(at: "/introspect", with: .text(body, type: "application/json", status: status))
        return try await checker().check(AccessToken(revealing: "the-token"), at: clock.date)
    }

    private func isGood(_ body: String) async throws -> Bool {
        if case .good = try await verdict(on: body) { true } else { false }
    }

    private static let good =
        #""active":true,"client_id":"tv","sub":"anna-1","username":"anna","scope":"read write","#
        + #""token_type":"Bearer","aud":"https://radio.example.com""#

    @Test func `asks as the standard says, with the service's own credentials`() async throws {
        _ = try await verdict(on: "{\(Self.good)}")
        let sent = try #require(provider.network.sent().first)
        #expect(sent.request.method == .post)
        #expect(sent.request.headerFields[.authorization] == "Basic cmFkaW8rc2VydmljZTpzJTNBY3JldA==")
        #expect(sent.request.headerFields[.contentType] == "application/x-www-form-urlencoded")
        #expect(sent.form["token"] == "the-token")
        #expect(sent.form["token_type_hint"] == "access_token")
        #expect(sent.form["client_secret"] == nil)
    }

    @Test func `finds who asks and what they may`() async throws {
        let found = try await verdict(on: #"{\#(Self.good),"exp":1800000100}"#)
        #expect(
            found
                == .good(
                    TokenFacts(
                        client: ClientID("tv"),
                        person: Subject("anna-1"),
                        username: "anna",
                        displayName: "anna",
                        scope: Scope([ScopeWord("read"), ScopeWord("write")]),
                        expires: Date(timeIntervalSince1970: 1_800_000_100)
                    )
                )
        )
    }

    /// Persian names that a joiner of no width tells apart, marks, and addresses that are longer than what is shown.
    private static let usernames: [(name: String, shown: String)] = [
        ("نامهای", "نامهای"), ("نامه\u{200C}ای", "نامهای"),
        ("\(String(repeating: "a", count: 104))@example.com", String(repeating: "a", count: 100)),
    ]

    @Test(arguments: usernames)
    func `keeps the user name letter by letter, beside the one that is shown`(name: String, shown: String) async throws
    {
        let body = #"{"active":true,"sub":"anna-1","username":"\#(name)","aud":"https://radio.example.com"}"#
        guard case .good(let facts) = try await verdict(on: body) else {
            Issue.record("the token is not good")
            return
        }
        // Text is compared scalar by scalar here: strings are equal in Swift where Unicode takes them for the same.
        #expect(facts.username?.unicodeScalars.elementsEqual(name.unicodeScalars) == true)
        #expect(facts.displayName == shown)
    }

    @Test func `takes a token whose subject is its client for an app's own`() async throws {
        let found = try await verdict(
            on: #"{"active":true,"client_id":"tv","sub":"tv","aud":["https://radio.example.com","other"]}"#
        )
        #expect(found == .good(TokenFacts(client: ClientID("tv"))))
    }

    @Test(arguments: [
        #"{"active":false}"#, #"{"active":false,"aud":"https://radio.example.com","exp":"nonsense"}"#,
        #"{"active":true,"client_id":"tv"}"#,
        #"{"active":true,"aud":"https://radio.example.com.evil.example"}"#,
        #"{"active":true,"aud":[]}"#,
    ])
    func `refuses what is not active, or not for this service`(body: String) async throws {
        #expect(try await !isGood(body))
    }

    @Test(arguments: [
        #""exp":1799999000"#, #""exp":1799999969"#, #""exp":0"#, #""exp":-5"#, #""nbf":1800000031"#,
        #""token_type":"DPoP""#, #""cnf":{"jkt":"abc"}"#, #""cnf":null"#,
    ])
    func `refuses an active token with`(member: String) async throws {
        let body = #"{"active":true,"client_id":"tv","aud":"https://radio.example.com",\#(member)}"#
        #expect(try await !isGood(body))
    }

    @Test(arguments: [
        #""exp":1799999971"#, #""exp":1800000100.5"#, #""nbf":1800000029"#, #""token_type":"bearer""#,
        #""scope":"a \" b""#, #""iat":1800000000"#, #""unknown":{"deep":[1,2]}"#,
    ])
    func `takes an active token with`(member: String) async throws {
        let body = #"{"active":true,"client_id":"tv","aud":"https://radio.example.com",\#(member)}"#
        #expect(try await isGood(body))
    }

    @Test func `can be told to take tokens that say not for whom they are, but none for others`() async throws {
        let lenient = try checker(allowingMissingAudience: true)
        let token = AccessToken(revealing: "one")
        provider.network.reply(at: "/introspect", with: .text(#"{"active":true}"#, type: "application/json"))
        #expect(try await lenient.check(token, at: clock.date) == .good(TokenFacts(client: nil)))
        provider.network.reply(
            at: "/introspect",
            with: .text(#"{"active":true,"aud":"other"}"#, type: "application/json")
        )
        let other = try await lenient.check(AccessToken(revealing: "two"), at: clock.date)
        #expect(other == .notGood(because: "it is meant for another service"))
    }

    @Test(arguments: [
        "", "{}", "[]", "<html>", #"{"active":"true"}"#, #"{"active":1}"#, #"{"active":null}"#,
        #"{"active":true,"aud":7}"#, #"{"active":true,"exp":"soon"}"#, #"{"active":true,"sub":{}}"#,
    ])
    func `lets nobody in by an answer that is not the standard's`(body: String) async throws {
        await #expect(throws: TokenCheckError(.badAnswer, because: "")) { try await verdict(on: body) }
    }

    @Test(arguments: [
        (401, TokenCheckError.Code.notAccepted), (400, .notAccepted), (500, .unreachable), (429, .busy),
        (404, .badAnswer), (201, .badAnswer),
    ])
    func `says why nobody can say`(status: Int, code: TokenCheckError.Code) async throws {
        await #expect(throws: TokenCheckError(code, because: "")) {
            try await verdict(on: #"{"error":"invalid_client"}"#, .init(code: status))
        }
    }
}
