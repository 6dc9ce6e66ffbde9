import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

@Suite("The link of a sign-in")
struct FreshLinkTests {
    private static func pending(_ mark: String?) -> ScriptedTransport.Reply {
        let error = OAuthError(.authorizationPending, because: "scripted")
        return .json(OAuthErrorResponse(error, link: mark.map { LinkMark($0) }), status: .badRequest)
    }

    private static func links(_ events: [SignInEvent]) -> [String] {
        events.compactMap { if case .link(let link) = $0 { link.absoluteString } else { nil } }
    }

    @Test func `is told to the screen when it changes, with the newest mark in place of the one before`() async throws {
        let server = try ScriptedServer(
            Self.pending("one"), Self.pending("one"), Self.pending(nil), Self.pending("two"),
            ScriptedServer.granted())
        let (result, events) = await server.signIn { $0.renewsLink = true }.run()
        _ = try result.get()
        let base = "https://id.example.com/activate?user_code=WDJB-MJHT"
        #expect(Self.links(events) == ["\(base)&at=one", "\(base)&at=two"])
        let prefer = try #require(HTTPField.Name("Prefer"))
        #expect(
            server.transport.sent(to: "/device_authorization").first?.request.headerFields[prefer] == "fresh-link")
        #expect(server.transport.sent(to: "/token").allSatisfy { $0.request.headerFields[prefer] == nil })
    }

    @Test func `stays as it is, whatever a server sends that is no mark`() async throws {
        let server = try ScriptedServer(
            Self.pending("a&b=c"), Self.pending("\u{1B}[2J"), Self.pending(""), ScriptedServer.granted())
        let (_, events) = await server.signIn { $0.renewsLink = true }.run()
        #expect(Self.links(events).isEmpty)
    }

    @Test func `keeps its other parameters`() throws {
        let link = try #require(URL(string: "https://a.example/x?at=old&user_code=A%20B&redirect_uri=app%3A%2F%2Fb"))
        #expect(
            link.marked(LinkMark("new")).absoluteString
                == "https://a.example/x?user_code=A%20B&redirect_uri=app%3A%2F%2Fb&at=new")
        #expect(link.marked(nil) == link)
    }
}
