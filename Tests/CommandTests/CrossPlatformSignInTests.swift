import AsyncHTTPClient
import CommandFixture
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@Suite("Getting a token for a service")
struct CrossPlatformSignInTests {
    @Test func `shows a code, keeps the token sealed, and renews it without asking again`() async throws {
        let command = try CommandUnderTest()
        try await ProviderOnPort.with { asked in
            switch (asked.path, asked.before) {
            case ("/cpa/register", _): .registered
            case ("/cpa/associate", _): .code(at: "http://127.0.0.1:1/cpa")
            case (_, 0): .pending
            default: .token("token-\(asked.before)", user: "Anna Example")
            }
        } _: { provider in
            let signin = "countersign signin --cpa \(provider.base)/cpa --domain radio.example"
            let first = try await command.run(signin)
            #expect(first.status == 0, "\(first.output)")
            let words = "Open http://127.0.0.1:1/cpa/verify on another device, and enter the code AfZQNVkR."
            #expect(first.output.contains(words), "\(first.output)")
            #expect(first.output.contains("Or open http://127.0.0.1:1/cpa/verify?user_code=AfZQNVkR."))
            #expect(first.output.contains("Signed in to Example Radio (radio.example) as Anna Example."))
            #expect(!first.output.contains("token-"))
            let files = try await command.run("find data/countersign/tokens -type f -printf '%m\\n' | sort -u").output
            #expect(files == "600\n")
            let clear = try await command.run("grep -rE 'token-1|kept-secret|Anna' data/countersign/tokens")
            #expect(clear.status == 1, "\(clear.output)")

            let second = try await command.run("\(signin) --show-tokens")
            #expect(second.output.contains("Access token: token-2"))
            #expect(!second.output.contains("AfZQNVkR"))
            #expect(provider.asked.count { $0 == "/cpa/register" } == 1)

            let shown = try await command.run("countersign token show --domain radio.example")
            #expect(shown.output.contains("Service: Example Radio"))
            #expect(shown.output.contains("Person: Anna Example"))
            #expect(!shown.output.contains("token-2"))
            let renewed = try await command.run("countersign token renew --domain radio.example --json")
            #expect(renewed.status == 0, "\(renewed.output)")
            let last = try await command.run("countersign token show --domain radio.example --show-tokens")
            #expect(last.output.contains("Access token: token-3"))
        }
    }

    @Test func `prints JSON lines for the device's own token, and shows nothing`() async throws {
        let command = try CommandUnderTest()
        try await ProviderOnPort.with { asked in
            asked.path == "/register" ? .registered : .token("device-token")
        } _: { provider in
            let outcome = try await command.run(
                "countersign signin --cpa \(provider.base) --domain radio.example --client-token --json --show-tokens"
            )
            #expect(outcome.status == 0, "\(outcome.output)")
            let lines = try Self.lines(outcome.output)
            #expect(lines.compactMap { $0["event"] as? String } == ["signed_in"])
            #expect(lines.last?["type"] as? String == "client")
            #expect(lines.last?["domain"] as? String == "radio.example")
            #expect(lines.last?["domain_name"] as? String == "Example Radio")
            #expect(lines.last?["access_token"] as? String == "device-token")
            #expect(provider.asked == ["/register", "/token"])
        }
    }

    @Test(arguments: [
        (ProviderOnPort.Answer.denied, Int32(3), "denied", "cancelled"), (.expired, 4, "expired", "expired"),
        (.unknownClient, 7, "client_refused", "invalid_client"),
    ])
    func `ends with the status that belongs to what the provider says`(
        answer: ProviderOnPort.Answer,
        status: Int32,
        error: String,
        word: String
    ) async throws {
        let command = try CommandUnderTest()
        try await ProviderOnPort.with { asked in
            switch asked.path {
            case "/register": .registered
            case "/associate": .code(at: "http://127.0.0.1:1")
            default: answer
            }
        } _: { provider in
            let outcome = try await command.run(
                "countersign signin --cpa \(provider.base) --domain radio.example --json 2>/dev/null"
            )
            #expect(outcome.status == status, "\(outcome.output)")
            let last = try Self.lines(outcome.output).last
            #expect(last?["error"] as? String == error)
            #expect(last?["provider_error"] as? String == word)
        }
    }

    @Test func `ends with 130 when it is interrupted`() async throws {
        let command = try CommandUnderTest()
        try await ProviderOnPort.with { asked in
            switch asked.path {
            case "/register": .registered
            case "/associate": .code(at: "http://127.0.0.1:1")
            default: .pending
            }
        } _: { provider in
            let signin = try command.start(
                "exec countersign signin --cpa \(provider.base) --domain radio.example"
            )
            _ = try await signin.printed { $0.contains("works until") }
            signin.signal(SIGINT)
            let outcome = try await signin.finish()
            #expect(outcome.status == 130, "\(outcome.output)")
            #expect(outcome.output.contains("countersign: Signing in was stopped."))
        }
    }

    @Test func `registers once when several processes begin at the same time`() async throws {
        let command = try CommandUnderTest()
        try await ProviderOnPort.with { asked in
            asked.path == "/register" ? .registered : .token("token-\(asked.before)")
        } _: { provider in
            let line = "exec countersign signin --cpa \(provider.base) --domain radio.example --client-token"
            for process in try (0..<5).map({ _ in try command.start(line) }) {
                let outcome = try await process.finish()
                #expect(outcome.status == 0, "\(outcome.output)")
                #expect(outcome.output.contains("This device may use Example Radio"))
            }
            #expect(provider.asked.count { $0 == "/register" } == 1)
        }
    }

    @Test(arguments: [("cancelled", Int32(3)), ("success", 0)])
    func `opens the page in a browser, which comes back`(result: String, status: Int32) async throws {
        let command = try CommandUnderTest()
        // A browser that only writes down where it was sent.
        let browser = "printf '%s\\n' \"$1\" > opened.part && mv opened.part opened"
        _ = try await command.run(
            "mkdir bin && printf '%s\\n' '#!/bin/sh' '\(browser.replacing("'", with: "'\\''"))' > bin/xdg-open && chmod +x bin/xdg-open"
        )
        let done = command.home.appendingPathComponent("done").path
        try await ProviderOnPort.with { asked in
            switch asked.path {
            case "/register": .registered
            case "/associate": .code(at: "http://127.0.0.1:1")
            default: FileManager.default.fileExists(atPath: done) ? .token("token", user: "Anna") : .pending
            }
        } _: { provider in
            let signin = try command.start(
                "export PATH=$PWD/bin:$PATH; exec countersign signin --cpa \(provider.base) --domain radio.example --open"
            )
            let opened = command.home.appendingPathComponent("opened")
            _ = try await signin.printed { _ in FileManager.default.fileExists(atPath: opened.path) }
            let address = try String(contentsOf: opened, encoding: .utf8).trimmingCharacters(in: .newlines)
            #expect(
                address.hasPrefix("http://127.0.0.1:1/verify?user_code=AfZQNVkR&redirect_uri=http%3A%2F%2F127.0.0.1%3A")
            )
            let back = try #require(
                URLComponents(string: address)?.queryItems?.first { $0.name == "redirect_uri" }?.value
            )
            #expect(back.hasSuffix("/verification"))
            if result == "success" { #expect(FileManager.default.createFile(atPath: done, contents: nil)) }
            let page = try await HTTPClient.shared.execute(
                HTTPClientRequest(url: "\(back)?result=\(result)"),
                timeout: .seconds(120)
            )
            #expect(page.status == .ok)
            let outcome = try await signin.finish()
            #expect(outcome.status == status, "\(outcome.output)")
            // The code stands in the terminal all the same.
            #expect(outcome.output.contains("AfZQNVkR"))
        }
    }

    @Test func `shows the number of a real server to a person who opens the link in another network`() async throws {
        // Every address is that of a proxy which names nobody, so the server sees no common network.
        let server = try await RunningServer.start("--trusted-proxies 127.0.0.1")
        let added = try await server.command.run("countersign admin domain add radio.example --name 'Our Radio'")
        #expect(added.status == 0, "\(added.output)")
        let signin = try server.command.start(
            "exec countersign signin --cpa \(server.base)/cpa --domain radio.example")
        let shown = try await signin.printed { $0.contains("works until") }
        let code = String(try #require(shown.firstMatch(of: /[A-Z]{4}-[A-Z]{4}/)).0)
        let mark = try #require(shown.firstMatch(of: /&at=([\w-]+)/)).1
        let person = PersonAtBrowser(at: server.base)
        try await person.signIn()
        try await person.open("/cpa/verify?user_code=\(code)&at=\(mark)")
        try await person.submit("/cpa/verify", ["user_code": code, "by_link": "1"])
        #expect(await person.text.contains("name=\"number\""))
        let told = try await signin.printed { $0.contains("tell it to nobody: ") }
        let number = try #require(told.firstMatch(of: /tell it to nobody: (\d\d)/)).1
        try await person.submit(
            "/activate/decision", ["user_code": code, "decision": "approve", "number": String(number)])
        let outcome = try await signin.finish()
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("Signed in to Our Radio (radio.example) as Anna Example."))
        _ = try await server.stop()
    }

    private static func lines(_ output: String) throws -> [[String: Any]] {
        try output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }
}
