import Countersign
import CountersignWire
import Foundation
import Testing

/// Standard: ETSI TS 103 407 §8.2, §8.3, §8.4.1, §9.2.
@Suite("A request of Cross-Platform Authentication")
struct CrossPlatformRequestTests {
    private func members(_ text: String) throws -> TextMembers { try TextMembers(parsing: Array(text.utf8)) }

    private func members(of message: some Encodable) throws -> TextMembers {
        try TextMembers(parsing: JSONEncoder().encode(message))
    }

    private static let token = "\"client_id\":\"17\",\"client_secret\":\"s\",\"domain\":\"sp.example.com\""

    @Test func `is read as it was written`() throws {
        let registration = ClientRegistrationRequest(clientName: "Küche 📻", softwareID: "a.b", softwareVersion: "1.0")
        #expect(try ClientRegistrationRequest(members: members(of: registration)) == registration)
        let (client, secret, domain) = (ClientID("17"), ClientSecret(revealing: "s/e"), Domain("sp.example.com:80"))
        let association = AssociationRequest(client: client, secret: secret, domain: domain)
        #expect(try AssociationRequest(members: members(of: association)) == association)
        for grant in [CrossPlatformTokenRequest.Grant.clientCredentials, .deviceCode(DeviceCode(revealing: "d"))] {
            let token = CrossPlatformTokenRequest(client: client, secret: secret, domain: domain, grant: grant)
            #expect(try CrossPlatformTokenRequest(members: members(of: token)) == token)
        }
        let check = TokenCheckRequest(accessToken: AccessToken(revealing: "t"), domain: domain)
        #expect(try TokenCheckRequest(members: members(of: check)) == check)
    }

    @Test(arguments: [
        "{}", #"{"client_name":"a","software_id":"b"}"#,
        #"{"client_name":"","software_id":"b","software_version":"c"}"#,
        #"{"client_name":"a","software_id":"b","software_version":"c","scope":""}"#,
    ])
    func `to be registered has three texts, and no other`(text: String) throws {
        let members = try members(text)
        #expect(throws: CrossPlatformError(.invalidRequest, because: "")) {
            try ClientRegistrationRequest(members: members)
        }
    }

    @Test(arguments: [
        "{\(token),\"user_code\":\"x\"}", #"{"client_id":"17","client_secret":"s"}"#, #"{"domain":"sp"}"#,
    ])
    func `to be associated has three texts, and no other`(text: String) throws {
        let members = try members(text)
        #expect(throws: CrossPlatformError(.invalidRequest, because: "")) { try AssociationRequest(members: members) }
    }

    @Test(arguments: [
        "{\(token)}", "{\(token),\"grant_type\":\"client_credentials\"}", "{\(token),\"grant_type\":\"\"}",
        "{\(token),\"grant_type\":\"http://tech.ebu.ch/cpa/1.0/device_code\"}",
        "{\(token),\"grant_type\":\"http://tech.ebu.ch/cpa/1.0/client_credentials\",\"device_code\":\"d\"}",
        "{\(token),\"grant_type\":\"http://tech.ebu.ch/cpa/1.0/client_credentials\",\"refresh_token\":\"d\"}",
        "{\"domain\":\"sp\",\"grant_type\":\"http://tech.ebu.ch/cpa/1.0/client_credentials\"}",
    ])
    func `for a token has what its grant needs, and no other`(text: String) throws {
        let members = try members(text)
        #expect(throws: CrossPlatformError(.invalidRequest, because: "")) {
            try CrossPlatformTokenRequest(members: members)
        }
    }

    @Test func `tells a client nothing of what a stranger wrote`() throws {
        let members = try members("{\(Self.token),\"<script>\":\"x\"}")
        do {
            _ = try AssociationRequest(members: members)
        } catch {
            #expect(error.description?.contains("script") == false)
            #expect(error.reason.contains("script"))
        }
    }

    @Test func `hides its secrets from whoever prints it`() {
        let secret = ClientSecret(revealing: "hidden")
        let request = CrossPlatformTokenRequest(
            client: ClientID("17"),
            secret: secret,
            domain: Domain("sp"),
            grant: .deviceCode(DeviceCode(revealing: "hidden"))
        )
        #expect(!"\(request)".contains("hidden"))
        #expect(
            !"\(TokenCheckRequest(accessToken: AccessToken(revealing: "hidden"), domain: Domain("sp")))".contains(
                "hidden"))
    }
}
