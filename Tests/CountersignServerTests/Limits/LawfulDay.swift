import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A day of strangers who do their worst, while Anna and the sites that she uses want to be served.
struct LawfulDay: Sendable {
    let server: TestServer
    let crowd: StrangerCrowd

    /// The number of times in the day that the strangers begin anew, and the others want something.
    static let rounds = 8
    /// The longest wait of anybody, in seconds.
    static let longestWait = 120
    /// The address of a network that Anna uses.
    static let home = "198.51.100.7"

    /// An address in a network where Anna never was before.
    static func newNetwork(_ round: Int) -> String { "198.51.101.\(round)" }

    /// Lets the server believe the addresses that the tests name.
    static let proxy: @Sendable (inout ServerSettings) -> Void = {
        $0.trustedProxies = [AddressNetwork("192.0.2.1")!]
    }

    static func open(
        with crowd: StrangerCrowd,
        configuring: @escaping @Sendable (inout ServerSettings) -> Void = { _ in },
        _ test: @escaping @Sendable (LawfulDay) async throws -> Void
    ) async throws {
        try await TestServer.open(configuring: { settings in
            proxy(&settings)
            configuring(&settings)
        }) { server in
            try await test(LawfulDay(server: server, crowd: crowd))
        }
    }

    /// Lives through the day.
    func live(
        strangers: @Sendable (_ round: Int) async throws -> Void,
        others: @Sendable (_ round: Int) async throws -> Void
    ) async throws {
        for round in 0..<Self.rounds {
            try await strangers(round)
            try await others(round)
            server.clock.advance(by: .seconds(86_400 / Self.rounds))
        }
    }

    /// Makes an attempt; if it is refused, waits as the refusal says, while strangers go on, and makes it again.
    func insist(
        on attempt: @Sendable () async throws -> TestResponse,
        beside strangers: @Sendable () async throws -> Void
    ) async throws -> TestResponse {
        let answer = try await attempt()
        guard answer.status == .tooManyRequests else { return answer }
        let delay = try #require(answer.headers[.retryAfter].flatMap { Int($0) })
        #expect((1...Self.longestWait).contains(delay))
        for part in [delay - 1, 1] {
            server.clock.advance(by: .seconds(part))
            try await strangers()
        }
        return try await attempt()
    }

    // MARK: Anna

    /// Notes that Anna was seen at home.
    func noteHome() async throws {
        let now = server.clock.date
        try await server.change { try VisitHistory($0).note(of: TestPerson.anna.subject, from: Self.home, at: now) }
    }

    /// Signs Anna in in a new browser, which shows a cookie of an earlier one if there is any.
    func signIn(from address: String, showing cookie: String? = nil) async throws -> TestResponse {
        try await logIn(TestPerson.anna.password.revealed, from: address, showing: cookie)
    }

    /// Tries a password of Anna's in a new browser.
    func logIn(_ password: String, from address: String, showing cookie: String? = nil) async throws -> TestResponse {
        let fresh = try await server.newBrowser()
        let browser = TestBrowser(
            server: server,
            cookie: [fresh.cookie, cookie].compactMap(\.self).joined(separator: "; "),
            formToken: fresh.formToken
        )
        return try await browser.post(
            "login", ["username": "anna", "password": password], headers: [.xForwardedFor: address])
    }

    /// Signs Anna in at home; returns the cookie that her browser is known by from now on.
    func knownBrowser() async throws -> String {
        let answer = try await signIn(from: Self.home)
        let cookie = answer.headers[values: .setCookie].first { $0.hasPrefix("countersign-known-8080=") }
        return String(try #require(cookie?.split(separator: ";").first))
    }

    /// A browser where Anna has just signed in.
    func browser(from address: String) async throws -> TestBrowser {
        let cookie = try #require(try await signIn(from: address).givenCookie)
        let account = try await server.get(server.path("account"), headers: [.cookie: cookie])
        return TestBrowser(
            server: server, cookie: cookie, formToken: try #require(account.field("form_token")))
    }

    // MARK: Strangers

    /// Guesses at something of Anna's, all at once, each from another network as far as there are any.
    func guess(_ rule: LimitRule, _ name: String, times: Int, from first: Int) async throws {
        let guesses = server.server.services.guesses
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in first..<first + times {
                let guess = Guess(
                    rule: rule, name: name, subject: TestPerson.anna.subject, address: crowd.address(number))
                group.addTask {
                    do { _ = try await guesses.admit(guess) } catch is RateLimitError {}
                }
            }
            try await group.waitForAll()
        }
    }

    /// Counts under keys as often as the limits let it, in one change; returns how often that was.
    @discardableResult
    func flood(
        times: Int,
        from first: Int,
        _ keys: @escaping @Sendable (_ number: Int, _ address: String) -> [RateLimitKey]
    ) async throws -> Int {
        let limits = server.server.services.limits
        return try await server.store.change { [crowd] repositories in
            var admitted = 0
            for number in first..<first + times {
                do {
                    try limits.admitAndCount(keys(number, crowd.address(number)), in: repositories)
                    admitted += 1
                } catch is RateLimitError {
                    continue
                }
            }
            return admitted
        }
    }
}
