import CoreMetrics
import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOConcurrencyHelpers
import NIOPosix
import Testing

@testable import CountersignServer

/// Requests must not reveal what exists: equal answers, and equal work behind them.
@Suite("Somebody who asks what exists", .server)
struct EnumerationAttackTests {
    let server = TestServer.current

    @Test func `makes the server hash once for any name and any password`() async throws {
        let hashed = NIOLockedValueBox<[PasswordCost]>([])
        let hasher = PasswordHasher(cost: TestPerson.cost, drawingFrom: .system, on: .singleton) { cost in
            hashed.withLockedValue { $0.append(cost) }
        }
        try await TestServer.open { server in
            let stranger = try await server.newBrowser()
            try await server.lock(.bert)
            try await server.withLoginPage(hashingWith: hasher) { client in
                for username in [
                    "anna", "anna@example.org", "bert", "nobody@example.org", "nobody", "", "no such\u{7}name",
                    String(repeating: "x", count: 300),
                ] {
                    for password in ["wrong", "", String(repeating: "x", count: 10_000)] {
                        let form: Form = [
                            "username": username, "password": password, "form_token": stranger.formToken,
                        ]
                        let answer = try await client.executeRequest(
                            uri: "/login",
                            method: .post,
                            headers: [
                                .cookie: stranger.cookie, .contentType: "application/x-www-form-urlencoded",
                            ],
                            body: ByteBuffer(string: form.encoded)
                        )
                        #expect(answer.status == .forbidden)
                        let costs = hashed.withLockedValue { costs in
                            defer { costs = [] }
                            return costs
                        }
                        #expect(costs == [TestPerson.cost], "\(username.debugDescription)")
                    }
                }
            }
        }
    }

    @Test func `is answered with the same headers for every name`() async throws {
        let stranger = try await server.newBrowser()
        var seen: Set<String> = []
        for username in ["anna", "nobody", "NOBODY", "\u{7}"] {
            let answer = try await stranger.post("login", ["username": username, "password": "wrong"])
            var headers = answer.headers
            headers[.contentLength] = nil
            seen.insert("\(answer.status.code) \(headers)")
        }
        #expect(seen.count == 1)
    }

    @Test func `is told the same of codes that are unknown, too late, used and refused`() async throws {
        let anna = try await server.browser(of: .anna)
        let bert = try await server.browser(of: .bert)
        var codes: [String] = ["BBBB-BBBB"]
        let late = try await server.ask(as: .radio)
        codes.append(late.userCode.rawValue)
        server.clock.advance(by: .seconds(121))
        let used = try await server.ask()
        try await bert.decide("approve", used)
        _ = try await server.poll(used)
        let denied = try await server.ask()
        try await bert.decide("deny", denied)
        codes += [used, denied].map(\.userCode.rawValue)

        var typed: Set<String> = []
        var linked: Set<String> = []
        var shown: Set<String> = []
        for code in codes {
            server.clock.advance(by: .seconds(2))
            typed.insert(try describe(await anna.post("activate", ["user_code": code]), without: code))
            linked.insert(try describe(await anna.get("activate?user_code=\(code)"), without: code))
            shown.insert(try describe(await anna.get("activate/confirm?user_code=\(code)"), without: code))
        }
        #expect(typed.count == 1)
        #expect(linked.count == 1)
        #expect(shown.count == 1)
    }

    @Test func `is told the same of requests and grants that are unknown and other people's`() async throws {
        let anna = try await server.browser(of: .anna)
        let bert = try await server.browser(of: .bert)
        let open = try await server.ask()
        try await bert.take(open)
        let result = try #require(try await bert.decide("approve", try await server.ask()).location)
        let page = try await server.get(result, headers: [.cookie: bert.cookie])
        let grant = try #require(page.field("grant"))
        let request = try #require(result.split(separator: "=").last.map(String.init))

        var results: Set<String> = []
        for id in [request, "no-such-request"] {
            results.insert(try describe(await anna.get("activate/result?request=\(id)"), without: id))
        }
        #expect(results.count == 1)
        for form in ["account/undo", "account/sign-out"] {
            var answers: Set<String> = []
            for id in [grant, "no-such-grant"] {
                answers.insert(try describe(await anna.post(form, ["grant": id]), without: id))
            }
            #expect(answers.count == 1, "\(form)")
        }
    }

    @Test func `is told the same of tokens that are unknown, too late, revoked and other clients'`() async throws {
        let late = try await server.signedIn(.radio)
        server.clock.advance(by: .seconds(3_700))
        let mine = try await server.signedIn(.tv)
        let revoked = try await server.signedIn(.tv)
        let form = try TestClients.tv.form.with(["token": revoked.accessToken.revealed])
        _ = try await server.post("/revoke", form)
        var answers: Set<String> = []
        for token in [
            "unknown", late.accessToken.revealed, mine.accessToken.revealed, revoked.accessToken.revealed,
        ] {
            let asked = try TestClients.console.form.with(["token": token])
            let answer = try await server.post("/introspect", asked)
            answers.insert("\(answer.status.code) \(answer.headers) \(answer.text)")
        }
        #expect(answers.count == 1)
    }

    /// An answer as text, with what was asked taken out.
    private func describe(_ answer: TestResponse, without asked: String) throws -> String {
        var headers = answer.headers
        headers[.contentLength] = nil
        let text = "\(answer.status.code) \(headers) \(answer.text)"
        return text.replacingOccurrences(of: asked, with: "…")
    }
}
