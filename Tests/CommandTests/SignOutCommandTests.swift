import AsyncHTTPClient
import CommandFixture
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@Suite("Signing people out of a terminal")
struct SignOutCommandTests {
    @Test func `ends the tokens, and the session in the browser at the page that the server names`() async throws {
        let provider = BrowserProvider()
        try await provider.run("signin --issuer ISSUER --client terminal --only browser --yes") { signin, browser in
            _ = try await browser.comeBack("code=A&state=\(browser.state)&iss=\(browser.issuer)")
            #expect(try await signin.finish().status == 0)
            _ = try await provider.command.run("rm opened")

            let signout = try await MovedBrowser.start("signout --browser --json 2> questions", in: provider.command)
            let page = try await MovedBrowser.opened(by: signout, in: provider.command, at: provider.base)
            #expect(page.address.hasPrefix("\(provider.base)/end_session?"))
            let asked = page.parameters
            #expect(asked["client_id"] == "terminal")
            #expect(asked["id_token_hint"]?.split(separator: ".").count == 3)
            let back = try #require(asked["post_logout_redirect_uri"])
            #expect(back.contains(/^http:\/\/127\.0\.0\.1:\d+\/callback$/))
            #expect(try await page.comeBack("state=another", at: back).status == 404)
            #expect(try await page.comeBack("state=\(page.state)", at: back).status == 200)
            let outcome = try await signout.finish()
            // The server has no endpoint that revokes tokens, which work there still.
            #expect(outcome.status == 1, "\(outcome.output)")
            #expect(outcome.output.contains(#""revoked" : false"#))
            #expect(outcome.output.contains(/"works_until" : "20[^"]+Z"/), "\(outcome.output)")
            #expect(outcome.output.contains(#""session" : "ended""#))
            let list = try await provider.command.run("countersign token list").output
            #expect(list == "No tokens are stored here.\n")
        }
    }

    @Test func `ends with 1 when no browser opens, and signs out here all the same`() async throws {
        let provider = BrowserProvider()
        try await provider.run("signin --issuer ISSUER --client terminal --only browser --yes") { signin, browser in
            _ = try await browser.comeBack("code=A&state=\(browser.state)&iss=\(browser.issuer)")
            #expect(try await signin.finish().status == 0)
            let command = provider.command
            _ = try await command.run(
                #"mkdir bin && printf '#!/bin/sh\nexit 3\n' > bin/xdg-open && chmod +x bin/xdg-open"#)
            let outcome = try await command.run(
                "unset BROWSER; export PATH=$PWD/bin:$PATH DISPLAY=:9; countersign signout --browser")
            #expect(outcome.status == 1, "\(outcome.output)")
            #expect(outcome.output.contains("Signed out here.\n"), "\(outcome.output)")
            let words = "countersign: The server did not end the tokens: there they work until 20"
            #expect(outcome.output.contains(words), "\(outcome.output)")
            #expect(outcome.output.contains("sign this device out on your account page, \(provider.base)/account."))
            #expect(outcome.output.contains("You may still be signed in in the browser"))
            #expect(try await command.run("countersign token list").output == "No tokens are stored here.\n")
        }
    }

    @Test func `ends with 1 when the server is away, and says where the tokens can be ended`() async throws {
        let server = try await RunningServer.start()
        let signin = try server.command.start("exec \(server.signInLine) --yes")
        let code = try await signin.shownCode()
        try await PersonAtBrowser(at: server.base).decide(
            "approve", on: code, as: "anna", password: RunningServer.password)
        #expect(try await signin.finish().status == 0)
        _ = try await server.stop()
        let outcome = try await server.command.run("countersign signout")
        #expect(outcome.status == 1, "\(outcome.output)")
        #expect(outcome.output.contains("Signed out here.\n"), "\(outcome.output)")
        #expect(outcome.output.contains("on your account page, \(server.base)/account."), "\(outcome.output)")
        #expect(try await server.command.run("countersign token list").output == "No tokens are stored here.\n")
    }

    @Test func `leads back from a server here, whatever the port`() async throws {
        let server = try await RunningServer.start()
        let registered = try await server.administer(
            "client change tv --post-logout-redirect-uri http://127.0.0.1/callback")
        #expect(registered.status == 0, "\(registered.output)")
        let signin = try server.command.start("exec \(server.signInLine) --yes")
        let code = try await signin.shownCode()
        let person = PersonAtBrowser(at: server.base)
        try await person.decide("approve", on: code, as: "anna", password: RunningServer.password)
        #expect(try await signin.finish().status == 0)

        let signout = try await MovedBrowser.start("signout --person anna --browser", in: server.command)
        let page = try await MovedBrowser.opened(by: signout, in: server.command, at: server.base)
        // Nobody is signed in in this browser, so that the server leads back at once.
        let answer = try await HTTPClient.shared.execute(HTTPClientRequest(url: page.address), timeout: .seconds(60))
        #expect(answer.status == .ok)
        let outcome = try await signout.finish()
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(
            outcome.output.contains("Signed out here and at the server. The session in the browser has ended."))
        _ = try await server.stop()
    }
}
