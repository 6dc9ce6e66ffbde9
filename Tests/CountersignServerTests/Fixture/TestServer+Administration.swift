import Countersign
import CountersignTesting
import Foundation
import HummingbirdTesting
import Testing

@testable import CountersignServer

extension TestServer {
    /// The people of the server for a user of the command, or for an administrator at a browser.
    func people(for administrator: Administrator = .operator) -> PersonRegistry {
        PersonRegistry(
            of: store, for: administrator, mint: CodeMint(drawingFrom: .system), clock: serverClock)
    }

    var limits: LimitRegistry {
        LimitRegistry(of: store, mint: CodeMint(drawingFrom: .system), clock: serverClock)
    }

    var registrationTokens: RegistrationTokenRegistry {
        RegistrationTokenRegistry(of: store, mint: CodeMint(drawingFrom: .system), clock: serverClock)
    }

    /// Counts for a key until its limit is reached.
    func exhaust(_ rateKey: RateLimitKey) async throws {
        let limiter = StoredRateLimiter(limits: settings.limits, clock: serverClock)
        let limit = try #require(limiter.limits[rateKey])
        try await change { _ = try limiter.count(limit.most, to: rateKey, limit, in: $0) }
    }

    /// A browser where a person with a role has just proved two factors.
    func administrator(
        _ person: TestPerson = .anna, as role: PersonRole = .operator, by authentication: Authentication = .passkey
    ) async throws -> TestBrowser {
        try await promote(person, to: role)
        let browser = try await browser(of: person)
        try await browser.authenticate(by: authentication)
        return browser
    }

    /// The session of an administrator at a browser.
    func administratorSession(_ person: TestPerson = .anna, as role: PersonRole) async throws -> Administrator {
        try await promote(person, to: role)
        return .person(try await session(of: person))
    }
}

extension TestBrowser {
    /// Sends a form of administrators with the version of the record that a page shows.
    ///
    /// - Parameters:
    ///   - path: The path of the form.
    ///   - form: The other fields.
    ///   - page: The path of the page with the form.
    func change(_ path: String, _ form: Form, shownBy page: String) async throws -> TestResponse {
        var form = form
        form[RecordVersion.field] = try await get(page).field(RecordVersion.field)
        return try await post(path, form)
    }

    /// Notes in the session that its person has just authenticated in some way.
    func authenticate(by authentication: Authentication) async throws {
        let text = try #require(cookie.split(separator: "=").last)
        let digest = BrowserCookie(revealing: String(text)).digest
        let now = server.clock.date
        try await server.change { repositories in
            let session = try #require(try repositories.browserSessions.find(digest))
            try repositories.browserSessions.remove(digest)
            try repositories.browserSessions.insert(
                BrowserSession(
                    cookie: digest, id: session.id, subject: session.subject, authenticated: now,
                    expires: session.expires, by: authentication, opening: session.opening,
                    at: session.browser, lastUsed: now))
        }
    }
}

extension TestServer {
    /// Gives a person one-time passwords.
    func enrollOneTimePasswords(of person: TestPerson) async throws {
        let record = OneTimePasswordRecord(subject: person.subject, sealedSecret: [1, 2, 3], enrolled: clock.date)
        try await change { try $0.oneTimePasswords.keep(record) }
    }
}
