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

    @Test func `name the way of a request and its screen, and a later server's ways are none`() throws {
        var look = look()
        look.details = InboxLook(kind: .instant, channel: .deviceCode, deviceName: "Kitchen TV")
        let json = try look.json()
        #expect(json.contains(#""channel":"device_code""#) && json.contains(#""device_name":"Kitchen TV""#))
        #expect(try ApproverLook<InboxLook>(json: json) == look)
        let later = json.replacingOccurrences(of: "device_code", with: "telepathy")
        #expect(try ApproverLook<InboxLook>(json: later).details.channel == nil)
    }

    @Test func `name the conditions for an approval, and leave out what is not so`() throws {
        var look = look()
        look.details.approval = ApprovalConditions()
        #expect(try look.json().contains(#""approval":{}"#))
        var conditions = ApprovalConditions()
        conditions.obstacle = .secondFactor
        conditions.isVerificationEnough = true
        conditions.sessionTerms = [.own, .quarterHour]
        conditions.isRemembered = true
        look.details.approval = conditions
        look.details.software = "Firefox, Linux"
        let json = try look.json()
        for member in [
            #""obstacle":"second_factor""#, #""uv_suffices":true"#, #""session_terms":["own","15m"]"#,
            #""remembered":true"#, #""software":"Firefox, Linux""#,
        ] {
            #expect(json.contains(member), "\(json)")
        }
        #expect(try ApproverLook<InboxLook>(json: json) == look)
        // A later server may know more of them.
        let later = json.replacingOccurrences(of: "second_factor", with: "retina")
            .replacingOccurrences(of: "15m", with: "1w")
        let read = try ApproverLook<InboxLook>(json: later).details.approval
        #expect(read?.obstacle == .other && read?.sessionTerms == [.own])
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
            (#""num":"07""#, #""num":"""#), (#""num":"07""#, #""num":"7""#), (#""num":"07""#, #""num":"077""#),
            (#""num":"07""#, #""num":"7a""#),
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

    @Test func `state with an approval for how long it is, if the person chose that`() throws {
        var claims = DecisionClaims(
            .approve,
            by: .inbox(InboxFinding()),
            on: look(),
            shown: AnswerDigest(of: Array("look".utf8)),
            audience: "https://id.example.com",
            issued: 1_800_000_000,
            id: "d1"
        )
        for term in SessionTerm.allCases {
            claims.session = term
            let json = try claims.json()
            #expect(json.contains(#""session":"\#(term.rawValue)""#))
            #expect(try DecisionClaims(json: json) == claims)
            for (good, bad) in [
                (#""dec":"approve""#, #""dec":"deny""#), (#""\#(term.rawValue)""#, #""2h""#),
                (#""\#(term.rawValue)""#, "900"),
            ] {
                #expect(throws: DecodingError.self) {
                    try DecisionClaims(json: json.replacingOccurrences(of: good, with: bad))
                }
            }
        }
    }

    @Test func `say to the person who answered a request where they did`() throws {
        let error = OAuthError(.invalidGrant, "it is decided", because: "")
        let place = AnswerPlace(.device, named: "Anna’s phone", answered: Date(timeIntervalSince1970: 1_800_000_000))
        let response = ApproverErrorResponse(error, answeredBy: place)
        let member = #""answered_by":{"at":1800000000,"name":"Anna’s phone","place":"device"},"#
        let json = #"{\#(member)"error":"invalid_grant","error_description":"it is decided"}"#
        #expect(try response.json() == json)
        #expect(try ApproverErrorResponse(json: json) == response)
        #expect(try OAuthErrorResponse(json: json).error == .invalidGrant)
        let plain = ApproverErrorResponse(error)
        #expect(try plain.json() == json.replacingOccurrences(of: member, with: ""))
        // A place that is not known says as little as none.
        for bad in [#""place":"moon""#, #""place":7"#, #""elsewhere":1"#] {
            let other = json.replacingOccurrences(of: #""place":"device""#, with: bad)
            #expect(try ApproverErrorResponse(json: other) == plain)
        }
    }

    static let places: [(AnswerPlace.Kind, String?, String)] = [
        (.device, "the phone", "on the phone"), (.device, nil, "on another device"),
        (.browser, "Firefox, Linux", "in the browser Firefox, Linux"), (.browser, nil, "in a browser"),
        (.textMessage, nil, "by the link in a text message"),
    ]

    @Test(arguments: places)
    func `name a place in words`(kind: AnswerPlace.Kind, name: String?, words: String) {
        let place = AnswerPlace(kind, named: name, answered: Date(timeIntervalSince1970: 0))
        #expect("\(place)" == words)
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

    @Test func `gives a code for a screen in the clear, with its lifetime`() throws {
        let json = #"{"expires_in":120,"person_code":"12345678"}"#
        let message = try JSONDecoder().decode(PersonCodeResponse.self, from: Data(json.utf8))
        #expect(message == PersonCodeResponse(code: PersonCode(revealing: "12345678"), expiresIn: 120))
        #expect(message.code.grouped == "1234 5678")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(message), as: UTF8.self) == json)
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
