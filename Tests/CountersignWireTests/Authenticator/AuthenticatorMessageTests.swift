import Countersign
import CountersignTesting
import Foundation
import Testing

@testable import CountersignWire

@Suite("The messages of enrolled devices")
struct AuthenticatorMessageTests {
    private static let inbox = """
        {"now":1800000000,"requests":[{"asked":1799999990,"kind":"instant","exchange":"r1","expires":1800000050}]}
        """

    @Test func `list what waits, with the server's time`() throws {
        let entry = AuthenticatorInbox.Entry(
            exchange: SignInRequest.ID("r1"), kind: .instant, asked: 1_799_999_990, expires: 1_800_000_050)
        let inbox = AuthenticatorInbox(requests: [entry], serverTime: 1_800_000_000)
        #expect(try AuthenticatorInbox(json: Self.inbox) == inbox)
        #expect(try AuthenticatorInbox(json: try inbox.json()) == inbox)
        #expect(try AuthenticatorInbox(json: #"{"now":1,"requests":[]}"#).requests.isEmpty)
        #expect(throws: DecodingError.self) { try AuthenticatorInbox(json: #"{"requests":[]}"#) }
    }

    private func look() -> ApproverLook<InboxLook> {
        ApproverLook(
            exchange: SignInRequest.ID("r1"),
            nonce: DecisionNonce(revealing: "nonce"),
            client: .verified(ClientID("bank")),
            clientName: .verified("The Bank"),
            scope: Scope([.openid]),
            asked: 1_800_000_000,
            expires: 1_800_000_060,
            serverTime: 1_800_000_001,
            accountName: "Anna",
            details: InboxLook(kind: .instant)
        )
    }

    @Test func `say what a request is about, and leave out what is not known`() throws {
        let short = """
            {"account_name":"Anna","asked":1800000000,"auth_type":"instant","client_id":"bank",\
            "client_name":"The Bank","client_name_provenance":"verified","client_provenance":"verified",\
            "exchange":"r1","expires":1800000060,"method":"inbox","nonce":"nonce","now":1800000001,"scope":"openid"}
            """
        #expect(try look().json() == short)
        #expect(try ApproverLook<InboxLook>(json: short) == look())
        var whole = look()
        whole.details.environment = CustomerSiteListing(
            id: CustomerSiteID("2bd57d49-1d1c-4dd9-8f95-a7f2b1ad0f0d"), name: "Bank", iconURL: "https://bank.example/i")
        whole.details.message = "Pay 10 euros"
        whole.details.address = "192.0.2.1"
        var place = AuthenticationRequest.Location()
        place.city = "Breda"
        whole.details.place = place
        whole.details.numberDigits = 2
        whole.details.pin = "12345"
        let json = try whole.json()
        #expect(try ApproverLook<InboxLook>(json: json) == whole)
        for member in [
            #""binding_message":"Pay 10 euros""#, #""address":"192.0.2.1""#, #""geoip":{"city":"Breda"}"#,
            #""number_digits":2"#, #""pin":"12345""#, #""icon_url":"https://bank.example/i""#,
        ] {
            #expect(json.contains(member))
        }
        #expect(throws: DecodingError.self) {
            try ApproverLook<InboxLook>(json: json.replacingOccurrences(of: "instant", with: "other"))
        }
    }

    @Test func `state a decision, with every member in its one form`() throws {
        let claims = DecisionClaims(
            .approve,
            by: .inbox(InboxFinding(number: "07")),
            on: look(),
            shown: AnswerDigest(of: Array("look".utf8)),
            audience: "https://id.example.com",
            issued: 1_800_000_000,
            id: "d1"
        )
        let json = """
            {"aud":"https://id.example.com","dec":"approve","exc":"r1","iat":1800000000,"jti":"d1",\
            "method":"inbox","nonce":"nonce",\
            "num":"07","shown":"\(AnswerDigest(of: Array("look".utf8)))"}
            """
        #expect(try claims.json() == json)
        #expect(try DecisionClaims(json: json) == claims)
        #expect(claims.answer.isApproval && !DecisionClaims.Answer.report.isApproval)
        for (good, bad) in [
            (#""num":"07""#, #""num":"""#), (#""num":"07""#, #""num":"123456789""#), (#""num":"07""#, #""num":"7a""#),
            (#""num":"07""#, #""num":7"#), (#""dec":"approve""#, #""dec":"yes""#), (#""jti":"d1""#, #""jti":"""#),
            (#""dec":"approve""#, #""dec":"remember""#), (#""inbox""#, #""nearby""#), (#""inbox""#, #""other""#),
            (#""aud":"#, #""other":"#), (#""iat":1800000000"#, #""iat":"soon""#),
            (#""num":"07""#, "\"reason\":\"\(String(repeating: "x", count: 201))\""),
        ] {
            #expect(throws: DecodingError.self) {
                try DecisionClaims(json: json.replacingOccurrences(of: good, with: bad))
            }
        }
    }

    @Test func `confirm what was recorded`() throws {
        let response = ApproverDecideResponse(exchange: SignInRequest.ID("r1"), outcome: .reported)
        #expect(try response.json() == #"{"exchange":"r1","outcome":"reported"}"#)
        #expect(try ApproverDecideResponse(json: try response.json()) == response)
    }

    @Test func `ask for a look, a place in an environment, and silence`() throws {
        let look = ApproverLookRequest.inbox(SignInRequest.ID("r1"))
        #expect(look.form.encoded == "method=inbox&request=r1")
        #expect(try ApproverLookRequest(form: look.form) == look)
        let join = CustomerSiteJoinRequest(ticket: EnrollmentTicket(revealing: "fQ3Zr8m1cX0b7Lw2Yk5T9A"))
        #expect(join.form.encoded == "ticket=fQ3Zr8m1cX0b7Lw2Yk5T9A")
        #expect(try CustomerSiteJoinRequest(form: join.form) == join)
        let quiet = AuthenticatorQuietRequest(seconds: 600)
        #expect(quiet.form.encoded == "seconds=600")
        #expect(try AuthenticatorQuietRequest(form: quiet.form) == quiet)
        #expect(AuthenticatorQuietRequest(seconds: 100_000).seconds == 86_400)
        #expect(AuthenticatorQuietRequest(seconds: -1).seconds == 0)
    }

    @Test(arguments: ["", "seconds=", "seconds=-1", "seconds=86401", "seconds=1.5", "seconds=000001", "seconds=%D9%A1"])
    func `ask for no other silence`(body: String) throws {
        let form = try Form(parsing: Array(body.utf8))
        #expect(throws: OAuthError(.invalidRequest, because: "")) { try AuthenticatorQuietRequest(form: form) }
    }

    @Test func `name no request that is missing or too long`() throws {
        let long = String(repeating: "r", count: 129)
        for body in ["", "request=r1", "method=other&request=r1", "method=inbox", "method=inbox&request=\(long)"] {
            let form = try Form(parsing: Array(body.utf8))
            #expect(throws: OAuthError(.invalidRequest, because: "")) { try ApproverLookRequest(form: form) }
            #expect(throws: OAuthError(.invalidRequest, because: "")) { try CustomerSiteJoinRequest(form: form) }
        }
    }
}
