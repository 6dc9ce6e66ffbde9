import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

@Suite("A sign-in at a server without codes")
struct SignInByCodeTests {
    private func server(
        _ tokens: ScriptedTransport.Reply...,
        givesCodes: Bool = false
    ) throws -> ScriptedServer {
        let server = try ScriptedServer()
        var metadata = server.metadata
        metadata.authorizationEndpoint = server.issuer.appending("authorize")
        if !givesCodes { metadata.deviceAuthorizationEndpoint = nil }
        server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
        server.transport.reply(at: "/token", with: tokens)
        return server
    }

    @Test func `goes by the browser, and asks who it is`() async throws {
        let server = try server()
        let browser = ScriptedBrowser()
        let store = MemoryTokenStore()
        var screen = SignInScreen.with(browser)
        screen.store = store
        let signIn = server.signIn(for: ScriptedServer.openid, on: screen, clock: server.clock.source)
        let task = Task { await signIn.iterated() }
        await browser.isOpened()
        let sent = try #require(browser.opened.first).parameters
        #expect(sent["response_type"] == "code" && sent["code_challenge_method"] == "S256")
        #expect(sent["redirect_uri"] == ScriptedBrowser.redirectURI && sent["scope"] == "openid")
        var claims = server.claims
        claims.nonce = sent["nonce"]
        server.transport.reply(at: "/token", with: ScriptedServer.granted(try server.idToken(claims)))
        #expect(await !browser.comeBack("code=A&state=another"))
        #expect(await browser.comeBack("code=A&state=\(sent["state"] ?? "")"))

        let result = await task.value
        #expect(result.signedIn?.identity?.displayName == "Anna" && result.finals == 1)
        #expect(try await store.signedIn(for: server.signInKey) == result.signedIn)
        let redeemed = try #require(server.transport.sent(to: "/token").first).form
        #expect(redeemed["code"] == "A" && redeemed["redirect_uri"] == ScriptedBrowser.redirectURI)
        #expect(browser.ends == 1)
        #expect(result.events.count { if case .confirming = $0 { true } else { false } } == 1)
    }

    @Test(arguments: [
        ("error=access_denied", SignInError.Code.denied), ("error=invalid_scope", .scopeRefused),
        ("code=A&iss=https%3A%2F%2Fevil.example", .answerRejected),
    ])
    func `ends with the answer of the server`(query: String, code: SignInError.Code) async throws {
        let server = try server(ScriptedServer.granted())
        let browser = ScriptedBrowser()
        let signIn = server.signIn(on: .with(browser), clock: server.clock.source)
        let task = Task { await signIn.iterated() }
        await browser.isOpened()
        let state = try #require(browser.opened.first).parameters["state"] ?? ""
        await browser.comeBack("\(query)&state=\(state)")
        let result = await task.value
        #expect(result.error == SignInError(code, because: "") && result.finals == 1)
        #expect(server.transport.sent(to: "/token").isEmpty && browser.ends == 1)
    }

    @Test func `ends when the page is closed, nothing opens, or nobody comes back`() async throws {
        let closed = ScriptedBrowser()
        closed.close()
        let first = try server()
        let clock = first.clock.source
        #expect(
            await first.signIn(on: .with(closed), clock: clock).iterated().error
                == SignInError(.cancelled, because: ""))
        #expect(
            await (try server()).signIn(on: .with(ScriptedBrowser(at: nil))).iterated().error
                == SignInError(.browserNotOpened, because: ""))
        #expect(
            await (try server()).signIn(on: .with(ScriptedBrowser())).iterated().error
                == SignInError(.expired, because: ""))
    }

    @Test(arguments: [true, false])
    func `goes by the browser where device codes are not for this client, or for the browser`(
        isRefused: Bool
    ) async throws {
        let server = try server(ScriptedServer.granted(), givesCodes: true)
        if isRefused { server.transport.reply(at: "/device_authorization", with: .error(.unauthorizedClient)) }
        let browser = ScriptedBrowser()
        let signIn = server.signIn(on: .with(browser), clock: server.clock.source) {
            $0.ways = isRefused ? nil : [.browser]
        }
        let task = Task { await signIn.iterated() }
        await browser.isOpened()
        let sent = try #require(browser.opened.first).parameters
        #expect(sent["response_type"] == "code")
        #expect(await browser.comeBack("code=A&state=\(sent["state"] ?? "")"))
        let result = await task.value
        #expect(result.signedIn != nil && result.finals == 1)
        #expect(browser.opened.count == 1 && browser.ends == 2)
    }

    @Test func `is not tried for a client that the server refuses, and that has no such page`() async throws {
        let server = try ScriptedServer()
        server.transport.reply(at: "/device_authorization", with: .error(.unauthorizedClient))
        let result = await server.signIn(on: .with(ScriptedBrowser())).iterated()
        #expect(result.error == SignInError(.clientRefused, because: "") && result.finals == 1)
    }

    @Test func `is not possible without a browser`() async throws {
        let server = try server()
        #expect(await server.signIn().iterated().error == SignInError(.flowNotOffered, because: ""))
        let signIn = server.signIn(on: .with(ScriptedBrowser())) { $0.ways = [.code] }
        #expect(await signIn.iterated().error == SignInError(.flowNotOffered, because: ""))
    }
}
