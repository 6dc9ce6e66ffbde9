import AsyncHTTPClient
import CommandFixture
import Countersign
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@Suite("Signing a terminal in by the browser")
struct BrowserSignInTests {
    @Test func `verifies who it is, and keeps the tokens`() async throws {
        let provider = BrowserProvider()
        try await provider.run("signin --issuer ISSUER --client terminal --browser") { signin, browser in
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
        try await provider.run("signin --issuer ISSUER --client terminal --browser") { signin, browser in
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
        let line = "signin --issuer ISSUER --client terminal --browser --json --show-tokens"
        try await provider.run(line) { signin, browser in
            _ = try await browser.comeBack("code=A&state=\(browser.state)")
            let outcome = try await signin.finish()
            let lines = try outcome.output.split(separator: "\n").map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }
            #expect(lines.compactMap { $0["event"] as? String } == ["discovering", "browser", "signed_in"])
            #expect((lines[1]["address"] as? String)?.hasPrefix(provider.base) == true)
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
        try await provider.run("signin --issuer ISSUER --client terminal --browser") { signin, browser in
            #expect(try await browser.comeBack("\(query)&state=\(browser.state)").status == 200)
            let outcome = try await signin.finish()
            #expect(outcome.status == status, "\(outcome.output)")
            #expect(outcome.output.contains(words), "\(outcome.output)")
            #expect(provider.redeemed.isEmpty)
        }
    }

    @Test func `gives up when nobody comes back`() async throws {
        let provider = BrowserProvider()
        let line = "signin --issuer ISSUER --client terminal --browser --browser-wait 1"
        try await provider.run(line) { signin, _ in
            let outcome = try await signin.finish()
            #expect(outcome.status == 4, "\(outcome.output)")
            #expect(
                outcome.output.contains("countersign: Nobody came back from the browser within 1 second. Try again."))
        }
    }

    @Test func `ends with 130 when it is interrupted, and nothing waits any more`() async throws {
        let provider = BrowserProvider()
        try await provider.run("signin --issuer ISSUER --client terminal --browser") { signin, browser in
            signin.signal(SIGINT)
            let outcome = try await signin.finish()
            #expect(outcome.status == 130, "\(outcome.output)")
            #expect(outcome.output.contains("countersign: Signing in was stopped."))
            // Nobody listens there any more.
            await #expect(throws: (any Error).self) {
                try await browser.comeBack("code=A&state=\(browser.state)", within: .seconds(2))
            }
        }
    }

    @Test(arguments: [true, false])
    func `goes on with a code when that is all there is`(hasAuthorization: Bool) async throws {
        let provider = BrowserProvider()
        let words =
            hasAuthorization
            ? "No browser could be opened here, so it goes on with a code."
            : "This server does not sign in by a browser, so it goes on with a code."
        let outcome = try await provider.runWithoutBrowser(
            "signin --issuer ISSUER --client terminal --scope reports --browser",
            hasAuthorization: hasAuthorization
        )
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("countersign: \(words)\n"))
        #expect(outcome.output.contains("enter the code AfZQNVkR"))
        #expect(outcome.output.contains("Signed in."))
    }
}
