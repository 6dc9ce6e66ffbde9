import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

@Suite("An authorization provider, to an app")
struct CrossPlatformProviderTests {
    let provider = SmallProvider()
    let radio = SmallProvider.radio
    let tv = SmallProvider.tv

    @Test func `gives a token to the device itself, and asks nobody`() async throws {
        let app = CrossPlatformApp(at: provider)
        let screen = RecordingPresentation()
        let token = try await app.provider().requestToken(for: radio, ofType: .client, presenting: screen)
        #expect(token.type == .client)
        #expect(token.accessToken.revealed == "token-1")
        #expect(token.domainDisplayName == "The service at radio.example")
        #expect(token.expires == app.clock.date + 3_600)
        #expect(await screen.calls.isEmpty)
        #expect(provider.asked == ["/register", "/token radio.example"])
    }

    @Test func `gives a person's token once the person has approved`() async throws {
        let app = CrossPlatformApp(at: provider)
        let screen = RecordingPresentation()
        let token = try await app.provider().requestToken(for: radio, ofType: .user, presenting: screen)
        #expect(token.type == .user)
        #expect(token.userName == "Anna")
        #expect(await screen.calls == [.show(UserCodeText("AfZQNVkR")), .dismiss])
        #expect(provider.asked == ["/register", "/associate radio.example", "/token radio.example"])
    }

    @Test func `gives a person's token also when it does not say whose it is, and renews it without asking again`()
        async throws
    {
        provider.change { $0.namesPeople = false }
        let app = CrossPlatformApp(at: provider)
        let screen = RecordingPresentation()
        let token = try await app.provider().requestToken(for: radio, ofType: .user, presenting: screen)
        #expect(token.type == .user)
        #expect(token.userName == nil)
        #expect(try await app.provider().token(for: radio) == token)
        #expect(try await app.provider().requestToken(for: radio, ofType: .user, renewing: .ifNeeded) == token)
        let renewed = try await app.provider().requestToken(for: radio, ofType: .user)
        #expect(renewed.type == .user)
        #expect(await screen.calls == [.show(UserCodeText("AfZQNVkR")), .dismiss])
        #expect(
            provider.asked == ["/register", "/associate radio.example", "/token radio.example", "/token radio.example"])
    }

    @Test func `has its token read without a network`() async throws {
        let app = CrossPlatformApp(at: provider)
        let token = try await app.provider().requestToken(for: radio, ofType: .client)
        let requests = provider.asked.count
        #expect(try await app.provider().token(for: radio) == token)
        #expect(try await app.provider().token(for: tv) == nil)
        #expect(try await app.provider().tokens() == [token])
        #expect(provider.asked.count == requests)
    }

    @Test func `has its token read while a request is under way`() async throws {
        let app = CrossPlatformApp(at: provider)
        let first = try await app.provider().requestToken(for: radio, ofType: .client)
        provider.change { $0.person = .sleeps }
        let screen = RecordingPresentation()
        let waiting = try app.provider(clock: app.clock.source)
        let running = Task { try await waiting.requestToken(for: radio, ofType: .user, presenting: screen) }
        await screen.shown()
        #expect(try await waiting.token(for: radio) == first)
        running.cancel()
        _ = await running.result
    }

    @Test func `renews a token each time it is asked`() async throws {
        let app = CrossPlatformApp(at: provider)
        let first = try await app.provider().requestToken(for: radio, ofType: .client)
        let second = try await app.provider().requestToken(for: radio, ofType: .client)
        #expect(second.accessToken != first.accessToken)
        #expect(try await app.provider().token(for: radio) == second)
        #expect(provider.asked == ["/register", "/token radio.example", "/token radio.example"])
    }

    @Test func `renews a person's token without the person`() async throws {
        let app = CrossPlatformApp(at: provider)
        _ = try await app.provider().requestToken(for: radio, ofType: .user, presenting: RecordingPresentation())
        let screen = RecordingPresentation()
        let renewed = try await app.provider().requestToken(for: radio, ofType: .user, presenting: screen)
        #expect(renewed.type == .user)
        #expect(renewed.accessToken.revealed == "token-2")
        #expect(await screen.calls.isEmpty)
    }

    @Test func `is not asked while the token that is kept will do`() async throws {
        let app = CrossPlatformApp(at: provider)
        let first = try await app.provider().requestToken(for: radio, ofType: .client)
        app.clock.advance(by: .seconds(3_500))
        let same = try await app.provider().requestToken(for: radio, ofType: .client, renewing: .ifNeeded)
        #expect(same == first)
        app.clock.advance(by: .seconds(80))
        let next = try await app.provider().requestToken(for: radio, ofType: .client, renewing: .ifNeeded)
        #expect(next.accessToken != first.accessToken)
    }

    @Test func `makes a person's token of a device's own`() async throws {
        let app = CrossPlatformApp(at: provider)
        _ = try await app.provider().requestToken(for: radio, ofType: .client)
        let upgraded = try await app.provider()
            .requestToken(for: radio, ofType: .user, presenting: RecordingPresentation(), renewing: .ifNeeded)
        #expect(upgraded.type == .user)
        #expect(try await app.provider().tokens() == [upgraded])
        #expect(provider.registrations == 1)
    }

    @Test func `may answer with a person's token where the device's own was asked, and that is what it is`()
        async throws
    {
        let app = CrossPlatformApp(at: provider)
        _ = try await app.provider().requestToken(for: radio, ofType: .user, presenting: RecordingPresentation())
        let token = try await app.provider().requestToken(for: radio, ofType: .client)
        #expect(token.type == .user)
        #expect(try await app.provider().token(for: radio)?.type == .user)
    }

    @Test func `asks the person again who has signed the device out`() async throws {
        let app = CrossPlatformApp(at: provider)
        _ = try await app.provider().requestToken(for: radio, ofType: .user, presenting: RecordingPresentation())
        provider.change { $0.tied["1"] = nil }
        let screen = RecordingPresentation()
        let token = try await app.provider().requestToken(for: radio, ofType: .user, presenting: screen)
        #expect(token.type == .user)
        #expect(await screen.calls == [.show(UserCodeText("AfZQNVkR")), .dismiss])
    }

    @Test func `signs a person on at a second service without a page`() async throws {
        provider.change { $0.signsOnAutomatically = true }
        let app = CrossPlatformApp(at: provider)
        _ = try await app.provider().requestToken(for: radio, ofType: .user, presenting: RecordingPresentation())
        let screen = RecordingPresentation()
        let token = try await app.provider().requestToken(for: tv, ofType: .user, presenting: screen)
        #expect(token.domain == tv)
        #expect(token.type == .user)
        #expect(await screen.calls.isEmpty)
        #expect(provider.asked.suffix(2) == ["/associate tv.example", "/token tv.example"])
    }

    @Test func `has a second service confirmed without a code`() async throws {
        provider.change { $0.isConfirmed = true }
        let app = CrossPlatformApp(at: provider)
        _ = try await app.provider().requestToken(for: radio, ofType: .user, presenting: RecordingPresentation())
        let screen = RecordingPresentation { page in
            #expect(page.invitation.verificationURIComplete == page.invitation.verificationURI)
        }
        let token = try await app.provider().requestToken(for: tv, ofType: .user, presenting: screen)
        #expect(token.type == .user)
        #expect(await screen.calls == [.show(nil), .dismiss])
    }

    @Test func `is told apart from another provider`() async throws {
        let (here, there) = (CrossPlatformApp(at: provider), SmallProvider())
        let token = try await here.provider().requestToken(for: radio, ofType: .client)
        let other = CrossPlatformProvider(
            at: try Issuer("https://other.example/ap"),
            as: try here.provider().software,
            keepingTokensIn: here.store,
            in: RequesterContext(over: there, clock: here.clock.skipping, random: .system)
        )
        #expect(try await other.token(for: radio) == nil)
        let theirs = try await other.requestToken(for: radio, ofType: .client)
        try await other.discardIdentity()
        #expect(try await other.tokens().isEmpty)
        #expect(try await here.provider().tokens() == [token])
        #expect(theirs.accessToken.revealed == "token-1")
        #expect(try await here.store.identity(for: .crossPlatformIdentity(at: here.provider().address)) != nil)
    }

    @Test func `forgets one token, or the device`() async throws {
        let app = CrossPlatformApp(at: provider)
        let kept = try app.provider()
        _ = try await kept.requestToken(for: radio, ofType: .client)
        let other = try await kept.requestToken(for: tv, ofType: .client)
        try await kept.discardToken(for: radio)
        #expect(try await kept.tokens() == [other])
        try await kept.discardIdentity()
        #expect(await app.store.keys().isEmpty)
        _ = try await kept.requestToken(for: radio, ofType: .client)
        #expect(provider.registrations == 2)
    }

    @Test func `can be the one that the whole app uses`() throws {
        let app = CrossPlatformApp(at: provider)
        let (one, other) = (try app.provider(), try app.provider())
        #expect(CrossPlatformProvider.setDefault(one) == nil)
        #expect(CrossPlatformProvider.default === one)
        #expect(CrossPlatformProvider.setDefault(other) === one)
        #expect(CrossPlatformProvider.setDefault(nil) === other)
        #expect(CrossPlatformProvider.default == nil)
    }

    @Test(arguments: ["https://radio.example", "radio.example/path", "", "radio.example:", "a b"])
    func `is not asked about what is no domain`(text: String) async throws {
        let app = CrossPlatformApp(at: provider)
        await #expect(throws: SignInError(.domainRefused, because: "")) {
            try await app.provider().requestToken(for: Domain(text), ofType: .client)
        }
        #expect(provider.asked.isEmpty)
    }
}
