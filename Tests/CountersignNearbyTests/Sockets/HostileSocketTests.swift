import Countersign
@testable import CountersignNearby
import CountersignTesting
import NIOCore
import NIOPosix
import Testing

@Suite("A listening phone", .timeLimit(.minutes(10)))
struct HostileSocketTests {
    @Test func `reads a handshake one byte at a time, and two frames of one segment`() async throws {
        try await LoopbackFixture.with { fixture in
            let handshake = try RequesterHandshake(
                app: Fixture.app(), version: .first, of: .ours, pairings: [], drawingFrom: .system)
            let socket = try await BareSocket.connect(to: fixture.port)
            for byte in try #require(FrameReader.frame(of: handshake.frame)) { try await socket.send([byte]) }
            let answer = try #require(await socket.frame())
            let greeted = try #require(handshake.read(answer).greeted)
            var (third, link) = try greeted.finish()
            // Frame 3 and a message that breaks the rules, in one segment: the phone answers that one.
            let sealed = try link.session.seal(LinkMessage.trusted.bytes)
            try await socket.send(
                try #require(FrameReader.frame(of: third)) + (try #require(FrameReader.frame(of: sealed))))
            let end = try link.session.open(try #require(await socket.frame()))
            #expect(LinkMessage(parsing: end) == .end(.brokeProtocol))
            #expect(await socket.frame() == nil)
        }
    }

    @Test(arguments: [
        "0000", "ffff", "0401", "000100", "0003435342", "0067" + String(repeating: "00", count: 103),
        "474554202f20485454502f312e310d0a0d0a",
    ])
    func `closes what is no handshake without an answer`(hex: String) async throws {
        try await LoopbackFixture.with { fixture in
            let socket = try await BareSocket.connect(to: fixture.port)
            try await socket.send(Hex.bytes(hex))
            #expect(await socket.frame() == nil)
        }
    }

    @Test func `closes a link on which bytes were changed, without an answer`() async throws {
        try await LoopbackFixture.with { fixture in
            var (socket, link) = try await shake(fixture)
            var sealed = try link.session.seal(LinkMessage.alive.bytes)
            sealed[0] ^= 1
            try await socket.send(try #require(FrameReader.frame(of: sealed)))
            #expect(await socket.frame() == nil)
        }
    }

    @Test func `lets nobody in while its window is closed`() async throws {
        try await LoopbackFixture.with(windowIsOpen: false) { fixture in
            let result = try await fixture.signIn()
            #expect(result == .failed(.turnedAway(.windowClosed)))
            #expect(fixture.person.prompts.isEmpty)
        }
    }

    @Test func `is none of another app's`() async throws {
        try await LoopbackFixture.with(app: "net.example.Player") { fixture in
            let result = try await fixture.signIn()
            #expect(result == .failed(.notAuthentic) || result == .failed(.gone(said: nil)))
            #expect(fixture.person.prompts.isEmpty)
        }
    }

    @Test func `lets go of silent peers when more come, and of the last after five seconds`() async throws {
        try await LoopbackFixture.with { fixture in
            var sockets: [BareSocket] = []
            for _ in 0..<200 { sockets.append(try await BareSocket.connect(to: fixture.port)) }
            // One address has the 48 places that no other wants: the others are closed.
            await withTaskGroup(of: Bool.self) { closed in
                for socket in sockets { closed.addTask { await socket.frame() == nil } }
                for _ in 0..<152 { #expect(await closed.next() == true) }
                await fixture.clock.sleepers(48)
                fixture.clock.advance(by: .seconds(5))
                for await isClosed in closed { #expect(isClosed) }
            }
            _ = try #require(await fixture.signIn().granted)
        }
    }

    @Test func `does not answer a recording of a paired screen's first frame, window open or not`() async throws {
        try await LoopbackFixture.with { fixture in
            let pairings = try Fixture.pairings(drawingFrom: .system)
            try fixture.phone.pairings.change { $0.keep(pairings.approver, at: Fixture.noon) }
            let handshake = try RequesterHandshake(
                app: Fixture.app(), version: .first, of: .ours, pairings: [pairings.requester], drawingFrom: .system)
            let frame = try #require(FrameReader.frame(of: handshake.frame))
            let first = try await BareSocket.connect(to: fixture.port)
            try await first.send(frame)
            let answer = try #require(await first.frame())
            for _ in 0..<20 {
                let recording = try await BareSocket.connect(to: fixture.port)
                try await recording.send(frame)
                #expect(await recording.frame() == nil)
            }
            // The screen's own handshake is still under way.
            let greeted = try #require(handshake.read(answer).greeted)
            var (third, link) = try greeted.finish()
            let sealed = try link.session.seal(LinkMessage.trusted.bytes)
            try await first.send(
                try #require(FrameReader.frame(of: third)) + (try #require(FrameReader.frame(of: sealed))))
            let end = try link.session.open(try #require(await first.frame()))
            #expect(LinkMessage(parsing: end) == .end(.brokeProtocol))
        }
    }

    @Test func `makes a second screen wait, and tells it so`() async throws {
        try await LoopbackFixture.with { fixture in
            fixture.person.say { $0.mayDecide = false }
            async let first = fixture.signIn()
            await fixture.person.when { $0.events.contains("decide") }

            let other = ScriptedPerson()
            let requester = NearbyRequester(fixture.tv, discovery: nil)
            let options = NearbySignInOptions(try Fixture.bytesRequest())
            async let second = requester.signIn(options, at: fixture.endpoint, on: other)
            await other.when { $0.progress.contains(.waiting(place: 1)) }
            #expect(fixture.person.prompts.count == 1)
            fixture.person.letDecide()
            _ = try #require(await first.granted)
            // Its code stands on the other screen; the person types it at the phone.
            await fixture.person.when { $0.prompts.count == 2 }
            await other.when { $0.shown != nil }
            let code = try #require(other.shown)
            fixture.person.see(code)
            _ = try #require(await second.granted)
        }
    }

    @Test func `drops an approval whose asker has left, and asks anew for the next one`() async throws {
        try await LoopbackFixture.with { fixture in
            fixture.person.say { $0.mayDecide = false }
            let requester = NearbyRequester(fixture.tv, discovery: nil)
            fixture.person.use(requester)
            let options = NearbySignInOptions(try Fixture.bytesRequest())
            let leaving = Task { await requester.signIn(options, at: fixture.endpoint, on: fixture.person) }
            await fixture.person.when { $0.events.contains("decide") }
            leaving.cancel()
            #expect(await leaving.value == .stopped)
            await fixture.person.when { !$0.outcomes.isEmpty }
            #expect(fixture.person.outcomes == [.gone(said: .answeredElsewhere)])
            fixture.person.letDecide()
            let next = try await fixture.signIn()
            _ = try #require(next.granted)
            #expect(fixture.person.prompts.count == 2 && fixture.person.requests.count == 2)
        }
    }

    @Test func `stops at once, and tells whoever is there`() async throws {
        let result = Task {
            var ended: NearbyResult?
            try await LoopbackFixture.with { fixture in
                fixture.person.say { $0.mayDecide = false }
                let running = Task { try await fixture.signIn() }
                await fixture.person.when { $0.events.contains("decide") }
                await fixture.listener.closeWindow()
                fixture.person.say { $0.decision = .notNow }
                fixture.person.letDecide()
                ended = try await running.value
            }
            return ended
        }
        #expect(try await result.value == .failed(.refused(.notNow)))
    }

    @Test func `sends strangers away when the window is closed, but not who has typed the code`() async throws {
        try await LoopbackFixture.with { fixture in
            var (socket, link) = try await shake(fixture)
            let ask = LinkMessage.Ask(
                kind: .bytes, wantsPairing: false, requestDigest: LinkDigest(of: []),
                name: try Fixture.name("Living room"))
            fixture.person.say { $0.typed = { _ in nil } }
            for message in [LinkMessage.ask(ask), .commit(.first, LinkDigest(of: []))] {
                try await socket.send(try #require(FrameReader.frame(of: try link.session.seal(message.bytes))))
            }
            await fixture.person.when { !$0.prompts.isEmpty }
            await fixture.listener.closeWindow()
            var last: LinkMessage?
            while let frame = await socket.frame() { last = LinkMessage(parsing: try link.session.open(frame)) }
            #expect(last == .end(.windowClosed))
        }
    }

    @Test func `closes its window after three codes that went wrong, hang-ups included`() async throws {
        try await LoopbackFixture.with { fixture in
            for _ in 0..<3 {
                var (socket, link) = try await shake(fixture)
                let ask = LinkMessage.Ask(
                    kind: .bytes, wantsPairing: false, requestDigest: LinkDigest(of: []),
                    name: try Fixture.name("Living room"))
                for message in [LinkMessage.ask(ask), .commit(.first, LinkDigest(of: []))] {
                    try await socket.send(try #require(FrameReader.frame(of: try link.session.seal(message.bytes))))
                }
                let ready = LinkMessage(parsing: try link.session.open(try #require(await socket.frame())))
                guard case .ready = ready else {
                    Issue.record("\(String(describing: ready))")
                    return
                }
                let count = fixture.person.outcomes.count
                await socket.close()
                await fixture.person.when { $0.outcomes.count > count }
            }
            await fixture.person.when { $0.events.contains("closed") }
            let result = try await fixture.signIn()
            #expect(result == .failed(.turnedAway(.windowClosed)))
            #expect(await fixture.listener.openWindow() != nil)
            fixture.clock.advance(by: .seconds(300))
            #expect(await fixture.listener.openWindow() == nil)
        }
    }

    /// A socket after a handshake done by hand.
    private func shake(_ fixture: LoopbackFixture) async throws -> (BareSocket, EstablishedLink) {
        let handshake = try RequesterHandshake(
            app: Fixture.app(), version: .first, of: .ours, pairings: [], drawingFrom: .system)
        let socket = try await BareSocket.connect(to: fixture.port)
        try await socket.send(try #require(FrameReader.frame(of: handshake.frame)))
        guard case .greeted(let greeted) = try handshake.read(try #require(await socket.frame())) else {
            throw LinkPair.Unexpected(what: "a refusal")
        }
        let (third, link) = try greeted.finish()
        try await socket.send(try #require(FrameReader.frame(of: third)))
        return (socket, link)
    }
}
