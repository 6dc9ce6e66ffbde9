import AsyncHTTPClient
import CommandFixture
import Countersign
import CountersignServer
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@Suite("Signing a terminal in by the browser")
struct BrowserSignInTests {
    @Test func `verifies who it is, and keeps the tokens`() async throws {
        let provider = BrowserProvider()
        try await provider.run("signin --issuer ISSUER --client terminal --only browser --yes") { signin, browser in
            let sent = browser.parameters
            #expect(sent["response_type"] == "code" && sent["client_id"] == "terminal")
            #expect(sent["scope"] == "openid profile" && sent["code_challenge_method"] == "S256")
            let redirect = try #require(sent["redirect_uri"])
            #expect(redirect.contains(/^http:\/\/127\.0\.0\.1:\d+\/callback$/))

            let page = try await browser.comeBack("code=A&state=\(browser.state)&iss=\(browser.issuer)")
            #expect(page.status == 200 && page.body.contains("You can close this page"))
            #expect(!page.body.contains("code") && !page.body.contains(browser.state))
            let outcome = try await signin.finish()
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(outcome.output.contains("Go on in your browser."))
            #expect(outcome.output.contains("Signed in as Anna Example (anna)."))
            #expect(!outcome.output.contains("access-1"))

            let body = try #require(provider.redeemed.first)
            #expect(provider.redeemed.count == 1)
            #expect(body["code"] == "A" && body["redirect_uri"] == redirect && body["client_id"] == "terminal")
            let verifier = try #require(body["code_verifier"].flatMap(CodeVerifier.init(parsing:)))
            #expect(CodeChallenge(of: verifier).description == sent["code_challenge"])

            let list = try await provider.command.run("countersign token list")
            #expect(list.output.contains("terminal") && !list.output.contains("pending"))
            let shown = try await provider.command.run("countersign token show --show-tokens")
            #expect(shown.output.contains("Access token: access-1"), "\(shown.output)")
        }
    }

    @Test func `answers at its own address, path and request only`() async throws {
        let provider = BrowserProvider()
        try await provider.run("signin --issuer ISSUER --client terminal --only browser --yes") { signin, browser in
            let good = "code=A&state=\(browser.state)&iss=\(browser.issuer)"
            for (query, path, host) in [
                (good, "/", nil), (good, "/callback/", nil), (good, "/callback", "evil.example"),
                (good, "/callback", "localhost"), ("code=A&state=%3Cscript%3E", "/callback", nil),
                ("code=A", "/callback", nil), ("error=access_denied", "/callback", nil),
                (good + "&state=again", "/callback", nil),
            ] as [(String, String, String?)] {
                let page = try await browser.comeBack(query, to: path, host: host)
                #expect(page.status == 404, "\(path) \(host ?? "")")
                #expect(!page.body.contains("script") && !page.body.contains(browser.state))
            }
            #expect(provider.redeemed.isEmpty)
            #expect(try await browser.comeBack(good).status == 200)
            #expect(try await signin.finish().status == 0)
        }
    }

    @Test func `prints JSON lines`() async throws {
        let provider = BrowserProvider()
        let line = "signin --issuer ISSUER --client terminal --only browser --yes --json --show-tokens"
        try await provider.run(line) { signin, browser in
            _ = try await browser.comeBack("code=A&state=\(browser.state)")
            let outcome = try await signin.finish()
            let lines = try outcome.output.split(separator: "\n").map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }
            let events = lines.compactMap { $0["event"] as? String }
            #expect(events == ["discovering", "began", "browser", "waiting", "confirming", "signed_in"])
            #expect(lines[1]["way"] as? String == "browser")
            #expect((lines[2]["address"] as? String)?.hasPrefix(provider.base) == true)
            #expect(lines.last?["access_token"] as? String == "access-1")
        }
    }

    @Test(arguments: [
        ("error=access_denied", Int32(3), "The request was denied"),
        ("error=invalid_scope", 7, "The app asks for more than the server lets it have."),
        ("code=A&error=access_denied", 1, "What came back does not belong to this sign-in"),
        ("code=A&code=B", 1, "What came back does not belong to this sign-in"),
        ("code=A&iss=https%3A%2F%2Fevil.example", 1, "What came back does not belong to this sign-in"),
    ])
    func `ends with the status that belongs to the answer`(query: String, status: Int32, words: String) async throws {
        let provider = BrowserProvider()
        try await provider.run("signin --issuer ISSUER --client terminal --only browser --yes") { signin, browser in
            #expect(try await browser.comeBack("\(query)&state=\(browser.state)").status == 200)
            let outcome = try await signin.finish()
            #expect(outcome.status == status, "\(outcome.output)")
            #expect(outcome.output.contains(words), "\(outcome.output)")
            #expect(provider.redeemed.isEmpty)
        }
    }

    @Test(arguments: [
        "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
        "unsupported_response_type", "login_required",
    ])
    func `ends with the error that came back, and tries nothing else`(error: String) async throws {
        let provider = BrowserProvider()
        try await provider.run("signin --issuer ISSUER --client terminal --only browser --yes") { signin, browser in
            _ = try await browser.comeBack("error=\(error)&error_description=because&state=\(browser.state)")
            let outcome = try await signin.finish()
            #expect(outcome.status == 7, "\(outcome.output)")
            #expect(outcome.output.contains("(The server says: because)"), "\(outcome.output)")
            #expect(provider.redeemed.isEmpty)
        }
    }

    @Test(arguments: ["server_error", "temporarily_unavailable"])
    func `says of a server that failed for now that trying later may help`(error: String) async throws {
        let provider = BrowserProvider()
        let line = "signin --issuer ISSUER --client terminal --only browser --yes --json"
        try await provider.run(line) { signin, browser in
            _ = try await browser.comeBack("error=\(error)&state=\(browser.state)")
            let outcome = try await signin.finish()
            #expect(outcome.status == 5, "\(outcome.output)")
            #expect(outcome.output.contains("The server cannot answer right now. Try again in a few minutes."))
            #expect(outcome.output.contains(#""server_trouble""#), "\(outcome.output)")
        }
    }

    @Test func `says that the server binds no tokens where that was asked, and shows no code`() async throws {
        let provider = BrowserProvider()
        let outcome = try await provider.runWithoutBrowser(
            "signin --issuer ISSUER --client terminal --only browser --yes --dpop")
        #expect(outcome.status == 7, "\(outcome.output)")
        #expect(outcome.output.contains("This server does not bind a sign-in to this device"), "\(outcome.output)")
        #expect(!outcome.output.contains("code"), "\(outcome.output)")
    }

    @Test func `pushes its request where the server has an endpoint for it`() async throws {
        let provider = BrowserProvider()
        provider.pushes = true
        try await provider.run("signin --issuer ISSUER --client terminal --only browser --yes") { signin, browser in
            #expect(browser.parameters == ["client_id": "terminal", "request_uri": "urn:example:1"])
            let pushed = try #require(provider.pushed.first)
            #expect(pushed["code_challenge_method"] == "S256")
            // The stand-in keeps the form as it was sent.
            #expect(pushed["scope"]?.replacing("+", with: " ") == "openid profile")
            let state = try #require(pushed["state"])
            let redirect = try #require(pushed["redirect_uri"])
            let page = try await browser.comeBack("code=A&state=\(state)&iss=\(browser.issuer)", at: redirect)
            #expect(page.status == 200)
            let outcome = try await signin.finish()
            #expect(outcome.status == 0, "\(outcome.output)")
        }
    }

    @Test func `comes back to the port that was named, and says when it is taken`() async throws {
        let port = try ReservedPort(at: SocketAddress(ipAddress: "127.0.0.1", port: 0))
        defer { withExtendedLifetime(port) {} }
        let number = port.number
        let provider = BrowserProvider()
        let line = "signin --issuer ISSUER --client terminal --only browser --yes --callback-port \(number)"
        try await provider.run(line) { signin, browser in
            #expect(browser.parameters["redirect_uri"] == "http://127.0.0.1:\(number)/callback")
            // Another one cannot listen there meanwhile.
            let second = try await provider.command.run(
                "BROWSER=$HOME/b countersign \(line.replacing("ISSUER", with: provider.base))")
            #expect(second.status == 1, "\(second.output)")
            #expect(second.output.contains("(port \(number) of this machine cannot be used)"), "\(second.output)")
            _ = try await browser.comeBack("code=A&state=\(browser.state)&iss=\(browser.issuer)")
            #expect(try await signin.finish().status == 0)
        }
    }

    @Test func `ends with 130 when it is interrupted, and nothing waits any more`() async throws {
        let provider = BrowserProvider()
        try await provider.run("signin --issuer ISSUER --client terminal --only browser --yes") { signin, browser in
            signin.signal(SIGINT)
            let outcome = try await signin.finish()
            #expect(outcome.status == 130, "\(outcome.output)")
            #expect(outcome.output.contains("countersign: Signing in was stopped."))
            // Nobody listens there any more, unless another test has got the port.
            let page = try? await browser.comeBack("code=A&state=\(browser.state)")
            #expect(page?.status != 200)
        }
    }

    @Test(arguments: [true, false])
    func `shows a code when that is all that the server has`(hasAuthorization: Bool) async throws {
        let provider = BrowserProvider()
        provider.givesCodes = true
        let outcome = try await provider.runWithoutBrowser(
            "signin --issuer ISSUER --client terminal --scope reports --only browser,code",
            hasAuthorization: hasAuthorization
        )
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("enter the code AfZQNVkR"))
        #expect(outcome.output.contains("Signed in."))
        #expect(!outcome.output.contains("browser") && !outcome.output.contains("countersign:"), "\(outcome.output)")
    }

    @Test func `says what was not granted, and nothing where all was`() async throws {
        let provider = BrowserProvider()
        provider.answerToCode = .json(
            TokenResponse(
                accessToken: AccessToken(revealing: "access-1"), expiresIn: 300, scope: Scope([ScopeWord("reports")])))
        let line = "signin --issuer ISSUER --client terminal --only browser --scope"
        let without = "Not granted: archive, plans. What needs that does not work here; ask who runs the server for it."
        for (scope, flag, words) in [
            ("'archive reports plans'", "", without), ("'archive reports'", "--json", #""not_granted":"archive""#),
        ] {
            try await provider.run("\(line) \(scope) \(flag)") { signin, browser in
                _ = try await browser.comeBack("code=A&state=\(browser.state)&iss=\(browser.issuer)")
                let outcome = try await signin.finish()
                #expect(outcome.status == 0 && outcome.output.contains(words), "\(outcome.output)")
                _ = try await provider.command.run("rm opened")
            }
        }
        try await provider.run("\(line) reports --json") { signin, browser in
            _ = try await browser.comeBack("code=A&state=\(browser.state)&iss=\(browser.issuer)")
            let outcome = try await signin.finish()
            #expect(outcome.status == 0 && !outcome.output.contains("granted"), "\(outcome.output)")
        }
    }

    @Test func `takes the browser alone where the server would give a code`() async throws {
        let provider = BrowserProvider()
        provider.givesCodes = true
        try await provider.run("signin --issuer ISSUER --client terminal --only browser --yes") { signin, browser in
            _ = try await browser.comeBack("code=A&state=\(browser.state)&iss=\(browser.issuer)")
            let outcome = try await signin.finish()
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(!outcome.output.contains("AfZQNVkR"), "\(outcome.output)")
        }
    }

    @Test(arguments: [("approve", Int32(0)), ("deny", 3)])
    func `shares its request with the other ways`(decision: String, status: Int32) async throws {
        let server = try await Self.server()
        let signin = try await MovedBrowser.start(
            "signin --issuer \(server.base) --client tv --yes --only browser", in: server.command)
        let browser = try await MovedBrowser.opened(by: signin, in: server.command, at: server.base)
        let named = browser.parameters
        #expect(named["redirect_uri"]?.contains(/^http:\/\/127\.0\.0\.1:\d+\/callback$/) == true, "\(browser.address)")
        let person = PersonAtBrowser(at: server.base)
        try await person.signIn()
        try await person.open(browser.address)
        try await person.submit("/activate", named.merging(["by_link": "1"]) { $1 })
        try await person.submit("/activate/decision", named.merging(["decision": decision]) { $1 })
        #expect(await person.text.contains("You can close this page"))
        let outcome = try await signin.finish()
        #expect(outcome.status == status, "\(outcome.output)")
        #expect(outcome.output.contains("Signed in as Anna Example (anna).") == (status == 0), "\(outcome.output)")
        #expect(!outcome.output.contains("enter the code"))
        _ = try await server.stop()
    }

    @Test func `goes on with the code when no page opens, and says so in one line`() async throws {
        let server = try await Self.server()
        _ = try await server.command.run(
            #"mkdir bin && printf '#!/bin/sh\nexit 3\n' > bin/xdg-open && chmod +x bin/xdg-open"#)
        let signin = try server.command.start(
            """
            export PATH=$PWD/bin:$PATH DISPLAY=:9; exec countersign signin --issuer \(server.base) --client tv --yes \
            --only browser,code
            """)
        let shown = try await signin.printed { $0.contains("works until") }
        #expect(
            shown.hasPrefix(
                "No page was opened here. Use the code on another device, or your phone.\nOpen \(server.base)/activate"),
            "\(shown)")
        signin.signal(SIGINT)
        #expect(try await signin.finish().status == 130)
        _ = try await server.stop()
    }

    @Test func `says which redirect URI is missing where the browser is the only way`() async throws {
        let server = try await RunningServer.start()
        let signin = try await server.command.run(
            "DISPLAY=:9 BROWSER=true countersign signin --issuer \(server.base) --client tv --yes --only browser")
        #expect(signin.status == 7, "\(signin.output)")
        #expect(
            signin.output.contains(
                "http://127.0.0.1/callback is no redirect URI of this app there, or this needs a stronger way."),
            "\(signin.output)")
        #expect(signin.output.contains("Choose another way: ") && signin.output.contains("code."), "\(signin.output)")
        _ = try await server.stop()
    }

    /// A server whose TV has a browser, too.
    private static func server() async throws -> RunningServer {
        let server = try await RunningServer.start()
        let changed = try await server.administer("client change tv --redirect-uri http://127.0.0.1/callback")
        #expect(changed.status == 0, "\(changed.output)")
        return server
    }
}
