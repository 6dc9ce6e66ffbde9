import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 10027 for the attack; RFC 8628 §3.3.1 for the link.
@Suite("A link that a screen renews each minute")
struct FreshLinkTests {
    private let home = TestScreenByLink.home
    private let elsewhere = TestScreenByLink.elsewhere

    /// The value of the mark's parameter in a link.
    private func mark(_ link: String?) throws -> String {
        String(try #require(link?.split(separator: "at=", maxSplits: 1).last))
    }

    private func path(_ screen: TestScreenByLink, _ mark: String) -> String {
        "activate?user_code=\(screen.codes.userCode)&at=\(mark)"
    }

    /// A person opens the link with this mark, and the browser keeps what it is given.
    private func opening(_ mark: String, of screen: TestScreenByLink, _ person: TestBrowser) async throws -> TestBrowser
    {
        let page = try await person.get(path(screen, mark))
        let cookies = [person.cookie, page.givenCookie].compactMap(\.self).joined(separator: "; ")
        return TestBrowser(server: person.server, cookie: cookies, formToken: person.formToken)
    }

    private func newest(_ screen: TestScreenByLink) async throws -> String {
        try #require(try await screen.poll().json(OAuthErrorResponse.self).link).rawValue
    }

    @Test func `is of no use two minutes later, and the newest one is`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server, renewingLinks: true)
            let anna = try await server.browser(of: .anna)
            let first = try mark(screen.codes.verificationURIComplete)
            server.clock.advance(by: .seconds(130))
            let late = try await opening(first, of: screen, anna).post(
                "activate", screen.named.with(["by_link": "1"]), headers: [.xForwardedFor: elsewhere])
            #expect(late.status == .unprocessableContent)
            #expect(late.text.contains("a link or a picture is not enough"))
            #expect(!late.visible.contains(screen.codes.userCode.rawValue))

            let second = try await newest(screen)
            #expect(second != first)
            let arrived = try await opening(second, of: screen, anna)
            let taken = try await screen.open(arrived, at: elsewhere)
            #expect(taken.location?.hasPrefix("/activate/confirm?") == true)
            #expect(try await screen.number() != nil)
            // The typed code needs no link.
            #expect(try await screen.type(anna, at: elsewhere).location?.hasPrefix("/activate/confirm?") == true)
        }
    }

    @Test(arguments: [(119, true), (121, false)])
    func `counts for its minute and the next one, in the network of the screen too`(
        seconds: Int,
        counts: Bool
    ) async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server, renewingLinks: true)
            let anna = try await server.browser(of: .anna)
            let first = try mark(screen.codes.verificationURIComplete)
            server.clock.advance(by: .seconds(seconds))
            let answer = try await screen.open(try await opening(first, of: screen, anna), at: home)
            #expect(answer.status == (counts ? .seeOther : .unprocessableContent))
        }
    }

    @Test func `may be opened in time by a person who signs in for longer than that`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server, renewingLinks: true)
            let stranger = try await server.newBrowser()
            let link = path(screen, try mark(screen.codes.verificationURIComplete))
            let sent = try await stranger.get(link)
            let login = try #require(sent.location)
            #expect(login.hasPrefix("/login?return_to=") && sent.givenCookie?.contains("arrived") == true)
            server.clock.advance(by: .seconds(200))
            let anna = try await server.browser(of: .anna)
            let cookies = "\(anna.cookie); \(try #require(sent.givenCookie))"
            let arrived = TestBrowser(server: server, cookie: cookies, formToken: anna.formToken)
            #expect(try await screen.open(arrived, at: home).location?.hasPrefix("/activate/confirm?") == true)
            // In a browser that did not open it in time it is of no use.
            #expect(try await screen.open(anna, at: home).status == .unprocessableContent)
        }
    }

    @Test func `gives a browser nothing for a mark that is wrong, of another request, or still to come`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server, renewingLinks: true)
            let other = try await TestScreenByLink.asking(server, renewingLinks: true)
            let plain = try await TestScreenByLink.asking(server)
            let anna = try await server.browser(of: .anna)
            let before = try await server.dump()
            let foreign = try mark(other.codes.verificationURIComplete)
            for wrong in [foreign, "", "x", "é", String(repeating: "a", count: 4096)] {
                #expect(try await anna.get(path(screen, wrong)).givenCookie == nil, "\(wrong)")
                #expect(try await anna.get(path(plain, wrong)).givenCookie == nil, "\(wrong)")
            }
            #expect(try await server.dump() == before)
            let arrived = try await opening(foreign, of: other, anna)
            #expect(try await screen.open(arrived, at: home).status == .unprocessableContent)
        }
    }

    @Test func `stays as it is for a screen that does not ask for another`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server)
            #expect(screen.codes.verificationURIComplete?.contains("at=") == false)
            server.clock.advance(by: .seconds(130))
            #expect(try await screen.poll().json(OAuthErrorResponse.self).link == nil)
            let anna = try await server.browser(of: .anna)
            #expect(try await screen.open(anna, at: home).location?.hasPrefix("/activate/confirm?") == true)
        }
    }

    @Test func `comes with the end of a minute to a poll that is held open, and the next may follow at once`()
        async throws
    {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server, renewingLinks: true)
            var marks: Set<String> = [try mark(screen.codes.verificationURIComplete)]
            server.clock.advance(by: .seconds(30))
            for wait in [30, 60] {
                async let held = server.poll(screen.codes, prefer: "wait=60")
                await server.clock.sleepers(1)
                server.clock.advance(by: .seconds(wait))
                let answer = try await held
                #expect(answer.error == .authorizationPending)
                #expect(answer.headers[.preferenceApplied] == "wait=60")
                marks.insert(try #require(try answer.json(OAuthErrorResponse.self).link).rawValue)
            }
            #expect(marks.count == 3)
        }
    }

    @Test(.server(withSigningKeys: false, withDomains: true)) func `comes in Cross-Platform Authentication too`()
        async throws
    {
        let server = TestServer.current
        let device = try await server.newDevice()
        let headers: HTTPFields = [.prefer: "fresh-link, verification-number"]
        let association = try await device.associate(headers: headers).json(AssociationResponse.self)
        let first = try #require(association.link)
        #expect(try await device.poll(association).json(PendingResponse.self).link == first)
        server.clock.advance(by: .seconds(61))
        let second = try await device.poll(association).json(PendingResponse.self).link
        #expect(second != nil && second != first)
        #expect(try await device.associated(.news).link == nil)
    }
}
