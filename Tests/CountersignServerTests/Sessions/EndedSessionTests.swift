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
    /// A person who was seen at their browser, and has signed out since.
    private func withLeaver(
        making isAdministrator: Bool = false,
        _ test: @escaping @Sendable (TestServer, SignedInVisitor, BrowserCookie) async throws -> Void
    ) async throws {
        try await TestServer.open { server in
            let anna = try await server.browser(of: .anna)
            if isAdministrator {
                try await server.change { repositories in
                    var person = try #require(try repositories.people.find(TestPerson.anna.subject))
                    person.isAdministrator = true
                    try repositories.people.update(person)
                }
            }
            let text = try #require(anna.cookie.split(separator: "=").last)
            let cookie = BrowserCookie(revealing: String(text))
            let services = server.server.services
            let sessions = BrowserSessions(
                store: services.store, keys: services.keys, mint: services.mint, clock: services.clock, lifetime: 3600)
            let visitor = try #require(try await sessions.visitor(presenting: cookie).signedIn)
            _ = try await anna.post("logout", [:])
            try await test(server, visitor, cookie)
        }
    }

    @Test func `makes no ticket`() async throws {
        try await withLeaver { server, visitor, _ in
            let tickets = EnrollmentTickets(
                store: server.store, mint: server.server.services.mint, clock: server.serverClock,
                issuer: server.issuer)
            await #expect(throws: SessionEnded.self) { try await tickets.make(for: visitor, from: nil) }
        }
    }

    @Test func `changes no way to sign in`() async throws {
        try await withLeaver { server, visitor, _ in
            let passwords = server.server.services.oneTimePasswords
            let secret = SharedSecret(drawingFrom: .system)
            let password = TOTP(HOTP(secret: secret)).password(at: server.clock.date)
            await #expect(throws: SessionEnded.self) {
                try await passwords.enroll(secret, by: .time, confirmedBy: password, of: visitor, from: nil)
            }
            await #expect(throws: SessionEnded.self) {
                try await passwords.renewRecoveryCodes(of: visitor, from: nil)
            }
            await #expect(throws: SessionEnded.self) { try await passwords.remove(of: visitor, from: nil) }
            let links = server.server.services.links
            let identity = ProvenIdentity(
                confirmedBy: IdentityIssuer("https://other.example"),
                subject: "1",
                how: .accessToken,
                name: nil,
                at: server.clock.date
            )
            await #expect(throws: SessionEnded.self) { try await links.connect(identity, with: visitor, from: nil) }
            let hasFactor = try await passwords.isEnrolled(TestPerson.anna.subject)
            #expect(!hasFactor)
        }
    }

    @Test func `ends nothing that the person has`() async throws {
        try await withLeaver { server, visitor, _ in
            let isRun = NIOLockedValueBox(false)
            await #expect(throws: SessionEnded.self) {
                try await server.store.change(for: visitor) { _ in isRun.withLockedValue { $0 = true } }
            }
            #expect(!isRun.withLockedValue { $0 })
        }
    }

    @Test func `changes nothing for an administrator`() async throws {
        try await withLeaver(making: true) { server, visitor, _ in
            let services = server.server.services
            let register = ClientRegistry(
                of: server.store, for: .person(visitor.session), mint: services.mint, clock: server.serverClock)
            await #expect(throws: SessionEnded.self) { try await register.remove(TestClients.tv.id) }
            let tv = try await server.store.read { try $0.clients.find(TestClients.tv.id) }
            #expect(tv != nil)
        }
    }
}
