import Countersign
import CountersignApprover
import CountersignRequester
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("A sign-in over several ways at the real server", .timeLimit(.minutes(10)))
struct WayRaceJourneyTests {
    /// Each place with each other one, the first one as the quicker one.
    static let pairs = WayRace.Racer.allCases.flatMap { first in
        WayRace.Racer.allCases.filter { $0 != first }.map { (quicker: first, slower: $0) }
    }

    static let all = Set(SignInWay.allCases)

    @Test(arguments: pairs)
    func `has the answer of the quicker way, and tells the other place`(
        quicker: WayRace.Racer,
        slower: WayRace.Racer
    ) async throws {
        let racers: Set<WayRace.Racer> = [quicker, slower]
        try await WayRace.play(opensApp: racers.contains(.app)) { race in
            let (events, task) = race.begin(over: Set(racers.map(\.way)))
            let leads = try await race.leads(of: events, over: racers)
            try await race.answer(.approve, by: quicker, leads)
            let trace = await task.value
            #expect(trace.finals == 1 && trace.error == nil)
            let signedIn = try #require(trace.signedIn)
            #expect(signedIn.identity?.subject == JourneyPerson.anna.subject)
            #expect(try await race.inboxesAreEmpty)
            let decided = try await race.exchange
            let way = decided?.grant.flatMap { EvidenceClaim($0.evidence).way?.rawValue }
            #expect(way == quicker.rawValue)
            let opened: BrowserPlace? = racers.contains(.app) ? .app : racers.contains(.browser) ? .browser : nil
            #expect(Self.places(trace.events) == [opened].compactMap(\.self))

            try await race.answerTooLate(.deny, by: slower, leads)
            #expect(try await race.exchange == decided && decided?.grant?.subject == JourneyPerson.anna.subject)
            // An answer that is repeated has the same tokens.
            #expect(race.transport.tokens.allSatisfy { $0.accessToken == signedIn.accessToken })
            #expect(try await JourneyScreen.api(at: race.server.issuer).isActive(signedIn.accessToken))
        }
    }

    @Test(arguments: WayRace.Racer.allCases)
    func `ends with a refusal at any place, whatever the others say`(quickest: WayRace.Racer) async throws {
        try await WayRace.play(opensApp: true) { race in
            let (events, task) = race.begin()
            let leads = try await race.leads(of: events, over: Set(WayRace.Racer.allCases))
            try await race.answer(.deny, by: quickest, leads)
            let trace = await task.value
            #expect(trace.finals == 1 && trace.error == SignInError(.denied, because: ""))
            #expect(try await race.inboxesAreEmpty)
            let decided = try await race.exchange
            for racer in WayRace.Racer.allCases where racer != quickest {
                try await race.answerTooLate(.approve, by: racer, leads)
            }
            #expect(try await race.exchange == decided && decided?.grant == nil)
            #expect(race.transport.tokens.isEmpty)
        }
    }

    @Test(arguments: SignInWay.allCases)
    func `goes on without a way that the screen lacks, or the app leaves out`(missing: SignInWay) async throws {
        try await WayRace.play { race in
            var race = race
            switch missing {
            case .nearby: race.screen.nearby = nil
            case .browser: race.screen.browser = nil
            case .push: race.screen.rememberedPerson = nil
            case .code: break
            }
            let ways = Self.all.subtracting([missing])
            let (events, task) = race.begin(over: missing == .code ? ways : nil)
            let racers = WayRace.Racer.allCases.filter { $0 != .app && ways.contains($0.way) }
            let leads = try await race.leads(of: events, over: Set(racers))
            try await race.answer(.approve, by: missing == .code ? .push : .code, leads)
            let trace = await task.value
            #expect(trace.finals == 1 && trace.signedIn != nil)
            #expect(Self.begun(trace.events) == ways)
        }
    }

    /// A reason of the server to leave out a way that the screen can take.
    enum Omission: Sendable, CaseIterable {
        /// The client has no address to come back to from a browser.
        case noRedirectURI
        /// The screen shows no number, which ties a person who is asked to it.
        case noNumber
        /// The person ended that the screen remembers them.
        case notRemembered
        /// The client needs a proof that a phone nearby cannot give.
        case policy

        var way: SignInWay {
            switch self {
            case .noRedirectURI: .browser
            case .noNumber, .notRemembered: .push
            case .policy: .nearby
            }
        }
    }

    @Test(arguments: Omission.allCases)
    func `goes on without a way that the server leaves out`(omission: Omission) async throws {
        try await WayRace.play(demanding: omission == .policy ? ScopeDemands([.userVerified]) : .none) { race in
            var race = race
            let now = race.server.clock.date
            switch omission {
            case .noRedirectURI:
                try await race.server.change { repositories in
                    var tv = try #require(try repositories.clients.find(JourneyParties.tv))
                    tv.redirects.redirectURIs = []
                    try repositories.clients.update(tv)
                }
            case .noNumber: race.showsNumber = false
            case .notRemembered:
                try await race.server.change {
                    try RememberedScreens($0).endAll(of: JourneyPerson.anna.subject, at: now)
                }
            case .policy: break
            }
            let ways = Self.all.subtracting([omission.way])
            let (events, task) = race.begin()
            let leads = try await race.leads(of: events, over: [.code])
            // An approval would need a passkey.
            let isApproved = omission != .policy
            try await race.answer(isApproved ? .approve : .deny, by: .code, leads)
            let trace = await task.value
            #expect(trace.finals == 1 && (trace.signedIn != nil) == isApproved)
            #expect(trace.error == (isApproved ? nil : SignInError(.denied, because: "")))
            #expect(race.transport.codes.map(\.ways) == [ways])
            #expect(Self.begun(trace.events) == ways)
        }
    }

    @Test func `goes on by the other ways when a phone nearby says no, and the server does not know`() async throws {
        try await WayRace.play { race in
            let (events, task) = race.begin()
            let leads = try await race.leads(of: events, over: [.nearby, .browser, .push, .code])
            race.listening.decisions.yield(.decline)
            for await event in events {
                if case .ended = event { break }
            }
            #expect(try await race.exchange?.grant == nil)
            try await race.answer(.approve, by: .code, leads)
            let trace = await task.value
            #expect(trace.finals == 1 && trace.signedIn?.identity?.subject == JourneyPerson.anna.subject)
            let ended = trace.events.filter { if case .ended = $0 { true } else { false } }
            #expect(ended == [.ended(.nearby, SignInError(.denied, because: ""))])
        }
    }

    /// The ways that can give an evidence.
    static let demands: [(ScopeDemands.Demand, Set<SignInWay>)] = [
        (.nearby, [.nearby, .browser]), (.deviceKey, [.nearby, .push]), (.userVerified, [.browser, .push, .code]),
    ]

    @Test(arguments: demands)
    func `begins no way that cannot give the evidence that its client needs`(
        demand: ScopeDemands.Demand, allowed: Set<SignInWay>
    ) async throws {
        try await WayRace.play(demanding: ScopeDemands([demand])) { race in
            let (events, task) = race.begin()
            for await event in events {
                if case .waiting = event { break }
            }
            task.cancel()
            let trace = await task.value
            #expect(trace.finals == 1 && trace.error == SignInError(.cancelled, because: ""))
            #expect(Self.begun(trace.events) == allowed)
            #expect(race.transport.codes.map(\.ways) == [allowed])
            let exchange = try await race.exchange
            #expect(exchange?.isCancelled == true)
        }
    }

    @Test func `goes on in the browser when the provider's app leaves the page to it, and cancels what it shows`()
        async throws
    {
        try await WayRace.play(opensApp: true) { race in
            let (events, task) = race.begin(over: [.browser])
            let leads = try await race.leads(of: events, over: [.app])
            let opened = try #require(leads.app)
            try await race.app.approver.answer(.goOnInBrowser, to: opened.request)
            let page = try #require(leads.page).absoluteString
            #expect(try await opened.outcome.value.get() == .openBrowser(page))
            try await race.answer(.approve, by: .browser, leads)
            let trace = await task.value
            #expect(trace.finals == 1 && trace.signedIn != nil)
        }
    }

    @Test func `leaves nothing to answer in the provider's app when the screen gives up`() async throws {
        try await WayRace.play(opensApp: true) { race in
            let (events, task) = race.begin(over: [.browser])
            let leads = try await race.leads(of: events, over: [.app])
            task.cancel()
            #expect(await task.value.error == SignInError(.cancelled, because: ""))
            let opened = try #require(leads.app)
            let error = await #expect(throws: ApprovalError.self) {
                try await race.app.approver.answer(.approve(), to: opened.request)
            }
            #expect(error?.code == .nothingToDecide)
            guard case .failure(let end) = await opened.outcome.value else {
                Issue.record("an answer")
                return
            }
            #expect(end.code == .nothingToDecide)
            #expect(try await race.exchange?.grant == nil)
        }
    }

    /// The places where pages were opened.
    static func places(_ events: [SignInEvent]) -> [BrowserPlace] {
        events.compactMap { if case .opened(_, in: let place) = $0 { place } else { nil } }
    }

    static func begun(_ events: [SignInEvent]) -> Set<SignInWay> {
        Set(
            events.compactMap { event in
                switch event {
                case .began(let way): way
                case .invitation: .code
                default: nil
                }
            })
    }

    /// A kind of event at which the task is cancelled.
    enum Moment: String, Sendable, CaseIterable {
        case discovering, nearbyBegins, browserBegins, pushBegins, invitation, waiting, opened, phoneFound, nearbyCode
        case verificationNumber, confirming, signedIn

        init?(_ event: SignInEvent) {
            switch event {
            case .discovering: self = .discovering
            case .began(.nearby): self = .nearbyBegins
            case .began(.browser): self = .browserBegins
            case .began(.push): self = .pushBegins
            case .invitation: self = .invitation
            case .waiting: self = .waiting
            case .opened: self = .opened
            case .nearby(.found, _): self = .phoneFound
            case .nearby(.code, _): self = .nearbyCode
            case .verificationNumber(.some): self = .verificationNumber
            case .confirming: self = .confirming
            case .signedIn: self = .signedIn
            default: return nil
            }
        }

        /// Whether somebody has to approve before it comes.
        var followsApproval: Bool { self == .confirming || self == .signedIn }
    }

    @Test(arguments: Moment.allCases)
    func `has one end when its task is cancelled at any event, and asks nobody any more`(moment: Moment) async throws {
        try await WayRace.play { race in
            let (events, task) = race.begin { event in
                if Moment(event) == moment { withUnsafeCurrentTask { $0?.cancel() } }
            }
            if moment.followsApproval {
                try await race.answer(.approve, by: .code, try await race.leads(of: events, over: [.code]))
            }
            let trace = await task.value
            #expect(trace.finals == 1 && trace.events.contains { Moment($0) == moment })
            #expect(try await race.inboxesAreEmpty)
            switch moment {
            case .signedIn: #expect(trace.signedIn != nil)
            case .confirming:
                #expect(trace.error == SignInError(.cancelled, because: ""))
                let given = try #require(race.transport.tokens.first?.accessToken)
                #expect(try await !JourneyScreen.api(at: race.server.issuer).isActive(given))
            default:
                #expect(trace.error == SignInError(.cancelled, because: ""))
                #expect(race.transport.tokens.isEmpty)
                // Cancelled at its first event, it may have made no request.
                let exchange = try await race.exchange
                #expect(moment == .discovering || exchange?.isCancelled == true)
            }
        }
    }
}
