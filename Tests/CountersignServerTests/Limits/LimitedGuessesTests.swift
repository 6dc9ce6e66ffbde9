import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("Guesses at user codes")
struct LimitedUserCodeTests {
    @Test func `wait longer and longer, a right one too`() async throws {
        try await TestServer.open { server in
            let codes = try await server.ask()
            let anna = try await server.browser(of: .anna)
            for number in 0..<2 { #expect(try await anna.guess(number).status == .unprocessableContent) }
            for (number, delay) in [1, 2, 10, 10, 10].enumerated() {
                #expect(try await anna.guess(2 + number).status == .unprocessableContent)
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
    }

    @Test func `are not forgotten for a right one between them`() async throws {
        try await TestServer.open { server in
            let anna = try await server.browser(of: .anna)
            for number in 0..<2 { try await anna.guess(number) }
            #expect(try await anna.take(try await server.ask()).status == .seeOther)
            #expect(try await anna.guess(9).status == .unprocessableContent)
            #expect(try await anna.take(try await server.ask()).status == .tooManyRequests)
        }
    }

    @Test func `count for the address, where one who has guessed little goes on at once`() async throws {
        try await TestServer.open { server in
            let (anna, bert) = (try await server.browser(of: .anna), try await server.browser(of: .bert))
            // Ten wrong codes a minute, for ten minutes, do not stop the others.
            for number in 0..<100 {
                try await anna.guess(number)
                server.clock.advance(by: .seconds(6))
            }
            #expect(try await bert.take(try await server.ask()).status == .seeOther)
            for number in 100..<102 { #expect(try await bert.guess(number).status == .unprocessableContent) }
            #expect(try await bert.guess(102).status == .tooManyRequests)
        }
    }

    @Test func `count for the account wherever it is used, and for all together`() async throws {
        for (name, most) in [(LimitName.userCodePerAccount, 10), (.userCodeOverall, 300)] {
            try await TestServer.open { server in
                let anna = try await server.browser(of: .anna)
                for number in 0..<most { #expect(try await anna.guess(number).status == .unprocessableContent) }
                #expect(try await anna.guess(most).status == .tooManyRequests)
            } configuring: { settings in
                for other in [LimitName.userCodePerAddress, .userCodePerAccount, .userCodeOverall] where other != name {
                    settings.limits[other] = nil
                }
            }
        }
    }

    @Test func `that are made at once are counted one by one`() async throws {
        try await TestServer.open { server in
            let anna = try await server.browser(of: .anna)
            let answers = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for number in 0..<40 { group.addTask { try await anna.guess(number).status } }
                return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(answers == [.unprocessableContent: 3, .tooManyRequests: 37])
        }
    }

    @Test func `are none where the text can be no code, or is the visitor's own`() async throws {
        try await TestServer.open { server in
            let anna = try await server.browser(of: .anna)
            let codes = try await server.ask()
            try await anna.decide("approve", codes)
            for _ in 0..<12 {
                #expect(try await anna.post("activate", ["user_code": "AEIO"]).status == .unprocessableContent)
                #expect(try await anna.take(codes).status == .unprocessableContent)
            }
        }
    }

    @Test func `cannot take one code again and again`() async throws {
        try await TestServer.open { server in
            let codes = try await server.ask()
            let (anna, bert) = (try await server.browser(of: .anna), try await server.browser(of: .bert))
            for number in 0..<10 {
                #expect(try await (number % 2 == 0 ? anna : bert).take(codes).status == .seeOther)
            }
            #expect(try await anna.take(codes).status == .tooManyRequests)
        }
    }
}

@Suite("Guesses at passwords")
struct LimitedPasswordTests {
    @Test func `wait longer and longer at one address, a right one too`() async throws {
        try await TestServer.open { server in
            let browser = try await server.newBrowser()
            for _ in 0..<2 { #expect(try await browser.logIn("anna", "wrong").status == .forbidden) }
            for delay in [1, 2, 100, 100] {
                #expect(try await browser.logIn("anna", "wrong").status == .forbidden)
                let answer = try await browser.logIn("anna", TestPerson.anna.password.revealed)
                #expect(answer.status == .tooManyRequests)
                #expect(answer.headers[.retryAfter] == "\(delay)")
                #expect(try await browser.logIn("bert", TestPerson.bert.password.revealed).status == .seeOther)
                server.clock.advance(by: .seconds(delay))
            }
            #expect(try await browser.logIn("anna", TestPerson.anna.password.revealed).status == .seeOther)
        }
    }

    @Test func `do not use up attempts when they are right`() async throws {
        try await TestServer.open { server in
            for _ in 0..<40 { _ = try await server.browser(of: .anna) }
            let browser = try await server.newBrowser()
            for _ in 0..<2 { try await browser.logIn("anna", "wrong") }
            _ = try await server.browser(of: .anna)
            #expect(try await browser.logIn("anna", "wrong").status == .forbidden)
            #expect(try await browser.logIn("anna", "wrong").status == .tooManyRequests)
        }
    }

    @Test func `count for names that are nobody's just the same`() async throws {
        try await TestServer.open { server in
            let browser = try await server.newBrowser()
            for name in ["nobody", "anna"] {
                var answers: [HTTPResponse.Status] = []
                for _ in 0..<4 { answers.append(try await browser.logIn(name, "wrong").status) }
                #expect(answers == [.forbidden, .forbidden, .forbidden, .tooManyRequests])
            }
        }
    }

    @Test func `count as one however the name is written, whether it is somebody's or not`() async throws {
        try await TestServer.open { server in
            let browser = try await server.newBrowser()
            for name in ["nobody", "anna"] {
                var answers: [HTTPResponse.Status] = []
                for written in [name, name.uppercased(), " \(name) ", name] {
                    answers.append(try await browser.logIn(written, "wrong").status)
                }
                #expect(answers == [.forbidden, .forbidden, .forbidden, .tooManyRequests])
            }
        }
    }

    @Test func `are written down once, and right ones never`() async throws {
        try await TestServer.open { server in
            let browser = try await server.newBrowser()
            for _ in 0..<4 {
                #expect(try await browser.logIn("anna", "wrong").status == .forbidden)
                server.clock.advance(by: .seconds(100))
            }
            for _ in 0..<3 {
                let right = try await server.newBrowser().logIn("anna", TestPerson.anna.password.revealed)
                #expect(right.status == .seeOther)
            }
            #expect(try await server.audit().filter { $0.facts.act == .limitReached }.isEmpty)
            for _ in 0..<3 {
                _ = try await browser.logIn("anna", "wrong")
                server.clock.advance(by: .seconds(30))
            }
            let reached = try await server.audit().filter { $0.facts.act == .limitReached }
            #expect(reached.map(\.facts.detail) == ["password-per-account-and-address 10/600"])
        }
    }

    @Test func `count for the address whatever the names`() async throws {
        try await TestServer.open { server in
            let browser = try await server.newBrowser()
            for number in 0..<10 { #expect(try await browser.logIn("name-\(number)", "wrong").status == .forbidden) }
            #expect(try await browser.logIn("name-10", "wrong").status == .tooManyRequests)
        }
    }

    @Test func `at other names from one address keep a new browser there waiting for a pause at most`() async throws {
        try await TestServer.open { server in
            let (stranger, browser) = (try await server.newBrowser(), try await server.newBrowser())
            for number in 0..<120 {
                try await stranger.logIn("name-\(number)", "wrong")
                server.clock.advance(by: .seconds(5))
            }
            let refused = try await browser.logIn("anna", TestPerson.anna.password.revealed)
            if refused.status == .tooManyRequests {
                let delay = try #require(refused.headers[.retryAfter].flatMap { Int($0) })
                #expect(delay <= 38)
                server.clock.advance(by: .seconds(delay))
            }
            #expect(try await browser.logIn("anna", TestPerson.anna.password.revealed).status == .seeOther)
        }
    }
}

@Suite("Guesses at what clients hold")
struct LimitedClientGuessesTests {
    @Test func `at a secret end after sixty in a minute, and keep no right one out`() async throws {
        try await TestServer.open { server in
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
    }

    @Test(arguments: ["robot", "nobody"])
    func `at a secret look alike whether there is such a client`(name: String) async throws {
        try await TestServer.open { server in
            let wrong: Form = ["client_id": name, "client_secret": "wrong", "token": "any"]
            var answers: Set<String> = []
            for _ in 0..<60 { answers.insert(try await server.post("/introspect", wrong).text) }
            #expect(answers.count == 1)
            #expect(try await server.post("/introspect", wrong).status == .tooManyRequests)
        }
    }

    @Test func `at secrets of ever other clients end too, and fill no table`() async throws {
        try await TestServer.open { server in
            for number in 0..<25 {
                let wrong: Form = ["client_id": "client-\(number)", "client_secret": "wrong", "token": "any"]
                let answer = try await server.post("/introspect", wrong)
                #expect(answer.status == (number < 20 ? .unauthorized : .tooManyRequests))
            }
            // One for each name that was counted, and one for the address.
            #expect(try await server.rows(of: "counts") == 21)
        } configuring: {
            $0.limits[.clientSecretPerAddress] = Limit(20, in: 60)
        }
    }

    @Test func `at secrets keep no right one out, at the same address and for the same client`() async throws {
        try await TestServer.open { server in
            let right: Form = try TestClients.api.form.with(["token": "any"])
            var wrong = right
            wrong["client_secret"] = "wrong"
            for _ in 0..<2 { #expect(try await server.post("/introspect", wrong).status == .unauthorized) }
            for _ in 0..<3 {
                #expect(try await server.post("/introspect", wrong).status == .tooManyRequests)
                #expect(try await server.post("/introspect", right).status == .ok)
            }
        } configuring: {
            $0.limits[.clientSecretPerClientAndAddress] = Limit(2, in: 60)
            $0.limits[.clientSecretPerAddress] = Limit(2, in: 60)
        }
    }

    @Test func `at device codes and refresh tokens end too`() async throws {
        try await TestServer.open { server in
            let codes = try await server.ask()
            var wrong = TestClients.tv.form
            wrong["grant_type"] = "refresh_token"
            wrong["refresh_token"] = "wrong"
            for _ in 0..<5 { #expect(try await server.post("/token", wrong).error == .invalidGrant) }
            #expect(try await server.post("/token", wrong).status == .tooManyRequests)
            #expect(try await server.poll(codes).status == .tooManyRequests)
        } configuring: {
            $0.limits[.grantPerAddress] = Limit(5, in: 60)
        }
    }
}

@Suite("What can be flooded")
struct FloodTests {
    @Test(arguments: [LimitName.startPerAddress, .startPerClient, .startOverall])
    func `ends with so many requests for sign-in, and begins again later`(limit: LimitName) async throws {
        try await TestServer.open { server in
            for _ in 0..<3 { _ = try await server.ask() }
            let answer = try await server.post("/device_authorization", TestClients.tv.form)
            #expect(answer.status == .tooManyRequests)
            #expect(answer.error == .temporarilyUnavailable)
            #expect(answer.headers[.retryAfter] == "600")
            #expect(try await server.rows(of: "exchanges") == 3)
            server.clock.advance(by: .seconds(600))
            _ = try await server.ask()
        } configuring: {
            $0.limits[limit] = Limit(3, in: 600)
        }
    }

    @Test(arguments: [LimitName.tokenPerAddress, .tokenPerClient])
    func `ends with so many token requests`(limit: LimitName) async throws {
        try await TestServer.open { server in
            let codes = try await server.ask()
            for _ in 0..<3 { #expect(try await server.poll(codes).status == .badRequest) }
            #expect(try await server.poll(codes).status == .tooManyRequests)
            server.clock.advance(by: .seconds(60))
            #expect(try await server.poll(codes).status == .badRequest)
        } configuring: {
            $0.limits[limit] = Limit(3, in: 60)
        }
    }
}

extension TestBrowser {
    /// Types a code that no screen shows.
    @discardableResult
    func guess(_ number: Int) async throws -> TestResponse {
        let letters = Array("BCDFGHJKLM")
        let code = String(String(number).map { letters[$0.wholeNumberValue ?? 0] })
        return try await post("activate", ["user_code": String(repeating: "Z", count: 8 - code.count) + code])
    }

    @discardableResult
    fileprivate func logIn(_ name: String, _ password: String) async throws -> TestResponse {
        try await post("login", ["username": name, "password": password])
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
