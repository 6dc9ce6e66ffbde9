import Countersign
import CountersignApprover
import CountersignNearby
import CountersignRequester
import CountersignSQLite
import CountersignTesting
import CountersignTransport
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers
import Testing

@testable import CountersignServer

/// Attackers on the network of a screen and a phone, with real links and the real server.
@Suite("An attacker on the network of a screen and a phone", .timeLimit(.minutes(3)))
struct NearbyAttackJourneyTests {
    /// The attacker's phone answers, and its person types the digits that they see on the screen.
    @Test func `signs the screen in as themselves only until the person in front of it says that it is not they`()
        async throws
    {
        try await WayRace.play { race in
            var race = race
            let (store, key) = (MemoryTokenStore(), TokenStoreKey.signIn(at: race.server.issuer, as: JourneyParties.tv))
            race.screen.store = store
            let attacker = JourneyPhone(at: race.server)
            try await attacker.enroll(by: try await race.server.ticket(of: .ben))
            let (_, task) = race.begin(over: [.nearby, .code]) { event in
                if case .confirming(let question) = event {
                    #expect(event.sentence == "Continue as Ben Example?")
                    #expect(await store.load(key) == nil)
                    question.answer(.notMe)
                }
            }
            for await received in race.listening.requests {
                guard case .server(let asked) = received.request.value else { continue }
                let shown = try await attacker.approver.look(at: asked, over: received.link, proof: received.trust)
                try await attacker.approver.answer(.approve(), to: shown)
                race.listening.decisions.yield(.approve(.atServer, pairs: false))
                break
            }
            let trace = await task.value
            #expect(trace.finals == 1 && trace.error == SignInError(.notMe, because: ""))
            #expect(trace.events.count { if case .confirming = $0 { true } else { false } } == 1)
            #expect(await store.load(key) == nil)
            try #require(!race.transport.tokens.isEmpty)
            for tokens in race.transport.tokens {
                #expect(try await !JourneyScreen.api(at: race.server.issuer).isActive(tokens.accessToken))
                #expect(try await JourneyScreen(at: race.server.issuer).refresh(tokens) == .refused(.invalidGrant))
            }
        }
    }

    /// The person has a screen of their own in front of them, and types its digits.
    @Test func `gets nothing for a request of their own without its digits`() async throws {
        try await Story.play { story in
            let before = story.network.sent.count
            let trace = await SignInTrace.of(story.signIn) { event in
                switch event {
                case .nearby(.code(let code, _), _): story.listening.codes.yield(Self.other(than: code))
                case .nearby(.progress(.missed, _), let phones): phones.tryAgain()
                default: break
                }
            }
            #expect(trace.finals == 1 && trace.error == SignInError(.refused, because: ""))
            #expect(trace.events.count { if case .nearby(.code, _) = $0 { true } else { false } } == 3)
            // The phone never learned of the request, nor the server of the phone.
            #expect(
                !trace.events.contains {
                    if case .nearby(.progress(.askedForDecision, _), _) = $0 { true } else { false }
                })
            #expect(story.network.sent.count == before)
            #expect(story.transport.tokens.isEmpty)
            let exchange = try #require(try await story.exchange)
            #expect(exchange.grant == nil && exchange.isCancelled)
        }
    }

    /// A demand of an attacker's screen that is more than the approval of its own request at the server of the phone.
    enum Demand: String, Sendable, CaseIterable {
        case approvalAtAttackersServer, token

        func request() throws -> NearbyRequest {
            switch self {
            case .approvalAtAttackersServer:
                let request = NearbySignInRequest(
                    issuer: "https://id.attacker.example", userCode: UserCodeText("WDJB-MJHT"),
                    verifier: NearbyVerifier(drawingFrom: .system))
                return .server(try #require(request))
            case .token: return .bytes(purpose: try #require(NearbyPurpose("Your access token")))
            }
        }

        var refusal: EndReason {
            switch self {
            case .approvalAtAttackersServer: .issuerUnknown
            case .token: .serverRefused
            }
        }
    }

    /// The person was talked into typing the digits.
    @Test(arguments: Demand.allCases)
    func `gets nothing by asking for more than an approval at the phone's server`(demand: Demand) async throws {
        try await Story.play { story in
            let (refusals, refusal) = AsyncStream.makeStream(of: NearbyFailure.self)
            let screen = Screen(codes: story.listening.codes, refusals: refusal)
            let requester = NearbyRequester(story.search.settings, discovery: story.search.discovery)
            let options = NearbySignInOptions(try demand.request())
            let asking = Task { await requester.signIn(options, on: screen) }
            try await story.answer()
            for await failure in refusals {
                #expect(failure == .refused(demand.refusal))
                break
            }
            asking.cancel()
            #expect(await asking.value == .stopped)
            story.expectTokenOnlyAtItsServer()
        }
    }

    /// The person was talked into typing the digits, and approves.
    @Test func `gets a word over the link, and at the server what their own client may have`() async throws {
        try await Story.play { story in
            let signIn = story.signIn
            let task = Task {
                await SignInTrace.of(signIn) { event in
                    if case .nearby(.code(let code, _), _) = event { story.listening.codes.yield(code) }
                    if case .confirming(let question) = event { question.answer(.continue) }
                }
            }
            #expect(try await story.answer() == .approve(.atServer, pairs: false))
            let trace = await task.value
            #expect(trace.finals == 1)
            let signedIn = try #require(trace.signedIn)
            #expect(signedIn.accessToken != story.token && !signedIn.scope.contains(.nearbyApprove))
            story.expectTokenOnlyAtItsServer()
        }
    }

    /// Six digits, each of which differs.
    private static func other(than code: LinkCode) -> LinkCode {
        CodeSpace.standard.code(typed: String(code.revealed.map { $0 == "0" ? "1" : "0" })) ?? code
    }

    /// The attacker's screen, whose digits the person types.
    private struct Screen: NearbyRequesterDelegate {
        let codes: AsyncStream<LinkCode>.Continuation
        let refusals: AsyncStream<NearbyFailure>.Continuation

        func show(_ code: LinkCode, for approver: NearbyApprover) async { codes.yield(code) }

        func takeCodeAway() async {}

        func tell(_ progress: NearbyProgress, of approver: NearbyApprover) async {
            if case .ended(let failure) = progress { refusals.yield(failure) }
        }
    }

    /// Anna's phone, which lets screens ask, and an attacker's screen that finds it.
    private struct Story: Sendable {
        let server: JourneyServer
        let phone: JourneyPhone
        /// The token of the phone's app.
        let token: AccessToken
        /// The network of the phone's app, apart from links.
        let network: NotedTransport
        let listening: ListeningPhone
        let search: NearbySearch
        /// The network of the attacker's screen.
        let transport = OverheardTransport()

        static func play(_ body: (Story) async throws -> Void) async throws {
            try await JourneyServer.with { server in
                try await ListeningPhone.with { listening, search in
                    try await server.addPhoneApp()
                    let network = NotedTransport()
                    let phone = JourneyPhone(at: server, over: network)
                    let signedIn = try await phone.signIn.redeem(try await server.ticket(of: .anna))
                    try await phone.approver.register()
                    try await body(
                        Story(
                            server: server, phone: phone, token: signedIn.accessToken, network: network,
                            listening: listening, search: search))
                }
            }
        }

        /// A sign-in of the attacker's screen, which looks for phones and shows no code.
        var signIn: SignIn {
            var screen = SignInScreen(name: "Living room")
            screen.nearby = search
            var options = SignInOptions()
            (options.ways, options.renewsLink) = ([.nearby], false)
            return SignIn(
                at: server.issuer, as: ClientIdentity(JourneyParties.tv), for: JourneyRequester.scope, on: screen,
                options: options, in: RequesterContext(over: transport, clock: server.clock.skipping, random: .system))
        }

        /// The attacker's request, as the server has it; `nil` when none was made.
        var exchange: SignInExchange? {
            get async throws {
                guard let codes = transport.codes.first else { return nil }
                let store = try #require(await server.store)
                return try await store.read { try $0.exchanges.find(codes.deviceCode.digest)?.exchange }
            }
        }

        /// Answers the next request over a link as an app does whose person approves all that it can; returns all that
        /// went over the link.
        @discardableResult
        func answer() async throws -> NearbyDecision {
            var requests = listening.requests.makeAsyncIterator()
            let decision = await decision(on: try #require(await requests.next()))
            listening.decisions.yield(decision)
            return decision
        }

        private func decision(on received: ReceivedRequest) async -> NearbyDecision {
            guard case .server(let asked) = received.request.value else { return .refuse(.serverRefused) }
            do throws(ApprovalError) {
                let shown = try await phone.approver.look(at: asked, over: received.link, proof: received.trust)
                try await phone.approver.answer(.approve(), to: shown)
                return .approve(.atServer, pairs: false)
            } catch {
                return .refuse(error.code == .unknownIssuer ? .issuerUnknown : .serverRefused)
            }
        }

        /// Expects that the phone's app sent its token, and everything else, to its own server alone.
        func expectTokenOnlyAtItsServer() {
            #expect(network.sent.contains { $0.headerFields[.authorization]?.contains(token.revealed) == true })
            #expect(network.sent.allSatisfy { $0.authority == "127.0.0.1:\(server.port)" })
        }
    }

    /// The real network, with a note of each request.
    private struct NotedTransport: HTTPTransport {
        private let network = OverheardTransport()
        private let noted = NIOLockedValueBox<[HTTPRequest]>([])

        var sent: [HTTPRequest] { noted.withLockedValue(\.self) }

        func send(
            _ request: HTTPRequest,
            body: [UInt8],
            within limit: Duration
        ) async throws(TransportError) -> HTTPAnswer {
            noted.withLockedValue { $0.append(request) }
            return try await network.send(request, body: body, within: limit)
        }
    }
}
