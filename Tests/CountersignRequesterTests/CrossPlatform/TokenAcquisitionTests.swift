import Countersign
import CountersignWire
import Testing

@testable import CountersignRequester

@Suite("The way to a token")
struct TokenAcquisitionTests {
    let identity = CrossPlatformIdentity(client: ClientID("407"), secret: ClientSecret(revealing: "secret"))
    let other = CrossPlatformIdentity(client: ClientID("408"), secret: ClientSecret(revealing: "secret"))
    let unknown = SignInError(
        CrossPlatformErrorResponse(CrossPlatformError(.invalidClient, "gone", because: ""))
    )

    @Test func `begins with an identity`() {
        #expect(TokenAcquisition(of: .user).first == .identify(insteadOf: nil))
    }

    @Test(arguments: [nil, CrossPlatformToken.TokenType.client, .user])
    func `to the device's own leads past nobody`(held: CrossPlatformToken.TokenType?) {
        var acquisition = TokenAcquisition(of: .client)
        #expect(acquisition.identified(identity, holding: held.map(token)) == .askAsItself(identity))
        #expect(acquisition.kept(token(.client)) == .finish(token(.client)))
    }

    @Test func `is at its end with whatever came, when the device's own was wanted`() {
        var acquisition = TokenAcquisition(of: .client)
        _ = acquisition.identified(identity, holding: nil)
        #expect(acquisition.kept(token(.user)) == .finish(token(.user)))
    }

    @Test(arguments: [nil, CrossPlatformToken.TokenType.client])
    func `to a person's leads past the person`(held: CrossPlatformToken.TokenType?) {
        var acquisition = TokenAcquisition(of: .user)
        #expect(acquisition.identified(identity, holding: held.map(token)) == .askPerson(identity))
        #expect(acquisition.kept(token(.user)) == .finish(token(.user)))
    }

    @Test func `to a person's that is held leads past nobody`() {
        var acquisition = TokenAcquisition(of: .user)
        #expect(acquisition.identified(identity, holding: token(.user)) == .askAsItself(identity))
        #expect(acquisition.kept(token(.user)) == .finish(token(.user)))
    }

    @Test func `leads past the person when another identity got the token that is held`() {
        var acquisition = TokenAcquisition(of: .user)
        #expect(acquisition.identified(other, holding: token(.user)) == .askPerson(other))
    }

    @Test func `leads past the person when the provider gives no person's token any more`() {
        var acquisition = TokenAcquisition(of: .user)
        _ = acquisition.identified(identity, holding: token(.user))
        #expect(acquisition.kept(token(.client)) == .askPerson(identity))
        #expect(acquisition.kept(token(.client)) == .finish(token(.client)))
    }

    @Test func `begins anew once, when the device is not known`() {
        var acquisition = TokenAcquisition(of: .client)
        _ = acquisition.identified(identity, holding: nil)
        #expect(acquisition.failed(unknown) == .identify(insteadOf: identity.client))
        #expect(acquisition.identified(other, holding: nil) == .askAsItself(other))
        #expect(acquisition.failed(unknown) == .fail(unknown))
    }

    @Test(arguments: [SignInError.Code.denied, .expired, .refused, .clientRefused, .notReachable, .cancelled])
    func `ends by any other failure`(code: SignInError.Code) {
        var acquisition = TokenAcquisition(of: .user)
        _ = acquisition.identified(identity, holding: nil)
        let error = SignInError(code, because: "")
        #expect(acquisition.failed(error) == .fail(error))
        guard case .fail = acquisition.kept(token(.user)) else {
            Issue.record("it went on")
            return
        }
    }

    @Test func `looks once for an approval whose answer was lost`() {
        var acquisition = TokenAcquisition(of: .user)
        let lost = SignInError(.answerLost, because: "")
        _ = acquisition.identified(identity, holding: nil)
        #expect(acquisition.failed(lost) == .askAsItself(identity))
        #expect(acquisition.kept(token(.client)) == .askPerson(identity))
        #expect(acquisition.failed(lost) == .fail(lost))
    }

    @Test func `ends when there is no identity to be had`() {
        var acquisition = TokenAcquisition(of: .user)
        #expect(acquisition.failed(unknown) == .fail(unknown))
    }

    private func token(_ type: CrossPlatformToken.TokenType) -> CrossPlatformToken {
        CrossPlatformToken(
            type: type,
            accessToken: AccessToken(revealing: "token"),
            domain: Domain("radio.example"),
            domainDisplayName: nil,
            userName: type == .user ? "Anna" : nil,
            expires: nil,
            client: identity.client
        )
    }
}
