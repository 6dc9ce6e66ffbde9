import Countersign
import CountersignTesting
import CountersignWire
import FoundationEssentialsCompat
import HTTPTypes
import Testing

@testable import CountersignRequester

@Suite("The ways of a sign-in", .timeLimit(.minutes(10)))
struct WayRaceTests {
    private static let link = NearbyLinkID(restoring: [UInt8](repeating: 7, count: 32)).description
    private static let all: Set<SignInWay> = [.nearby, .browser, .push, .code]

    @Test(arguments: BrowserPlace.allCases)
    func `lead the browser or the app of this device to the request, and name the link that it brings back`(
        place: BrowserPlace
    ) async throws {
        let server = try ScriptedServer(.silence, ScriptedServer.granted())
        server.allow([.browser, .code])
        let browser = ScriptedBrowser(at: place)
        let signIn = server.signIn(on: .with(browser)) { $0.wait = WaitPreference(seconds: 30) }
        let task = Task { await signIn.iterated() }
        await browser.isOpened()
        await server.transport.requests(to: "/token")
        #expect(server.asked.first?["redirect_uri"] == ScriptedBrowser.redirectURI)
        #expect(await browser.comeBack(server.approval(over: Self.link)))

        let result = await task.value
        #expect(result.signedIn?.accessToken == AccessToken(revealing: "access-1"))
        #expect(browser.opened.map(\.absoluteString) == [ScriptedServer.page])
        #expect(browser.ends == 1)
        #expect(server.transport.sent(to: "/token").map { $0.form["nearby_link"] } == [nil, Self.link])
        #expect(result.events.contains(.began(.browser)))
        #expect(result.events.contains { if case .opened(_, in: place) = $0 { true } else { false } })
        #expect(server.withdrawn.isEmpty)
    }

    @Test func `ignore a browser that comes back with anything else`() async throws {
        let server = try ScriptedServer(.silence)
        server.allow([.browser])
        let browser = ScriptedBrowser()
        let signIn = server.signIn(on: .with(browser)) { $0.ways = [.browser] }
        let task = Task { await signIn.iterated() }
        await browser.isOpened()
        let good = server.approval(over: Self.link)
        for query in [
            "", "link=\(Self.link)", good.replacing("state=", with: "state=x"),
            good.replacing("id.example.com", with: "evil.example"), "\(good)&state=again",
            "\(good)&error=access_denied",
            good.replacing(Self.link, with: "short"),
        ] {
            #expect(await !browser.comeBack(query), "\(query)")
        }
        #expect(await !browser.comeBack(good, to: "http://127.0.0.1:49152/other"))
        task.cancel()
        #expect(await task.value.error == SignInError(.cancelled, because: ""))
        #expect(server.transport.sent(to: "/token").allSatisfy { $0.form["nearby_link"] == nil })
        #expect(server.withdrawn == ["first-code"] && browser.ends == 1)
    }

    @Test func `end with a refusal in the browser when it is the only way`() async throws {
        let server = try ScriptedServer(.silence)
        server.allow([.browser, .code])
        let browser = ScriptedBrowser()
        let signIn = server.signIn(on: .with(browser)) { $0.ways = [.browser] }
        let task = Task { await signIn.iterated() }
        await browser.isOpened()
        let state = server.asked.first?["state"] ?? ""
        await browser.comeBack("iss=https%3A%2F%2Fid.example.com&state=\(state)&error=access_denied")
        let result = await task.value
        #expect(result.error == SignInError(.denied, because: "") && result.finals == 1)
        #expect(result.events.contains(.ended(.browser, SignInError(.denied, because: ""))))
    }

    @Test(arguments: [true, false])
    func `go on with the code at once when the browser is of no use`(isReachable: Bool) async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        server.allow([.browser, .code])
        let browser = ScriptedBrowser(at: nil, isReachable: isReachable)
        let signIn = server.signIn(on: .with(browser), clock: server.clock.source)
        let (shown, show) = AsyncStream.makeStream(of: Void.self)
        let task = Task { await signIn.iterated { if case .invitation = $0 { show.finish() } } }
        for await _ in shown {}
        await server.clock.sleepers(1)
        server.clock.advance(by: .seconds(5))
        let result = await task.value
        #expect(result.signedIn != nil)
        #expect(result.events.contains(.ended(.browser, SignInError(.browserNotOpened, because: ""))))
        #expect((server.asked.first?["redirect_uri"] == nil) == !isReachable)
    }

    @Test func `show the code when the person closes the page`() async throws {
        let server = try ScriptedServer(.silence)
        server.allow([.browser, .code])
        let browser = ScriptedBrowser()
        let signIn = server.signIn(on: .with(browser), clock: server.clock.source)
        let (shown, show) = AsyncStream.makeStream(of: Void.self)
        let task = Task { await signIn.iterated { if case .invitation = $0 { show.finish() } } }
        await browser.isOpened()
        browser.close()
        for await _ in shown {}
        task.cancel()
        #expect(await task.value.finals == 1)
    }

    @Test func `ask the remembered person, poll at once, and show the number`() async throws {
        let number = OAuthErrorResponse(
            OAuthError(.authorizationPending, because: "scripted"), showing: VerificationNumber("42"))
        let server = try ScriptedServer(.json(number, status: .badRequest), ScriptedServer.granted())
        server.allow([.push, .code])
        let start = server.clock.date
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let signIn = server.signIn(on: .with(remembering: "an-id-token"), clock: server.clock.source) {
            $0.showsNumber = true
        }
        let task = Task { await signIn.iterated { if case .verificationNumber = $0 { ask.finish() } } }
        for await _ in asked {}
        #expect(server.clock.date == start)
        #expect(server.asked.first?["id_token_hint"] == "an-id-token")
        await server.clock.sleepers(2)
        server.clock.advance(by: .seconds(5))
        let result = await task.value
        #expect(result.signedIn != nil)
        #expect(result.events.contains(.began(.push)))
        #expect(result.events.contains(.verificationNumber(VerificationNumber("42"))))
    }

    @Test func `show the code after a delay`() async throws {
        let server = try ScriptedServer(.silence)
        server.allow([.push, .code])
        let (shown, show) = AsyncStream.makeStream(of: Void.self)
        let signIn = server.signIn(on: .with(remembering: "an-id-token"), clock: server.clock.source)
        let task = Task { await signIn.iterated { if case .invitation = $0 { show.finish() } } }
        await server.transport.requests(to: "/token")
        await server.clock.sleepers(1)
        server.clock.advance(by: .seconds(2))
        #expect(server.clock.sleeping == 1)
        server.clock.advance(by: .seconds(1))
        for await _ in shown {}
        task.cancel()
        let result = await task.value
        #expect(result.error == SignInError(.cancelled, because: ""))
        #expect(server.withdrawn == ["first-code"])
    }

    @Test func `are the code alone at a server that names none`() async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        let browser = ScriptedBrowser()
        let result = await server.signIn(on: .with(browser, remembering: "an-id-token")).iterated()
        #expect(result.signedIn != nil && browser.opened.isEmpty && browser.ends == 1)
        #expect(result.events.contains { if case .invitation = $0 { true } else { false } })
        #expect(!result.events.contains(.began(.push)))
    }

    @Test func `fail when the server allows none of those that the app chose`() async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        server.allow([.code])
        let signIn = server.signIn(on: .with(ScriptedBrowser())) { $0.ways = [.browser] }
        let result = await signIn.iterated()
        #expect(result.error == SignInError(.wayNotAllowed, because: "") && result.finals == 1)
        let sentence = try #require(result.error?.sentence)
        #expect(sentence.contains("http://127.0.0.1/callback is no redirect URI of this app there"), "\(sentence)")
        #expect(sentence.hasSuffix("Choose another way: code."))
        #expect(server.withdrawn == ["first-code"])
    }

    @Test func `fail with a word about the way where it is no browser`() async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        server.allow([.code])
        let signIn = server.signIn(on: .with(remembering: "an-id-token")) { $0.ways = [.push] }
        let error = await signIn.iterated().error
        #expect(error?.sentence == "The server does not allow ‘push’ for this. Choose another way: code.")
    }

    @Test func `say that the remembered person is not asked, and show the code`() async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        server.remember(allowing: [.code])
        let screen = SignInScreen.with(remembering: "an-id-token")
        let result = await server.signIn(on: screen) { $0.showsNumber = true }.iterated()
        let told = try #require(result.events.firstIndex(of: .ended(.push, SignInError(.notAsked, because: ""))))
        let shown = try #require(result.events.firstIndex { if case .invitation = $0 { true } else { false } })
        #expect(told < shown && result.signedIn != nil)
        // A screen without numbers is no reason to speak of a mute.
        let quiet = await server.signIn(on: screen).iterated()
        #expect(!quiet.events.contains { if case .ended = $0 { true } else { false } })
    }

    @Test func `are too weak where the server says so`() async throws {
        let server = try ScriptedServer()
        server.transport.reply(at: "/device_authorization", with: .error(.unmetAuthenticationRequirements))
        let result = await server.signIn().iterated()
        #expect(result.error == SignInError(.strongerWayNeeded, because: ""))
    }

    @Test func `end with the first decision: the code is quicker than the open browser`() async throws {
        let server = try ScriptedServer(.error(.authorizationPending), ScriptedServer.granted())
        server.allow(Self.all)
        let browser = ScriptedBrowser()
        let result = await server.signIn(on: .with(browser, remembering: "an-id-token")).iterated()
        #expect(result.signedIn != nil && result.finals == 1 && browser.ends == 1)
        // A late answer has no effect.
        await browser.comeBack(server.approval(over: Self.link))
        #expect(server.withdrawn.isEmpty)
    }

    @Test(arguments: [true, false])
    func `give the browser a moment to come back from a denial`(comesBack: Bool) async throws {
        let server = try ScriptedServer(.error(.accessDenied))
        server.allow([.browser])
        let browser = ScriptedBrowser()
        let signIn = server.signIn(on: .with(browser), clock: server.clock.source) { $0.ways = [.browser] }
        let task = Task { await signIn.iterated() }
        await browser.isOpened()
        await server.clock.sleepers(1)
        server.clock.advance(by: .seconds(5))
        // The server tells of the denial before the browser is back.
        await server.transport.requests(to: "/token")
        await server.clock.sleepers(1)
        #expect(browser.ends == 0)
        if comesBack {
            let state = server.asked.first?["state"] ?? ""
            #expect(await browser.comeBack("iss=https%3A%2F%2Fid.example.com&state=\(state)&error=access_denied"))
        } else {
            server.clock.advance(by: .seconds(3))
        }
        let result = await task.value
        #expect(result.error == SignInError(.denied, because: "") && result.finals == 1 && browser.ends == 1)
    }

    @Test func `repeat neither browser nor push message with a new code`() async throws {
        let server = try ScriptedServer(.error(.expiredToken), ScriptedServer.granted())
        server.allow(Self.all)
        let browser = ScriptedBrowser()
        let result = await server.signIn(on: .with(browser, remembering: "an-id-token")) { $0.renewals = 1 }.iterated()
        #expect(result.signedIn != nil && browser.opened.count <= 1)
        #expect(server.asked.map { $0["redirect_uri"] != nil } == [true, false])
        #expect(server.asked.map { $0["id_token_hint"] != nil } == [true, false])
        // A screen puts the number of a push message first, and the code of no other request.
        let ended = SignInEvent.ended(.push, SignInError(.expired, because: ""))
        #expect(result.events.count { $0 == ended } == 1)
    }

    @Test(arguments: ["/device_authorization", "/token"])
    func `end once when the network is lost`(path: String) async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        server.allow(Self.all)
        server.transport.reply(at: path, with: .failure(TransportError(.notReached, because: "no route")))
        let browser = ScriptedBrowser()
        let result = await server.signIn(on: .with(browser)).iterated()
        #expect(result.finals == 1 && result.signedIn == nil && browser.ends == 1)
    }

    @Test func `open no address that a server makes up`() async throws {
        for address in ["javascript:alert(1)", "http://id.example.com/plain", "file:///etc/passwd", ""] {
            let server = try ScriptedServer(ScriptedServer.granted())
            let codes = server.codes()
            let answer = DeviceAuthorizationResponse(
                deviceCode: codes.deviceCode, userCode: codes.userCode, verificationURI: codes.verificationURI,
                verificationURIComplete: nil, expiresIn: 600, interval: 5, ways: [.browser, .code], browserURI: address)
            server.transport.reply(at: "/device_authorization", with: .json(answer))
            let browser = ScriptedBrowser()
            let result = await server.signIn(on: .with(browser)).iterated()
            #expect(result.signedIn != nil && browser.opened.isEmpty, "\(address)")
        }
    }
}
