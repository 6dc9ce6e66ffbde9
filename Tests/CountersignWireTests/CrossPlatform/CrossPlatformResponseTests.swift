import Countersign
import CountersignWire
import Foundation
import Testing

/// Standard: ETSI TS 103 407 §8, §9.3. The forms are those that its implementations were seen to send.
@Suite("An answer of Cross-Platform Authentication")
struct CrossPlatformResponseTests {
    private func read<Message: Decodable>(_ text: String, as type: Message.Type = Message.self) throws -> Message {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    private func text(_ message: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(message), as: UTF8.self)
    }

    private static let code = DeviceCode(revealing: "8ecf4b2a-0df2-df7e-fe69-e5b6e0ad5f2e")

    @Test(arguments: [
        (
            AssociationResponse.Shape.code(UserCodeText("7VzbMsXR"), at: "https://ap.example/verify", interval: 5),
            #"{"device_code":"8ecf4b2a-0df2-df7e-fe69-e5b6e0ad5f2e","expires_in":3599,"interval":5,"#
                + #""user_code":"7VzbMsXR","verification_uri":"https://ap.example/verify"}"#
        ),
        (
            .confirmation(at: "https://ap.example", interval: 5),
            #"{"device_code":"8ecf4b2a-0df2-df7e-fe69-e5b6e0ad5f2e","expires_in":3599,"interval":5,"#
                + #""verification_uri":"https://ap.example"}"#
        ),
        (.automatic, #"{"device_code":"8ecf4b2a-0df2-df7e-fe69-e5b6e0ad5f2e","expires_in":3599}"#),
    ])
    func `to an association has one of three shapes`(shape: AssociationResponse.Shape, expected: String) throws {
        let response = AssociationResponse(deviceCode: Self.code, shape: shape, expiresIn: 3599)
        #expect(try text(response) == expected)
        #expect(try read(expected) == response)
    }

    @Test func `to an association with a code and no place to type it is none`() {
        #expect(throws: (any Error).self) {
            try read(#"{"device_code":"x","user_code":"y","expires_in":1}"#, as: AssociationResponse.self)
        }
    }

    @Test func `with a token names its person, or nobody`() throws {
        let client = CrossPlatformTokenResponse(
            accessToken: AccessToken(revealing: "c6e12e96fdfbde7b5d2b6c1e0d2de8b3"),
            expiresIn: 2_591_999,
            domain: Domain("sp.example.com"),
            domainDisplayName: "The \"radio\"",
            userName: nil
        )
        let expected =
            #"{"access_token":"c6e12e96fdfbde7b5d2b6c1e0d2de8b3","domain":"sp.example.com","#
            + #""domain_display_name":"The \"radio\"","expires_in":2591999,"token_type":"bearer"}"#
        #expect(try text(client) == expected)
        #expect(String(decoding: CompactJSON.bytes(of: client), as: UTF8.self) == expected)
        #expect(try read(expected) == client)

        let person: CrossPlatformTokenResponse = try read(
            #"{"access_token":"x","domain":"sp","token_type":"bearer","expires_in":1,"user_name":"Anna","scope":"old"}"#
        )
        #expect(person.userName == "Anna" && person.domainDisplayName == nil)
        #expect(String(decoding: CompactJSON.bytes(of: person), as: UTF8.self) == (try text(person)))
    }

    @Test func `to a registration holds the identity`() throws {
        let response = ClientRegistrationResponse(client: ClientID("407"), secret: ClientSecret(revealing: "b2ed"))
        #expect(try text(response) == #"{"client_id":"407","client_secret":"b2ed"}"#)
        #expect(try read(#"{"client_id":"407","client_secret":"b2ed"}"#) == response)
    }

    @Test(arguments: [
        (#"{"client_id":4}"#, TokenCheckResponse(client: ClientID("4"))),
        (
            #"{"client_id":2,"display_name":"Anna","user_id":"3"}"#,
            TokenCheckResponse(client: ClientID("2"), user: Subject("3"), displayName: "Anna")
        ),
        (
            #"{"client_id":2,"cnf":{"jkt":"0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"}}"#,
            TokenCheckResponse(
                client: ClientID("2"),
                confirmation: KeyThumbprint(parsing: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
                    .map { KeyConfirmation(.proof($0)) }
            )
        ),
        (#"{"client_id":"tv"}"#, TokenCheckResponse(client: ClientID("tv"))),
        (#"{"client_id":9007199254740991}"#, TokenCheckResponse(client: ClientID("9007199254740991"))),
        (#"{"client_id":"007"}"#, TokenCheckResponse(client: ClientID("007"))),
    ])
    func `to a service names the client by a number where it has one`(
        expected: String,
        response: TokenCheckResponse
    ) throws {
        #expect(try text(response) == expected)
        #expect(try read(expected) == response)
    }

    @Test func `to a service may name the person by a number, and must name a client`() throws {
        let response: TokenCheckResponse = try read(#"{"client_id":"5","user_id":3,"photo_url":null}"#)
        #expect(response == TokenCheckResponse(client: ClientID("5"), user: Subject("3")))
        #expect(throws: (any Error).self) { try read(#"{"user_id":"3"}"#, as: TokenCheckResponse.self) }
        #expect(throws: (any Error).self) { try read(#"{"client_id":null}"#, as: TokenCheckResponse.self) }
        for confirmation in [#""key""#, #"{"jkt":"short"}"#, "[]"] {
            let text = #"{"client_id":1,"cnf":\#(confirmation)}"#
            #expect(throws: (any Error).self) { try read(text, as: TokenCheckResponse.self) }
        }
    }

    @Test func `that says no holds a word, and keeps the reason to itself`() throws {
        let error = CrossPlatformError(.slowDown, "asked too early", retryIn: 4, because: "a secret")
        #expect(
            try text(CrossPlatformErrorResponse(error))
                == #"{"error":"slow_down","error_description":"asked too early","retry_in":4}"#
        )
        #expect(
            try text(CrossPlatformErrorResponse(CrossPlatformError(.unauthorized, because: "x")))
                == #"{"error":"unauthorized"}"#)
        #expect(try text(PendingResponse.authorizationPending) == #"{"reason":"authorization_pending"}"#)
    }
}
