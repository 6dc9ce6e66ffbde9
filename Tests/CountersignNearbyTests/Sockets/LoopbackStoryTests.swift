import Countersign
import CountersignNearby
import CountersignTesting
import Testing

@Suite("A screen and a phone on one network", .timeLimit(.minutes(10)))
struct LoopbackStoryTests {
    @Test func `meet over a code, and bytes are granted`() async throws {
        try await LinkStage.with { stage in
            let token = Array("a single-use token".utf8)
            stage.room.say { $0.decision = .approve(.bytes(token), remembers: false) }
            let result = try await stage.signIn()
            guard case .granted(let granted) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(granted.grant == .bytes(token) && granted.trust == .code && !granted.isRemembered)
            #expect(granted.approver.asSaid == "Anna's phone")
            let request = try #require(stage.room.requests.first)
            #expect(request.name == .asserted(try Cast.name("Living room")))
            #expect(request.address == .observed(NearbyAddress("127.0.0.1")))
            #expect(request.request == .asserted(try Cast.bytesRequest()))
            #expect(request.link == granted.link && stage.room.links == [granted.link])
            await stage.room.when { $0.outcomes.count == 1 }
            #expect(stage.room.outcomes == [.approved(.code, remembered: false)])
            #expect(stage.room.shown == nil)
        }
    }

    @Test func `approve the screen's own request`() async throws {
        try await LinkStage.with { stage in
            stage.room.say { $0.decision = .approve(.atServer, remembers: false) }
            let request = try Cast.serverRequest(.system)
            let result = try await stage.signIn(request)
            guard case .granted(let granted) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(granted.grant == .atServer)
            #expect(stage.room.requests.first?.request == .asserted(request))
        }
    }

    @Test func `can say no`() async throws {
        try await LinkStage.with { stage in
            stage.room.say { $0.decision = .decline }
            let result = try await stage.signIn()
            #expect(result == .declined(by: PeerName("Anna's phone")))
        }
    }

    @Test func `can say not now, which is no refusal`() async throws {
        try await LinkStage.with { stage in
            stage.room.say { $0.sight = .notNow }
            let first = try await stage.signIn()
            #expect(first == .failed(.gone(said: .notNow)))
            // That address is not listened to for a while.
            stage.room.say { $0.sight = .seen }
            let second = try await stage.signIn()
            #expect(second == .failed(.gone(said: .notNow)))
            #expect(stage.room.prompts.count == 1)
            stage.clock.advance(by: .seconds(601))
            _ = await stage.listener.openWindow()
            guard case .granted = try await stage.signIn() else {
                Issue.record("the address is still silenced")
                return
            }
        }
    }

    @Test func `know each other the next time, without a code`() async throws {
        try await LinkStage.with { stage in
            stage.room.say { $0.decision = .approve(.bytes([1]), remembers: true) }
            guard case .granted(let first) = try await stage.signIn(remembers: true) else {
                Issue.record("no grant")
                return
            }
            #expect(first.isRemembered)
            await stage.room.when { $0.outcomes == [.approved(.code, remembered: true)] }
            await stage.listener.closeWindow()

            guard case .granted(let second) = try await stage.signIn() else {
                Issue.record("no grant from the paired one")
                return
            }
            #expect(second.trust == .paired(at: Cast.noon))
            #expect(stage.room.prompts.count == 1, "nobody was asked for a code again")
        }
    }

    @Test func `use the next code after a wrong one`() async throws {
        try await LinkStage.with { stage in
            let wrong: @Sendable (LinkCode) -> String? = { $0.revealed == "000000" ? "000001" : "000000" }
            stage.room.say {
                $0.typed = wrong
                $0.retries = true
            }
            async let result = stage.signIn()
            await stage.room.when { $0.events.contains("missed") }
            stage.room.say { $0.typed = nil }
            guard case .granted = try await result else {
                Issue.record("no grant")
                return
            }
            #expect(stage.room.prompts.map(\.attempt) == [1, 2])
        }
    }

    @Test func `carry sixteen mebibytes`() async throws {
        try await LinkStage.with { stage in
            let bytes = SeededRandom(seed: 16).bytes(16 << 20)
            stage.room.say { $0.decision = .approve(.bytes(bytes), remembers: false) }
            guard case .granted(let granted) = try await stage.signIn() else {
                Issue.record("no grant")
                return
            }
            #expect(granted.grant == .bytes(bytes))
        }
    }
}
