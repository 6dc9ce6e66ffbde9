import Countersign
import CountersignApprover
import CountersignNearby
import CountersignRequester
import CountersignSQLite
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

/// A screen that signs in over several ways at the real server, and the places where its person can answer each.
struct WayRace: Sendable {
    static let redirectURI = "http://127.0.0.1:49152/callback"

    let server: JourneyServer
    var transport = OverheardTransport()
    let opener: SystemOpener
    let browser: LinkedBrowser
    /// The person in the browser of the screen's device, and in another one where they type codes.
    let here, elsewhere: JourneyVisitor
    /// The phone that is asked by push messages, and the one in front of the screen.
    let phone, near: JourneyPhone
    /// The provider's own app on the screen's device.
    let app: JourneyPhone
    let listening: ListeningPhone
    var screen: SignInScreen
    /// Whether the screen shows a number to a person who is asked.
    var showsNumber = true

    /// A place where the person answers: one for each way, and two for that of the browser.
    enum Racer: String, Sendable, CaseIterable {
        case nearby, app, browser, push, code

        /// The way that leads there.
        var way: SignInWay {
            switch self {
            case .nearby: .nearby
            case .app, .browser: .browser
            case .push: .push
            case .code: .code
            }
        }
    }

    /// The page of the screen in the provider's own app, which shows a request and waits for its answer.
    struct OpenedApp: Sendable {
        let request: WaitingRequest
        let outcome: Task<Result<AuthorizationAnswerResult, ApprovalError>, Never>
    }

    /// Brings the addresses that the provider's app opens back to the screen.
    private struct WayBack: AppOpener {
        let browser: LinkedBrowser

        func canOpen(_ address: URL) async -> Bool { true }
        func open(_ address: URL) async -> Bool { await browser.returned(with: address.absoluteString) }
    }

    /// What the person needs to answer, by each way.
    struct Leads: Sendable {
        var app: OpenedApp?
        var page: URL?
        var code: UserCodeText?
        var number: VerificationNumber?
        var inbox, nearby: WaitingRequest?

        mutating func note(_ event: SignInEvent) {
            switch event {
            case .opened(let address, in: _): page = address
            case .invitation(let invitation): code = invitation.userCode
            case .verificationNumber(let shown?): number = shown
            default: break
            }
        }

        /// Whether the screen has shown all that it shows for these ways.
        func areShown(for ways: Set<SignInWay>) -> Bool {
            (page != nil || !ways.contains(.browser)) && (code != nil || !ways.contains(.code))
                && (number != nil || !ways.contains(.push))
        }
    }

    /// Plays at a server where Anna is remembered on the screen, has two phones, and is signed in in two browsers.
    ///
    /// - Parameters:
    ///   - demands: The least evidence for requests of the screen.
    ///   - opensApp: Whether the screen's device has the provider's own app.
    static func play(
        demanding demands: ScopeDemands = .none,
        opensApp: Bool = false,
        _ body: (WayRace) async throws -> Void
    ) async throws {
        try await JourneyServer.with { server in
            try await ListeningPhone.with { listening, search in
                try await server.addPhoneApp()
                let race = try await WayRace(at: server, listening, found: search, opensApp: opensApp)
                try await server.change { repositories in
                    var tv = try #require(try repositories.clients.find(JourneyParties.tv))
                    tv.redirects.redirectURIs = ["http://127.0.0.1/callback"]
                    tv.minimumEvidence = demands
                    try repositories.clients.update(tv)
                }
                try await body(race)
            }
        }
    }

    private init(
        at server: JourneyServer,
        _ listening: ListeningPhone,
        found search: NearbySearch,
        opensApp: Bool
    ) async throws {
        self.server = server
        opener = SystemOpener(inOwner: opensApp)
        app = JourneyPhone(at: server, openedBy: [server.issuer.appending("activate")])
        self.listening = listening
        browser = LinkedBrowser(opening: opener, returningTo: Self.redirectURI)
        (here, elsewhere) = (JourneyVisitor(at: server.issuer), JourneyVisitor(at: server.issuer))
        for visitor in [here, elsewhere] { try await visitor.signIn(as: .anna) }
        (phone, near) = (JourneyPhone(at: server), JourneyPhone(at: server))
        for phone in opensApp ? [phone, near, app] : [phone, near] {
            try await phone.enroll(by: try await server.ticket(of: .anna))
        }
        let earlier = JourneyScreen(at: server.issuer)
        let codes = try await earlier.ask()
        try await elsewhere.decide(.approve, on: codes.userCode, session: .remembered)
        let remembered: UnverifiedIDToken = try #require(try await earlier.poll(codes).tokens.idToken)
        screen = SignInScreen(name: "Anna’s big screen")
        screen.rememberedPerson = RememberedPerson(restoring: remembered)
        screen.nearby = search
        screen.browser = browser
    }

    /// Begins to sign in, with what a service has demanded if there is a challenge; `act` sees each event, and may cancel
    /// the task.
    func begin(
        over ways: Set<SignInWay>? = nil,
        answering challenge: StepUpChallenge? = nil,
        _ act: @escaping @Sendable (SignInEvent) async throws -> Void = { _ in }
    ) -> (events: AsyncStream<SignInEvent>, task: Task<SignInTrace, Never>) {
        var options = challenge.map { SignInOptions(answering: $0) } ?? SignInOptions()
        (options.ways, options.codeDelay, options.renewsLink) = (ways, .zero, false)
        options.showsNumber = showsNumber
        let signIn = SignIn(
            at: server.issuer, as: ClientIdentity(JourneyParties.tv), for: JourneyRequester.scope, on: screen,
            options: options, in: RequesterContext(over: transport, clock: server.clock.skipping, random: .system))
        let (events, event) = AsyncStream.makeStream(of: SignInEvent.self)
        let task = Task {
            let trace = await SignInTrace.of(signIn) { shown in
                if case .nearby(.code(let code, _), _) = shown { listening.codes.yield(code) }
                event.yield(shown)
                try await act(shown)
                // A person who has just cancelled confirms nothing.
                if case .confirming(let question) = shown, !Task.isCancelled { question.answer(.continue) }
            }
            event.finish()
            return trace
        }
        return (events, task)
    }

    /// Returns once the person can answer at each place.
    func leads(of events: AsyncStream<SignInEvent>, over racers: Set<Racer>) async throws -> Leads {
        var leads = Leads()
        let ways = Set(racers.map(\.way))
        for await event in events {
            leads.note(event)
            if leads.areShown(for: ways) { break }
        }
        try #require(leads.areShown(for: ways), "the sign-in ended before: \(leads)")
        if racers.contains(.app) { leads.app = try await opened(at: try #require(leads.page)) }
        if ways.contains(.push) {
            let asked = try #require(try await phone.approver.waitingRequests().first)
            leads.inbox = asked
        }
        if ways.contains(.nearby) {
            for await received in listening.requests {
                guard case .server(let asked) = received.request.value else { continue }
                leads.nearby = try await near.approver.look(at: asked, over: received.link, proof: .code)
                break
            }
        }
        return leads
    }

    /// The provider's app as the system opens it with the page of the screen.
    private func opened(at page: URL) async throws -> OpenedApp {
        let approver = app.approver
        let back = WayBack(browser: browser)
        let outcome = Task { () async -> Result<AuthorizationAnswerResult, ApprovalError> in
            do throws(ApprovalError) {
                return .success(try await approver.ask(openedWith: page.absoluteString, opening: back))
            } catch {
                return .failure(error)
            }
        }
        // Its inbox has nothing but this request, and is empty at first.
        let showing = Task { () -> WaitingRequest? in
            for try await case .waiting(let requests) in approver {
                if let request = requests.first { return request }
            }
            return nil
        }
        let ending = Task {
            // Without a request to show, nothing would be waited for.
            _ = await outcome.value
            showing.cancel()
        }
        defer { ending.cancel() }
        let request = try await showing.value
        return OpenedApp(request: try #require(request), outcome: outcome)
    }

    /// Answers at a place.
    func answer(_ answer: JourneyVisitor.Answer, by racer: Racer, _ leads: Leads) async throws {
        switch racer {
        case .app:
            let opened = try #require(leads.app)
            try await app.approver.answer(answer == .approve ? .approve() : .deny, to: opened.request)
            guard case .answered(let outcome, let isOpened) = try await opened.outcome.value.get() else {
                Issue.record("no answer")
                return
            }
            #expect(outcome == (answer == .approve ? .approved : .denied))
            // A refusal may have reached the screen already.
            #expect(isOpened || answer == .deny)
        case .nearby:
            try await decideNearby(answer, leads)
            listening.decisions.yield(answer == .approve ? .approve(.atServer, pairs: false) : .decline)
        case .push: try await decideInInbox(answer, leads)
        case .browser:
            let address = try await here.decide(
                answer, at: try #require(leads.page), on: try code, returningTo: Self.redirectURI)
            // A refusal may have reached the screen already.
            let isAwaited = await browser.returned(with: address)
            #expect(isAwaited || answer == .deny)
        case .code: try await elsewhere.decide(answer, on: try #require(leads.code))
        }
    }

    /// Answers at a place after another one was quicker: it says where the request was answered.
    func answerTooLate(_ answer: JourneyVisitor.Answer, by racer: Racer, _ leads: Leads) async throws {
        let told = "Answered "
        switch racer {
        case .app:
            let opened = try #require(leads.app)
            let error = await #expect(throws: ApprovalError.self) {
                try await app.approver.answer(answer == .approve ? .approve() : .deny, to: opened.request)
            }
            #expect(error?.answered != nil)
            // What waits in the app ends, too, and nothing is opened.
            guard case .failure(let end) = await opened.outcome.value else {
                Issue.record("an answer")
                return
            }
            #expect(end.code == .nothingToDecide && end.answered != nil)
        case .nearby:
            let error = await #expect(throws: ApprovalError.self) { try await decideNearby(answer, leads) }
            #expect(error?.answered != nil)
        case .push:
            let error = await #expect(throws: ApprovalError.self) { try await decideInInbox(answer, leads) }
            #expect(error?.answered != nil)
        case .browser:
            try await here.arrive(
                at: try #require(leads.page), on: try code, returningTo: Self.redirectURI, expecting: told)
        case .code:
            let entry = try await elsewhere.open("/activate")
            let code = try #require(leads.code).rawValue
            try await elsewhere.submit(entry, to: "/activate", ["user_code": code], expecting: told)
        }
    }

    private func decideNearby(_ answer: JourneyVisitor.Answer, _ leads: Leads) async throws {
        try await near.approver.answer(answer == .approve ? .approve() : .deny, to: try #require(leads.nearby))
    }

    private func decideInInbox(_ answer: JourneyVisitor.Answer, _ leads: Leads) async throws {
        let number = leads.number?.rawValue
        try await phone.approver.answer(
            answer == .approve ? .approve(number: number) : .deny, to: try #require(leads.inbox))
    }

    // MARK: The server's side

    private var code: UserCodeText {
        get throws { try #require(transport.codes.first).userCode }
    }

    /// The exchange of the request, as the server has it; `nil` when no request was made.
    var exchange: SignInExchange? {
        get async throws {
            guard let codes = transport.codes.first else { return nil }
            let store = try #require(await server.store)
            return try await store.read { try $0.exchanges.find(codes.deviceCode.digest)?.exchange }
        }
    }

    /// Whether the inboxes of both phones are empty.
    var inboxesAreEmpty: Bool {
        get async throws {
            let lists = [
                try await phone.approver.waitingRequests(), try await near.approver.waitingRequests(),
            ]
            return lists.allSatisfy(\.isEmpty)
        }
    }
}
