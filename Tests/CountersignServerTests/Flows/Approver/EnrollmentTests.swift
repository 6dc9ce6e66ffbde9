import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A ticket with which a device is enrolled", .server)
struct EnrollmentTests {
    let server = TestServer.current

    @Test func `signs the app in once, and is written down`() async throws {
        try await server.addAuthenticatorApp()
        let answer = try await server.redeem(try await server.ticket())
        #expect(answer.status == .ok)
        let tokens = try answer.json(TokenResponse.self)
        #expect(try await server.honours(tokens.accessToken))
        #expect(tokens.refreshToken != nil)
        #expect(try await server.audited(.ticketMade).count == 1)
        let approved = try #require(try await server.audited(.approved).last)
        #expect(approved.detail == "account_password ticket_presented, by a ticket")
    }

    @Test func `is refused the second time, and what it gave ends`() async throws {
        try await server.addAuthenticatorApp()
        let ticket = try await server.ticket()
        let tokens = try await server.redeem(ticket).json(TokenResponse.self)
        let device = TestApprover(server: server, token: tokens.accessToken)
        #expect(try await device.register().status == .ok)
        server.clock.advance(by: .seconds(1))
        #expect(try await server.redeem(ticket).error == .invalidGrant)
        #expect(try await !server.honours(tokens.accessToken))
        #expect(try await server.audited(.ticketReused).count == 1)
        #expect(try await server.rows(of: "devices") == 0)
        #expect(try await server.audited(.deviceRemoved).count == 1)
        #expect(try await server.audited(.signedOut).isEmpty)
        #expect(try await server.redeem(ticket).error == .invalidGrant)
        #expect(try await server.audited(.ticketReused).count == 1)
    }

    @Test func `is refused when it is unknown, too old, or for another app`() async throws {
        try await server.addAuthenticatorApp()
        #expect(try await server.redeem(EnrollmentTicket(revealing: "unknown")).error == .invalidGrant)
        let old = try await server.ticket()
        server.clock.advance(by: .seconds(300))
        #expect(try await server.redeem(old).error == .invalidGrant)
        let ticket = EnrollmentTicket(revealing: "another app's")
        let now = server.clock.date
        try await server.change { repositories in
            try repositories.enrollmentTickets.insert(
                EnrollmentTicketRecord(
                    digest: ticket.digest, subject: TestPerson.anna.subject, client: ClientID("another"), made: now,
                    expires: now + 60))
        }
        #expect(try await server.redeem(ticket).error == .invalidGrant)
        #expect(try await server.redeem(ticket, as: TestClients.console.id).error != nil)
    }

    @Test func `without a person who proved who they are gives nothing`() async throws {
        try await server.addAuthenticatorApp()
        let ticket = EnrollmentTicket(revealing: "made by a backend")
        let now = server.clock.date
        try await server.change { repositories in
            try repositories.enrollmentTickets.insert(
                EnrollmentTicketRecord(
                    digest: ticket.digest, subject: TestPerson.anna.subject, made: now, expires: now + 60))
        }
        #expect(try await server.redeem(ticket).error == .invalidGrant)
    }

    @Test func `ends with the browser session in which it was made, unless a device was signed in by it`() async throws
    {
        try await server.addAuthenticatorApp()
        let anna = try await server.browser(of: .anna)
        let (used, unused) = (try await server.ticket(at: anna), try await server.ticket(at: anna))
        let others = try await server.ticket()
        #expect(try await server.redeem(used).status == .ok)
        #expect(try await anna.confirm("logout").status == .seeOther)
        #expect(try await server.redeem(unused).error == .invalidGrant)
        #expect(try await server.redeem(others).status == .ok)
        // The second use of a ticket ends what the first one gave, also after the session.
        server.clock.advance(by: .seconds(1))
        #expect(try await server.redeem(used).error == .invalidGrant)
        #expect(try await server.audited(.ticketReused).count == 1)
    }

    /// As after another password, and after factors were removed.
    @Test func `ends with the browsers that the operator signs out`() async throws {
        try await server.addAuthenticatorApp()
        let ticket = try await server.ticket()
        let now = server.clock.date
        try await server.change { try Sessions($0).endAll(of: TestPerson.anna.subject, at: now) }
        #expect(try await server.redeem(ticket).error == .invalidGrant)
    }

    @Test func `of a person who is locked meanwhile gives nothing`() async throws {
        try await server.addAuthenticatorApp()
        let ticket = try await server.ticket()
        try await server.lock(.anna)
        #expect(try await server.redeem(ticket).error == .invalidGrant)
    }

    @Test func `is made on a form of the account page alone, as a QR code and as text`() async throws {
        let anna = try await server.browser(of: .anna)
        let page = try await anna.post("account/devices/add", [:])
        #expect(page.status == .ok && page.text.contains("<path d=\"M") && page.text.contains("5 minutes"))
        #expect(page.headers[.cacheControl]?.contains("no-store") == true)
        #expect(try await anna.post("account/devices/add", ["form_token": "x"]).status == .forbidden)
        #expect(try await server.rows(of: "enrollment_tickets") == 1)
        server.clock.advance(by: .seconds(3600))
        let later = try await anna.post("account/devices/add", [:])
        #expect(later.location?.contains("/login?") == true)
    }

    @Test func `brings a browser to a page that says what to do`() async throws {
        let page = try await server.get(server.path("authenticator/enroll"))
        #expect(page.status == .ok && page.text.contains("Scan this code with the app"))
    }
}
