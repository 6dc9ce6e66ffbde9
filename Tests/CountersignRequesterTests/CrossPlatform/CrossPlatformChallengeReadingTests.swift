import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

@Suite("A service's answer")
struct CrossPlatformChallengeReadingTests {
    @Test func `names the provider whose tokens it takes`() throws {
        var fields: HTTPFields = [.wwwAuthenticate: "Basic realm=\"old\""]
        fields.append(
            HTTPField(
                name: .wwwAuthenticate,
                value: #"CPA version="1.0" name="Our AP" uri="https://login.example.org/ap" modes="client,user""#
            )
        )
        let challenge = try #require(CrossPlatformChallenge(in: fields))
        #expect(challenge.modes == [.client, .user])
        #expect(try challenge.address() == Issuer("https://login.example.org/ap"))
    }

    @Test func `names none`() {
        #expect(CrossPlatformChallenge(in: [.wwwAuthenticate: "Bearer"]) == nil)
        #expect(CrossPlatformChallenge(in: [:]) == nil)
    }

    @Test(arguments: [
        ("http://login.example.org", SignInError.Code.insecureEndpoint), ("nonsense", .badAnswer),
        ("javascript:alert(1)", .badAnswer), ("https://a.example/?x=y", .badAnswer),
    ])
    func `does not lead where nobody should go`(uri: String, code: SignInError.Code) {
        let challenge = CrossPlatformChallenge(name: "AP", uri: uri, modes: [.user])
        #expect(throws: SignInError(code, because: "")) { try challenge.address() }
    }

    @Test func `may lead to a provider without encryption when that is allowed by name`() throws {
        let challenge = CrossPlatformChallenge(name: "AP", uri: "http://login.example.org", modes: [.user])
        #expect(try challenge.address(allowingInsecureHTTP: true).text == "http://login.example.org")
    }
}
