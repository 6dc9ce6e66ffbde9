import Countersign
import CountersignWire
import Foundation
import Testing

@Suite("The metadata of a client")
struct ClientMetadataTests {
    @Test func `are those of RFC 7591`() throws {
        let metadata = try ClientMetadata(parsing: RFC7591.request.utf8)
        #expect(
            metadata.redirectURIs == ["https://client.example.org/callback", "https://client.example.org/callback2"])
        #expect(metadata.clientName == "My Example Client")
        #expect(metadata.tokenEndpointAuthMethod == "client_secret_basic")
        #expect(metadata.keysURI == "https://client.example.org/my_public_keys.jwks")
        #expect(metadata.grantTypes == nil)
    }

    @Test func `come back with what the server adds, as RFC 7592 has it`() throws {
        let information = try JSONDecoder().decode(ClientInformation.self, from: Data(RFC7592.answer.utf8))
        #expect(information.client == ClientID("s6BhdRkqt3"))
        #expect(information.secret == ClientSecret(revealing: "cf136dc3c1fc93f31185e5885805d"))
        #expect(information.issued == 2_893_256_800)
        #expect(information.token == AccessToken(revealing: "reg-23410913-abewfq.123483"))
        #expect(information.configurationURI == "https://server.example.com/register/s6BhdRkqt3")
        #expect(information.metadata.grantTypes == [.authorizationCode, .refreshToken])
    }

    @Test func `replace others as RFC 7592 has it`() throws {
        let request = try ClientUpdateRequest(parsing: RFC7592.update.utf8)
        #expect(request.client == ClientID("s6BhdRkqt3"))
        #expect(request.secret == ClientSecret(revealing: "cf136dc3c1fc93f31185e5885805d"))
        #expect(request.metadata.clientName == "My New Example")
    }

    @Test(arguments: [
        ("{\"client_name\":1}", "the member client_name has another form"),
        ("{\"jwks\":{\"keys\":1}}", "the member jwks has another form"),
        ("\"text\"", "the body must be a JSON object"), ("", "the body must be a JSON object"),
    ])
    func `are refused with the member that has another form`(json: String, description: String) {
        let error = #expect(throws: OAuthError.self) { try ClientMetadata(parsing: json.utf8) }
        #expect(error?.code == .invalidClientMetadata)
        #expect(error?.description == description)
    }
}
