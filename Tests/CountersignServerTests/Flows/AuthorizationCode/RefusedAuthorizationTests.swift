import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import Synchronization
import Testing

@testable import CountersignServer

/// A refusal, as the operator and the maker of an app learn of it.
@Suite("A refused authorization request")
struct RefusedAuthorizationTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private struct Collecting: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.all.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
        }
    }

    private func open(_ test: @escaping @Sendable (TestServer, Lines) async throws -> Void) async throws {
        let lines = Lines()
        let logger = Logger(label: "test", factory: { _ in Collecting(lines: lines) })
        try await TestServer.open(logger: logger) { server in
            let created = server.clock.date
            try await server.change { repositories in
                for app in TestApps.allCases { try repositories.clients.insert(app.record(created: created)) }
            }
            try await test(server, lines)
        }
    }

    private static let rest = "response_type=code&scope=openid&state=private"

    @Test(arguments: [
        ("client_id=shop&redirect_uri=https://evil.example/x?token=private", "redirect_uri is not registered"),
        ("client_id=nobody&redirect_uri=https://evil.example/x", "not registered for authorization"),
        ("client_id=shop&redirect_uri=https://shop.example/done", "sent no code_challenge"),
        ("client_id=shop&client_id=shop", "repeated"),
        ("client_id=shop&request_uri=urn:ietf:params:oauth:request_uri:x", "request_uri is unknown"),
    ])
    func `says in the log which check refused it`(query: String, reason: String) async throws {
        try await open { server, lines in
            _ = try await server.get("/authorize?\(query)&\(Self.rest)")
            let line = lines.all.withLock { $0.first { $0.contains("an authorization request was refused") } }
            #expect(line?.contains(reason) == true, "\(line ?? "nothing")")
            #expect(line?.contains("private") == false)
        }
    }

    @Test func `says on the page which app and which address, and goes nowhere`() async throws {
        try await open { server, _ in
            let page = try await server.get(
                "/authorize?client_id=shop&redirect_uri=https://evil.example/x?a%3Db&\(Self.rest)")
            #expect(page.status == .badRequest && page.headers[.location] == nil)
            let text = Markup(page.text)
            #expect(page.text.contains(">shop</code>") && page.text.contains(">https://evil.example/x?a=b</code>"))
            #expect(!text.all("a").contains { $0.attributes["href"]?.contains("evil") == true })
            let unknown = try await server.get("/authorize?client_id=nobody&\(Self.rest)")
            #expect(unknown.text.contains(">nobody</code>"))
        }
    }

    @Test(arguments: [
        "%3Cscript%3Ealert(1)%3C/script%3E", "%22%3E%3Cimg%20src=x%3E", "Call%20us%20at%20555", "%E2%80%AEevil",
        "a%0D%0Aforged%20line",
    ])
    func `lets nobody write on our page or in our log`(text: String) async throws {
        try await open { server, lines in
            for query in ["client_id=\(text)", "client_id=shop&redirect_uri=\(text)"] {
                let page = try await server.get("/authorize?\(query)&\(Self.rest)")
                #expect(page.status == .badRequest)
                for hostile in ["<script>alert", "<img", "Call us", "\u{202E}", "forged line"] {
                    #expect(!page.text.contains(hostile))
                }
            }
            #expect(lines.all.withLock { $0.count { $0.contains("an authorization request was refused") } } == 2)
            #expect(lines.all.withLock { $0.allSatisfy { !$0.contains("forged line") && !$0.contains("Call us") } })
        }
    }

    @Test(arguments: ["127.0.0.1", "[::1]", "localhost"])
    func `is none of a program that listens on any port of this machine`(host: String) async throws {
        try await open { server, _ in
            try await server.change { repositories in
                var client = TestApps.terminal.record(created: server.clock.date)
                client.redirects.redirectURIs = ["http://\(host)/cb"]
                client.redirects.postLogoutRedirectURIs = ["http://\(host)/bye"]
                try repositories.clients.update(client)
            }
            var request = TestApps.terminal.request
            request.redirectURI = "http://\(host):51004/cb"
            let anna = try await server.browser(of: .anna)
            let code = try #require(try await anna.authorize(request, answering: "approve").authorization?.code)
            let redeemed = try await server.redeem(code, as: .terminal, redirectURI: request.redirectURI)
            #expect(redeemed.status == .ok)
            #expect(try await server.post("/par", request.form).status == .created)
            let out = try await server.get(
                "/end_session?client_id=terminal&post_logout_redirect_uri=http://\(host):51004/bye")
            #expect(out.location == "http://\(host):51004/bye")
        }
    }
}
