import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOConcurrencyHelpers
import Testing

@testable import CountersignServer

/// THREATS: a stolen cookie, whose form arrives slowly while the session is ended.
@Suite("A form whose session has ended since it was looked up")
struct EndedSessionTests {
    /// A person who was seen at their browser, and has signed out since, unless the session ends in another way.
    private func withLeaver(
        making isAdministrator: Bool = false,
        endingBy end: @escaping @Sendable (TestServer, TestBrowser, SignedInVisitor) async throws -> Void = {
            _, browser, _ in _ = try await browser.confirm("logout")
        },
        _ test: @escaping @Sendable (TestServer, SignedInVisitor, BrowserCookie) async throws -> Void
    ) async throws {
        try await TestServer.open { server in
            let anna = try await server.browser(of: .anna)
            if isAdministrator { try await server.promote(.anna) }
            let text = try #require(anna.cookie.split(separator: "=").last)
            let cookie = BrowserCookie(revealing: String(text))
            let services = server.server.services
            let sessions = BrowserSessions(
                store: services.store, keys: services.keys, mint: services.mint, clock: services.clock, lifetime: 3600)
            let visitor = try #require(try await sessions.visitor(presenting: cookie).signedIn)
            try await end(server, anna, visitor)
            try await test(server, visitor, cookie)
        }
    }

    @Test func `makes no ticket for enrolment`() async throws {
        try await withLeaver { server, visitor, _ in
            let tickets = EnrollmentTickets(core: server.server.services.core)
            await #expect(throws: SessionEndedError.self) { try await tickets.make(for: visitor, from: nil) }
        }
    }

    @Test func `changes no way to sign in`() async throws {
        try await withLeaver { server, visitor, _ in
            let passwords = server.server.services.accounts.oneTimePasswords
            let secret = SharedSecret(drawingFrom: .system)
            let password = TOTP(HOTP(secret: secret)).password(at: server.clock.date)
            await #expect(throws: SessionEndedError.self) {
                try await passwords.enroll(secret, by: .time, confirmedBy: password, of: visitor, from: nil)
            }
            await #expect(throws: SessionEndedError.self) {
                try await passwords.renewRecoveryCodes(of: visitor, from: nil)
            }
            await #expect(throws: SessionEndedError.self) { try await passwords.remove(of: visitor, from: nil) }
            let links = server.server.services.providers.links
            let identity = ProvenIdentity(
                confirmedBy: IdentityIssuer("https://other.example"),
                subject: "1",
                how: .accessToken,
                name: nil,
                at: server.clock.date
            )
            await #expect(throws: SessionEndedError.self) {
                try await links.connect(identity, with: visitor, from: nil)
            }
            let hasFactor = try await passwords.isEnrolled(TestPerson.anna.subject)
            #expect(!hasFactor)
        }
    }

    @Test func `ends nothing that the person has`() async throws {
        try await withLeaver { server, visitor, _ in
            let isRun = NIOLockedValueBox(false)
            await #expect(throws: SessionEndedError.self) {
                try await server.store.change(for: visitor, at: server.clock.date) { _ in
                    isRun.withLockedValue { $0 = true }
                }
            }
            #expect(!isRun.withLockedValue { $0 })
        }
    }

    @Test func `changes nothing for an administrator`() async throws {
        try await withLeaver(making: true) { server, visitor, _ in
            let services = server.server.services
            let register = ClientRegistry(
                of: server.store, for: .person(visitor.session), mint: services.mint, clock: server.serverClock)
            await #expect(throws: SessionEndedError.self) { try await register.remove(TestClients.tv.id) }
            let tv = try await server.store.read { try $0.clients.find(TestClients.tv.id) }
            #expect(tv != nil)
        }
    }

    @Test func `ends nothing that the person has when the session has expired`() async throws {
        try await withLeaver(endingBy: Self.expire) { server, visitor, cookie in
            // The row is there until the next clean-up.
            let stored = try await server.store.read { try $0.browserSessions.find(cookie.digest) }
            #expect(stored != nil)
            let isRun = NIOLockedValueBox(false)
            await #expect(throws: SessionEndedError.self) {
                try await server.store.change(for: visitor, at: server.clock.date) { _ in
                    isRun.withLockedValue { $0 = true }
                }
            }
            #expect(!isRun.withLockedValue { $0 })
        }
    }

    @Test func `changes nothing for an administrator whose session has expired`() async throws {
        try await withLeaver(making: true, endingBy: Self.expire) { server, visitor, _ in
            let register = ClientRegistry(
                of: server.store,
                for: .person(visitor.session),
                mint: server.server.services.mint,
                clock: server.serverClock
            )
            await #expect(throws: SessionEndedError.self) { try await register.remove(TestClients.tv.id) }
            let left = try await server.store.read { try $0.clients.find(TestClients.tv.id) }
            #expect(left != nil)
        }
    }

    @Test func `says of an administrator who was locked that they are none`() async throws {
        try await withLeaver(making: true, endingBy: { server, _, _ in try await server.lock(.anna) }) {
            server, visitor, _ in
            let register = ClientRegistry(
                of: server.store,
                for: .person(visitor.session),
                mint: server.server.services.mint,
                clock: server.serverClock
            )
            await #expect(throws: Administrator.NotAdministratorError.self) {
                try await register.remove(TestClients.tv.id)
            }
        }
    }

    /// Waits until the session has expired.
    @Sendable private static func expire(
        _ server: TestServer,
        _ browser: TestBrowser,
        _ visitor: SignedInVisitor
    ) async throws {
        server.clock.advance(by: .seconds(visitor.session.expires.timeIntervalSince(server.clock.date) + 1))
    }
}
