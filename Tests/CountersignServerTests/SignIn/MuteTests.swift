import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A client that a person muted", .server)
struct MuteTests {
    let server = TestServer.current
    private let words = "Apps that may not ask you"

    @Test func `asks them nothing more, learns nothing, and asks again when they lift that`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let anna = try await server.browser(of: .anna)
        let asked = try await client.asked()
        #expect(try await !anna.get("account").text.contains(words))
        #expect(try await anna.openQuestion().text.contains("Don’t ask me again from this app"))
        try await anna.answerQuestion("mute")
        #expect(try await client.poll(asked).error == .accessDenied)
        #expect(try await server.audited(.denied).count == 1)
        #expect(try await server.audited(.reported).isEmpty)
        let muted = try #require(try await server.audited(.muteAdded).last)
        #expect(muted.by == .person && muted.subject == TestPerson.anna.subject && muted.client == client.id)
        #expect(muted.detail == "muted")

        server.clock.advance(by: .seconds(7200))
        let later = try await client.asked()
        #expect(later.expiresIn == asked.expiresIn)
        #expect(try await client.poll(later).error == .authorizationPending)
        #expect(try await anna.question() == nil)
        let page = try await anna.get("account").text
        #expect(page.contains(words) && page.contains("<h3><bdi>The desk</bdi></h3>"))
        #expect(page.contains("You want to be asked nothing more."))

        let bert = try await server.browser(of: .bert)
        #expect(try await !bert.get("account").text.contains(words))
        let form: Form = ["client": client.id.rawValue]
        #expect(try await bert.post("account/unmute", form).location == "/account?done=nothing")
        #expect(try await anna.post("account/unmute", form).location == "/account?done=unmuted")
        #expect(try await anna.post("account/unmute", form).location == "/account?done=nothing")
        let lifted = try await server.audited(.muteLifted)
        #expect(lifted.count == 1 && lifted.first?.by == .person && lifted.first?.client == client.id)
        #expect(try await anna.get("account?done=muted").text.contains("the app asks you nothing more"))
        #expect(try await anna.get("account?done=unmuted").text.contains("The app may ask you again."))
        #expect(try await !anna.get("account").text.contains(words))
        _ = try await client.asked()
        #expect(try await anna.question() != nil)
    }

    @Test func `shows nothing of what it asked before, and that is shown again when they lift it`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let other = TestBackchannelClient(server: client.server, name: "other")
        try await other.register()
        let device = try await client.server.authenticator()
        _ = try await device.register { details in
            details.pushToken = "one"
            details.isPushEnabled = true
        }
        _ = try await client.asked()
        client.server.clock.advance(by: .seconds(1))
        let second = try await client.asked(["binding_message": "second"])
        client.server.clock.advance(by: .seconds(1))
        // As many, or they would be shown first.
        for message in ["of another", "once more"] { _ = try await other.asked(["binding_message": message]) }
        #expect(try await device.decide(.report).status == .ok)

        #expect(try await device.shown().response.message == "of another")
        let anna = try await client.server.browser(of: .anna)
        #expect(try await anna.get("account").text.contains("of another"))
        #expect(try await client.poll(second).error == .authorizationPending)
        let id = try await client.server.store.read { try $0.exchanges.find(second.request.digest)?.id }
        let request = try #require(id)
        let waiting = try await client.server.store.read { repositories in
            try repositories.deliveries.all(about: request).filter(\.isWaiting)
        }
        #expect(waiting.isEmpty)

        _ = try await anna.post("account/unmute", ["client": client.id.rawValue])
        #expect(try await device.shown().response.message == "second")
    }

    @Test func `is not muted by a page about a code, which names nobody`() async throws {
        let anna = try await server.browser(of: .anna)
        let codes = try await server.ask()
        try await anna.decide("mute", codes)
        #expect(try await server.poll(codes).error == .accessDenied)
        #expect(try await server.audited(.muteAdded).isEmpty)
        #expect(try await !anna.get("account").text.contains(words))
    }

    @Test func `is forgotten when it is removed`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let anna = try await server.browser(of: .anna)
        _ = try await client.asked()
        try await anna.answerQuestion("mute")
        let registry = ClientRegistry(of: server.store, mint: CodeMint(drawingFrom: .system), clock: server.serverClock)
        #expect(try await registry.remove(client.id))
        #expect(try await !anna.get("account").text.contains(words))
        try await client.register()
        _ = try await client.asked()
        #expect(try await anna.question() != nil)
    }
}
