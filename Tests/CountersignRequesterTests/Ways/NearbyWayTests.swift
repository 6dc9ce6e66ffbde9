import Countersign
import CountersignNearby
import CountersignTesting
import CountersignWire
import MulticastDNS
import NIOConcurrencyHelpers
import Testing

@testable import CountersignRequester

@Suite("A phone nearby that approves a sign-in", .timeLimit(.minutes(10)))
struct NearbyWayTests {
    /// A network with one phone, at a port of this machine; with none for 0.
    private struct OnePhone: Discovery {
        let port: UInt16

        func browse(_ type: ServiceType) -> DiscoveryEvents {
            let (events, event) = AsyncStream<DiscoveryEvent>.makeStream()
            if port != 0, let address = HostAddress(bytes: [127, 0, 0, 1], interface: nil, index: 0) {
                let instance = ServiceInstance(name: "a phone", type: .countersign)
                event.yield(.found(instance))
                event.yield(
                    .resolved(
                        ResolvedService(
                            instance: instance, host: "phone.local", port: port, addresses: [address], text: .empty)))
            }
            return DiscoveryEvents(events)
        }

        func advertise(_ service: ServiceAdvertisement) async throws -> Advertisement { throw CancellationError() }
    }

    /// The person with the phone, who types the code of the screen.
    private struct Person: NearbyListenerDelegate {
        let codes: AsyncStream<LinkCode>
        let decision: NearbyDecision
        let requests = NIOLockedValueBox<[ReceivedRequest]>([])

        func confirmScreen(_ prompt: NearbyPrompt) async -> ScreenConfirmation { .seen }

        func digits(for prompt: NearbyPrompt) async -> LinkCode? {
            for await code in codes { return code }
            return nil
        }

        func decide(_ request: ReceivedRequest) async -> NearbyDecision {
            requests.withLockedValue { $0.append(request) }
            return decision
        }
    }

    private func settings(_ name: String) throws -> NearbySettings {
        NearbySettings(
            app: try #require(NearbyAppID("net.example.player")), name: try #require(PeerName(name)),
            pairings: MemoryPairingStore(), clock: .system, random: .system)
    }

    /// Signs in while a phone listens whose person decides so; returns the requests that the phone received, too.
    ///
    /// - Parameter byCode: Whether the server's time stands still until the person has said no, and somebody then
    ///   approves by the code.
    private func iterated(
        at server: ScriptedServer,
        deciding decision: NearbyDecision,
        then byCode: Bool = false,
        _ change: (inout SignInOptions) -> Void = { _ in }
    ) async throws -> (IteratedSignIn, [ReceivedRequest]) {
        let (codes, code) = AsyncStream<LinkCode>.makeStream()
        let person = Person(codes: codes, decision: decision)
        let listener = NearbyListener(
            try settings("Anna's phone"), approval: person, discovery: nil,
            configuration: NearbyListenerConfiguration(hosts: ["127.0.0.1"]))
        _ = await listener.openWindow()
        let (ports, port) = AsyncStream<UInt16>.makeStream()
        let listening = Task { try await listener.run { port.yield($0) } }
        var screen = SignInScreen(name: "Living room")
        for await port in ports {
            screen.nearby = NearbySearch(try settings("Living room"), by: OnePhone(port: port))
            break
        }
        let signIn = server.signIn(on: screen, clock: byCode ? server.clock.source : nil, change)
        let (refusals, refusal) = AsyncStream<Void>.makeStream()
        let passing = Task {
            for await _ in refusals { break }
            try Task.checkCancellation()
            server.transport.reply(at: "/token", with: ScriptedServer.granted())
            while !Task.isCancelled {
                server.clock.advance(by: .milliseconds(100))
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        let result = await signIn.iterated { event in
            if case .nearby(.code(let shown, _), _) = event { code.yield(shown) }
            if byCode, case .ended(.nearby, _) = event { refusal.yield() }
        }
        passing.cancel()
        _ = await passing.result
        listening.cancel()
        _ = await listening.result
        return (result, person.requests.withLockedValue(\.self))
    }

    @Test func `names the link in the token request, and shows the code to type`() async throws {
        let server = try ScriptedServer(.silence, ScriptedServer.granted())
        server.allow([.nearby, .code])
        let (result, requests) = try await iterated(
            at: server, deciding: .approve(.atServer, pairs: false)
        ) { $0.ways = [.nearby] }
        #expect(result.signedIn != nil && result.finals == 1, "\(String(describing: result.error))")
        #expect(result.events.contains(.began(.nearby)))
        #expect(result.events.contains { if case .nearby(.code, _) = $0 { true } else { false } })
        #expect(result.events.contains { if case .nearby(.codeIsOver, _) = $0 { true } else { false } })
        #expect(!result.events.contains { if case .invitation = $0 { true } else { false } })
        let named = try #require(server.transport.sent(to: "/token").last?.form["nearby_link"])
        for request in requests {
            #expect(request.link.description == named)
            guard case .server(let asked) = request.request.value else {
                Issue.record("it is no request at a server")
                continue
            }
            #expect(asked.userCode == UserCodeText("WDJB-MJHT"))
            #expect(asked.verifier.challenge.description == server.asked.first?["nearby_challenge"])
        }
    }

    @Test func `ends this way alone when its person says no`() async throws {
        let server = try ScriptedServer(.silence)
        server.allow([.nearby, .code])
        let (result, _) = try await iterated(at: server, deciding: .decline) { $0.ways = [.nearby] }
        #expect(result.error == SignInError(.denied, because: "") && result.finals == 1)
        #expect(result.events.contains(.ended(.nearby, SignInError(.denied, because: ""))))
        #expect(server.withdrawn == ["first-code"])
    }

    /// The phone's person says no, and the server is told nothing of it.
    @Test(arguments: [Duration.zero, .seconds(3)])
    func `leaves the code to go on when its person says no, and shows it then if it was not shown yet`(
        delay: Duration
    ) async throws {
        let server = try ScriptedServer(.error(.authorizationPending))
        server.allow([.nearby, .code])
        let (result, requests) = try await iterated(at: server, deciding: .decline, then: true) {
            $0.codeDelay = delay
        }
        #expect(requests.count == 1)
        #expect(result.signedIn != nil && result.finals == 1, "\(String(describing: result.error))")
        let ended = try #require(result.events.firstIndex(of: .ended(.nearby, SignInError(.denied, because: ""))))
        let invited = try #require(result.events.firstIndex { if case .invitation = $0 { true } else { false } })
        #expect((invited < ended) == (delay == .zero))
        #expect(server.withdrawn.isEmpty)
    }

    @Test func `is looked for until another way is quicker`() async throws {
        let server = try ScriptedServer(.error(.authorizationPending), ScriptedServer.granted())
        server.allow([.nearby, .code])
        var screen = SignInScreen(name: "Living room")
        screen.nearby = NearbySearch(try settings("Living room"), by: OnePhone(port: 0))
        let result = await server.signIn(on: screen).iterated()
        #expect(result.signedIn != nil && result.finals == 1)
    }

    @Test func `is not looked for where the server does not allow it`() async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        server.allow([.code])
        var screen = SignInScreen(name: "Living room")
        screen.nearby = NearbySearch(try settings("Living room"), by: OnePhone(port: 0))
        let result = await server.signIn(on: screen).iterated()
        #expect(result.signedIn != nil && !result.events.contains(.began(.nearby)))
    }

    /// All pairs of ways.
    static let pairs: [Set<SignInWay>] = SignInWay.allCases.flatMap { first in
        SignInWay.allCases.filter { $0.rawValue > first.rawValue }.map { [first, $0] }
    }

    /// A screen that can take every way, with no phone on its network.
    private func screen(with browser: ScriptedBrowser) throws -> SignInScreen {
        var screen = SignInScreen.with(browser, remembering: "an-id-token")
        screen.nearby = NearbySearch(try settings("Living room"), by: OnePhone(port: 0))
        return screen
    }

    @Test(arguments: pairs)
    func `ends with every other way at the first decision`(pair: Set<SignInWay>) async throws {
        let replies: [(ScriptedTransport.Reply, SignInError?)] = [
            (ScriptedServer.granted(), nil), (.error(.accessDenied), SignInError(.denied, because: "")),
        ]
        for (reply, error) in replies {
            let server = try ScriptedServer(.error(.authorizationPending), reply)
            server.allow(pair)
            let browser = ScriptedBrowser()
            let result = await server.signIn(on: try screen(with: browser)) { $0.ways = pair }.iterated()
            #expect(result.error == error && result.finals == 1)
            #expect(browser.ends == (pair.contains(.browser) ? 1 : 0))
            #expect(server.withdrawn.isEmpty)
        }
    }

    @Test(arguments: pairs)
    func `ends with every other way when the sign-in is cancelled`(pair: Set<SignInWay>) async throws {
        let server = try ScriptedServer(.silence)
        server.allow(pair)
        let browser = ScriptedBrowser()
        let signIn = server.signIn(on: try screen(with: browser)) { $0.ways = pair }
        let task = Task { await signIn.iterated() }
        await server.transport.requests(to: "/token")
        task.cancel()
        let result = await task.value
        #expect(result.error == SignInError(.cancelled, because: "") && result.finals == 1)
        #expect(browser.ends == (pair.contains(.browser) ? 1 : 0))
        #expect(server.withdrawn == ["first-code"])
    }

    @Test func `has a new verifier and no links with each new code`() throws {
        let links = SignInLinks()
        let issuer = try Issuer("https://id.example.com")
        let link = NearbyLinkID(restoring: [UInt8](repeating: 1, count: 32))
        #expect(links.request == nil)
        let first = links.begin(drawingFrom: .system)
        links.began(at: issuer, with: UserCodeText("first"))
        links.add(link)
        links.add(link)
        #expect(links.links.ids == [link])
        let second = links.begin(drawingFrom: .system)
        #expect(first != second && links.request == nil && links.links.ids.isEmpty)
        links.began(at: issuer, with: UserCodeText("second"))
        #expect(links.request?.verifier.challenge == second)
    }
}
