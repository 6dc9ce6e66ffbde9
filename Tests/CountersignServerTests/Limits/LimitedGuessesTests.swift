import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("Guesses at user codes", .server)
struct LimitedUserCodeTests {
    let server = TestServer.current

    @Test func `wait longer and longer, a right one too`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        for number in 0..<9 { #expect(try await anna.guess(number).status == .unprocessableContent) }
        for (number, delay) in [1, 2, 4, 8, 16].enumerated() {
            #expect(try await anna.guess(9 + number).status == .unprocessableContent)
            for form: Form in [["user_code": "BBBB-BBBB"], ["user_code": codes.userCode.rawValue]] {
                let answer = try await anna.post("activate", form)
                #expect(answer.status == .tooManyRequests)
                #expect(answer.headers[.retryAfter] == "\(delay)")
                #expect(answer.text.contains("Too many attempts"))
                #expect(answer.text.contains("Wait \(delay) second"))
            }
            server.clock.advance(by: .seconds(delay))
        }
        #expect(try await anna.take(codes).status == .seeOther)
    }

    @Test func `are not forgotten for a right one between them`() async throws {
        let anna = try await server.browser(of: .anna)
        for number in 0..<9 { try await anna.guess(number) }
        #expect(try await anna.take(try await server.ask()).status == .seeOther)
        #expect(try await anna.guess(9).status == .unprocessableContent)
        #expect(try await anna.take(try await server.ask()).status == .tooManyRequests)
    }

    @Test(.server { $0.limits[.codePerAccount] = nil })
    func `count for the address, where one who has guessed little goes on at once`() async throws {
        let (anna, bert) = (try await server.browser(of: .anna), try await server.browser(of: .bert))
        // Ten wrong codes a minute do not stop the others.
        for number in 0..<60 {
            try await anna.guess(number)
            server.clock.advance(by: .seconds(6))
        }
        #expect(try await bert.take(try await server.ask()).status == .seeOther)
        for number in 100..<102 { #expect(try await bert.guess(number).status == .unprocessableContent) }
        #expect(try await bert.guess(102).status == .tooManyRequests)
    }

    @Test(.server { $0.trustedProxies = [AddressNetwork("192.0.2.1")!] })
    func `count for the account wherever it is used, and delay no other`() async throws {
        let (anna, bert) = (try await server.browser(of: .anna), try await server.browser(of: .bert))
        for number in 0..<12 {
            let answer = try await anna.post(
                "activate", Self.form(number), headers: [.xForwardedFor: "203.0.\(number).1"])
            #expect(answer.status == .unprocessableContent)
        }
        let elsewhere: HTTPFields = [.xForwardedFor: "198.51.100.7"]
        let refused = try await anna.post("activate", Self.form(12), headers: elsewhere)
        #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "1")
        let codes = try await server.ask()
        let right: Form = ["user_code": codes.userCode.rawValue]
        #expect(try await bert.post("activate", right, headers: elsewhere).status == .seeOther)
    }

    private static func form(_ number: Int) -> Form { ["user_code": TestBrowser.wrongCode(number)] }

    /// Or strangers who guess would keep everybody from signing in.
    @Test(.server { $0.limits[.userCodeOverall] = Limit(3, in: 60) })
    func `of everybody together raise the alarm, once in a span, and shut nobody out`() async throws {
        let anna = try await server.browser(of: .anna)
        for number in 0..<9 { #expect(try await anna.guess(number).status == .unprocessableContent) }
        #expect(try await anna.take(try await server.ask()).status == .seeOther)
        #expect(try await server.audited(.limitReached).map(\.detail) == ["user-code-overall 3/60"])
        let figure = "countersign_limits_flooded_total{limit=\"user-code-overall\"} 1"
        #expect(server.metrics.text().contains(figure))
    }

    @Test func `that are made at once are counted one by one`() async throws {
        let anna = try await server.browser(of: .anna)
        let answers = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for number in 0..<40 { group.addTask { try await anna.guess(number).status } }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(answers == [.unprocessableContent: 10, .tooManyRequests: 30])
    }

    @Test func `are none where the text can be no code, or is the visitor's own`() async throws {
        let anna = try await server.browser(of: .anna)
        let codes = try await server.ask()
        try await anna.decide("approve", codes)
        for _ in 0..<12 {
            #expect(try await anna.post("activate", ["user_code": "AEIO"]).status == .unprocessableContent)
            #expect(try await anna.take(codes).location?.hasPrefix("/activate/result?") == true)
        }
    }

    @Test func `cannot take one code again and again`() async throws {
        let codes = try await server.ask()
        let (anna, bert) = (try await server.browser(of: .anna), try await server.browser(of: .bert))
        for number in 0..<10 {
            #expect(try await (number % 2 == 0 ? anna : bert).take(codes).status == .seeOther)
        }
        #expect(try await anna.take(codes).status == .tooManyRequests)
    }
}

@Suite("Guesses at passwords", .server)
struct LimitedPasswordTests {
    let server = TestServer.current

    @Test func `wait longer and longer at one address, a right one too`() async throws {
        let browser = try await server.newBrowser()
        for _ in 0..<9 { #expect(try await browser.logIn("anna", "wrong").status == .forbidden) }
        for delay in [1, 2, 4, 8, 16] {
            #expect(try await browser.logIn("anna", "wrong").status == .forbidden)
            let answer = try await browser.logIn("anna", TestPerson.anna.password.revealed)
            #expect(answer.status == .tooManyRequests)
            #expect(answer.headers[.retryAfter] == "\(delay)")
            #expect(answer.text.contains("A passkey never waits"))
            #expect(try await browser.logIn("bert", TestPerson.bert.password.revealed).status == .seeOther)
            server.clock.advance(by: .seconds(delay))
        }
        #expect(try await browser.logIn("anna", TestPerson.anna.password.revealed).status == .seeOther)
    }

    @Test func `do not use up attempts when they are right`() async throws {
        for _ in 0..<40 { _ = try await server.browser(of: .anna) }
        let browser = try await server.newBrowser()
        for _ in 0..<9 { try await browser.logIn("anna", "wrong") }
        _ = try await server.browser(of: .anna)
        #expect(try await browser.logIn("anna", "wrong").status == .forbidden)
        #expect(try await browser.logIn("anna", "wrong").status == .tooManyRequests)
    }

    @Test(.server { $0.trustedProxies = [AddressNetwork("192.0.2.1")!] })
    func `count for names that are nobody's just the same`() async throws {
        let browser = try await server.newBrowser()
        let expected: [HTTPResponse.Status] = Array(repeating: .forbidden, count: 10) + [.tooManyRequests]
        for (name, address) in [("nobody", "203.0.113.1"), ("anna", "198.51.100.7")] {
            var answers: [HTTPResponse.Status] = []
            for _ in 0..<11 { answers.append(try await browser.logIn(name, "wrong", from: address).status) }
            #expect(answers == expected)
        }
    }

    @Test(
        .server {
            $0.limits[.guessPerAddress] = nil
            $0.limits[.passwordPerAccount] = Limit(20, in: 3600)
        })
    func `count as one however the name is written, whether it is somebody's or not`() async throws {
        let browser = try await server.newBrowser()
        let expected: [HTTPResponse.Status] = Array(repeating: .forbidden, count: 7) + [.tooManyRequests]
        for name in ["nobody", "anna"] {
            let written = [name, name.uppercased(), " \(name) ", name]
            var answers: [HTTPResponse.Status] = []
            for number in 0..<8 { answers.append(try await browser.logIn(written[number % 4], "wrong").status) }
            #expect(answers == expected)
        }
    }

    /// Half of the limit goes on before anybody has to wait; then the audit and the figures have it.
    @Test func `are written down once in a span, and right ones never`() async throws {
        let browser = try await server.newBrowser()
        let figure = "countersign_limits_hit_total{limit=\"guess-per-address\"}"
        func guess(_ times: Int, at name: String) async throws {
            for _ in 0..<times {
                #expect(try await browser.logIn(name, "wrong").status == .forbidden)
                server.clock.advance(by: .seconds(38))
            }
        }
        try await guess(14, at: "anna")
        for _ in 0..<3 {
            let right = try await server.newBrowser().logIn("anna", TestPerson.anna.password.revealed)
            #expect(right.status == .seeOther)
        }
        #expect(try await server.audited(.limitReached).isEmpty)
        #expect(!server.metrics.text().contains(figure))
        for span in 1...2 {
            try await guess(4, at: "nobody")
            let reached = try await server.audited(.limitReached)
            #expect(reached.map(\.detail) == Array(repeating: "guess-per-address 30/600", count: span))
            #expect(server.metrics.text().contains("\n\(figure) \(span)\n"))
            server.clock.advance(by: .seconds(600))
            try await guess(14, at: "nobody")
        }
    }

    @Test func `count for the address whatever the names`() async throws {
        let browser = try await server.newBrowser()
        for number in 0..<30 { #expect(try await browser.logIn("name-\(number)", "wrong").status == .forbidden) }
        #expect(try await browser.logIn("name-30", "wrong").status == .tooManyRequests)
    }

    @Test func `at other names from one address keep a new browser there waiting for a pause at most`() async throws {
        let (stranger, browser) = (try await server.newBrowser(), try await server.newBrowser())
        for number in 0..<120 {
            try await stranger.logIn("name-\(number)", "wrong")
            server.clock.advance(by: .seconds(5))
        }
        let refused = try await browser.logIn("anna", TestPerson.anna.password.revealed)
        if refused.status == .tooManyRequests {
            let delay = try #require(refused.headers[.retryAfter].flatMap { Int($0) })
            #expect(delay <= 69)
            server.clock.advance(by: .seconds(delay))
        }
        #expect(try await browser.logIn("anna", TestPerson.anna.password.revealed).status == .seeOther)
    }
}

@Suite("Guesses at what clients hold", .server)
struct LimitedClientGuessesTests {
    let server = TestServer.current

    @Test(.server { $0.limits[.wrongProofPerAddress] = Limit(60, in: 60) })
    func `at a secret end with their limit, and keep no right one out`() async throws {
        let wrong: Form = ["client_id": "robot", "client_secret": "wrong", "token": "any"]
        for _ in 0..<60 { #expect(try await server.post("/introspect", wrong).status == .unauthorized) }
        #expect(try await server.post("/introspect", wrong).status == .tooManyRequests)
        let right = try TestClients.robot.form.with(["token": "any"])
        #expect(try await server.post("/introspect", right).status == .ok)
        let answer = try await server.post("/introspect", wrong)
        #expect(answer.status == .tooManyRequests)
        #expect(answer.error == .temporarilyUnavailable)
        #expect(answer.headers[.retryAfter] == "60")
        server.clock.advance(by: .seconds(60))
        #expect(try await server.post("/introspect", wrong).status == .unauthorized)
    }

    @Test(.server { $0.limits[.wrongProofPerAddress] = Limit(60, in: 60) }, arguments: ["robot", "nobody"])
    func `at a secret look alike whether there is such a client`(name: String) async throws {
        let wrong: Form = ["client_id": name, "client_secret": "wrong", "token": "any"]
        var answers: Set<String> = []
        for _ in 0..<60 { answers.insert(try await server.post("/introspect", wrong).text) }
        #expect(answers.count == 1)
        #expect(try await server.post("/introspect", wrong).status == .tooManyRequests)
    }

    @Test(.server { $0.limits[.wrongProofPerAddress] = Limit(20, in: 60) })
    func `at secrets of ever other clients end too, and fill no table`() async throws {
        for number in 0..<25 {
            let wrong: Form = ["client_id": "client-\(number)", "client_secret": "wrong", "token": "any"]
            let answer = try await server.post("/introspect", wrong)
            #expect(answer.status == (number < 20 ? .unauthorized : .tooManyRequests))
        }
        // The one for the address.
        #expect(try await server.rows(of: "counts") == 1)
    }

    @Test(.server { $0.limits[.wrongProofPerAddress] = Limit(2, in: 60) })
    func `at secrets keep no right one out, at the same address and for the same client`() async throws {
        let right: Form = try TestClients.api.form.with(["token": "any"])
        var wrong = right
        wrong["client_secret"] = "wrong"
        for _ in 0..<2 { #expect(try await server.post("/introspect", wrong).status == .unauthorized) }
        for _ in 0..<3 {
            #expect(try await server.post("/introspect", wrong).status == .tooManyRequests)
            #expect(try await server.post("/introspect", right).status == .ok)
        }
    }

    @Test(.server { $0.limits[.wrongProofPerAddress] = Limit(5, in: 60) })
    func `at device codes and refresh tokens end too, and keep no right one out`() async throws {
        let codes = try await server.ask()
        var wrong = TestClients.tv.form
        wrong["grant_type"] = "refresh_token"
        wrong["refresh_token"] = "wrong"
        for _ in 0..<5 { #expect(try await server.post("/token", wrong).error == .invalidGrant) }
        #expect(try await server.post("/token", wrong).status == .tooManyRequests)
        let unknown = try TokenRequest.deviceCode(DeviceCode(revealing: "unknown")).form.with(TestClients.tv.form)
        #expect(try await server.post("/token", unknown).status == .tooManyRequests)
        #expect(try await server.poll(codes).error == .authorizationPending)
        #expect(try await server.honours(try await server.signedIn().accessToken))
    }
}

@Suite("What can be flooded")
struct FloodTests {
    @Test(arguments: [(LimitRule.startPerAddress, TestClients.tv), (.startPerClient, .console)])
    func `ends with so many requests for sign-in, and begins again later`(
        rule: LimitRule,
        client: TestClients
    ) async throws {
        try await TestServer.open { server in
            for _ in 0..<3 { _ = try await server.ask(as: client) }
            let answer = try await server.post("/device_authorization", client.form)
            #expect(answer.status == .tooManyRequests)
            #expect(answer.error == .temporarilyUnavailable)
            #expect(answer.headers[.retryAfter] == "600")
            #expect(try await server.rows(of: "exchanges") == 3)
            server.clock.advance(by: .seconds(600))
            _ = try await server.ask(as: client)
        } configuring: {
            $0.limits[rule] = Limit(3, in: 600)
        }
    }

    @Test(arguments: [(LimitRule.tokenPerAddress, TestClients.tv), (.tokenPerClient, .console)])
    func `ends with so many token requests`(rule: LimitRule, client: TestClients) async throws {
        try await TestServer.open { server in
            let codes = try await server.ask(as: client)
            for _ in 0..<3 { #expect(try await server.poll(codes, as: client).status == .badRequest) }
            #expect(try await server.poll(codes, as: client).status == .tooManyRequests)
            server.clock.advance(by: .seconds(60))
            #expect(try await server.poll(codes, as: client).status == .badRequest)
        } configuring: {
            $0.limits[rule] = Limit(3, in: 60)
        }
    }

    /// A backend has one address for all of its people, and shares it with others.
    @Test(
        .server {
            $0.limits[.startPerAddress] = Limit(1, in: 600)
            $0.limits[.tokenPerAddress] = Limit(1, in: 600)
        })
    func `of strangers ends nothing of a client with a secret at the same address, and the other way round`()
        async throws
    {
        let server = TestServer.current
        for _ in 0..<3 {
            let codes = try await server.ask(as: .console)
            #expect(try await server.poll(codes, as: .console).error == .authorizationPending)
        }
        let codes = try await server.ask()
        #expect(try await server.poll(codes).error == .authorizationPending)
        #expect(try await server.post("/device_authorization", TestClients.tv.form).status == .tooManyRequests)
        #expect(try await server.poll(codes).status == .tooManyRequests)
        let others = try await server.ask(as: .console)
        #expect(try await server.poll(others, as: .console).error == .authorizationPending)
    }

    @Test(.server { $0.limits[.tokenPerAddress] = Limit(2, in: 60) })
    func `ends with the limit of a network where clients fail to prove who they are`() async throws {
        let server = TestServer.current
        let wrong: Form = ["client_id": "console", "client_secret": "wrong", "token": "any"]
        for _ in 0..<2 { #expect(try await server.post("/revoke", wrong).status == .unauthorized) }
        #expect(try await server.post("/revoke", wrong).status == .tooManyRequests)
        let right = try TestClients.console.form.with(["token": "any"])
        #expect(try await server.post("/revoke", right).status == .ok)
    }
}

extension TestBrowser {
    /// Types a code that no screen shows.
    @discardableResult
    func guess(_ number: Int) async throws -> TestResponse {
        try await post("activate", ["user_code": Self.wrongCode(number)])
    }

    /// A code that no screen shows.
    fileprivate static func wrongCode(_ number: Int) -> String {
        let letters = Array("BCDFGHJKLM")
        let code = String(String(number).map { letters[$0.wholeNumberValue ?? 0] })
        return String(repeating: "Z", count: 8 - code.count) + code
    }

    @discardableResult
    fileprivate func logIn(_ name: String, _ password: String, from address: String? = nil) async throws -> TestResponse
    {
        try await post(
            "login", ["username": name, "password": password], headers: address.map { [.xForwardedFor: $0] } ?? [:])
    }
}

extension TestServer {
    /// Opens a server with other settings.
    fileprivate static func open(
        _ test: @Sendable (TestServer) async throws -> Void,
        configuring: (inout ServerSettings) -> Void
    ) async throws {
        try await open(configuring: configuring, test)
    }
}
