import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

@Suite("The QR code of a site", .server)
struct CustomerSiteCodeTests {
    let server = TestServer.current

    private func path(_ address: String?, at server: TestServer) throws -> String {
        String(try #require(address).dropFirst(server.issuer.text.count))
    }

    @Test func `is offered while the person has no device there, as a page and as a picture`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let asked = try await customer.open()
        let path = try path(asked.invitation, at: server)
        #expect(path == "/auth/v1.0/instant/\(asked.id)/qr")
        let page = try await server.get(path, headers: [.accept: "text/html"])
        #expect(page.status == .ok && page.text.contains("Add your phone to My Bank"))
        #expect(page.headers[.cacheControl] == "no-store")
        let picture = try await server.get(path, headers: [.accept: "image/avif,image/*"])
        #expect(picture.headers[.contentType] == "image/svg+xml" && picture.text.hasPrefix("<svg"))
        let dots = try await server.get(path, headers: [.accept: "image/png"])
        #expect(dots.headers[.contentType] == "image/png" && dots.headers[.vary] == "Accept")
        #expect(Array(dots.body.readableBytesView.prefix(4)) == [0x89, 0x50, 0x4E, 0x47])
        #expect(try await customer.read(asked).invitation == asked.invitation)
        #expect(try await server.get("/auth/v1.0/instant/none/qr").status == .notFound)
    }

    @Test(arguments: [
        ("text/html,application/xhtml+xml,image/png,image/svg+xml,*/*;q=0.8", "text/html; charset=utf-8"),
        ("*/*", "image/svg+xml"), ("", "image/svg+xml"), ("image/*", "image/svg+xml"),
        ("image/webp,image/png,image/svg+xml;q=0.2", "image/png"), ("image/png;q=0, image/*", "image/svg+xml"),
        ("image/png;q=x", "image/svg+xml"), ("application/json", "image/svg+xml"),
    ])
    func `comes as what the client accepts`(accepted: String, type: String) async throws {
        let customer = try await TestCustomer.add(to: server)
        let path = try path(try await customer.open().invitation, at: customer.server)
        let answer = try await customer.server.get(path, headers: [.accept: accepted])
        #expect(answer.headers[.contentType] == type)
    }

    @Test func `says a ticket of ours, which joins the site and signs nobody in`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let asked = try await customer.open()
        let requests = server.flow(CustomerSitesFlow.self).requests
        let found = try await requests.invitation(of: SignInRequest.ID(asked.id.rawValue))
        let invitation = try #require(found).1
        guard case .ticket(let issuer, let ticket) = invitation else {
            Issue.record("no ticket")
            return
        }
        #expect(issuer == server.issuer.text && CustomerSiteInvitation(invitation.revealed) == invitation)
        let stored = try await server.store.read { try $0.enrollmentTickets.find(ticket.digest) }
        #expect(stored?.subject == TestPerson.anna.subject && stored?.environment == customer.environment.id)
        #expect(stored?.evidence == Evidence() && stored?.sealedSecret == nil)
        server.clock.setDate(server.clock.date + 301)
        #expect(try await server.get("/auth/v1.0/instant/\(asked.id)/qr").status == .notFound)
    }

    @Test func `is not offered to a person who has a device there`() async throws {
        let customer = try await TestCustomer.add(to: server)
        try await customer.enrollDevice()
        let asked = try await customer.open()
        #expect(asked.invitation == nil)
        #expect(try await customer.server.get("/auth/v1.0/instant/\(asked.id)/qr").status == .notFound)
    }

    @Test func `is offered for a number of nobody like for one of somebody`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let asked = try await customer.open(.instant, ["to": "\"\(TestCustomer.nobody)\""])
        let path = try path(asked.invitation, at: customer.server)
        #expect(try await customer.server.get(path).status == .ok)
    }
}
