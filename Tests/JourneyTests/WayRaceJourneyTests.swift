import Countersign
import CountersignRequester
import CountersignTesting
import Testing

@testable import CountersignServer

@Suite("A sign-in over several ways at the real server", .timeLimit(.minutes(3)))
struct WayRaceJourneyTests {
    /// Each way with each other one, the first one as the quicker one.
    static let pairs = SignInWay.allCases.flatMap { first in
        SignInWay.allCases.filter { $0 != first }.map { (quicker: first, slower: $0) }
    }

    static let all = Set(SignInWay.allCases)

    @Test(arguments: pairs)
    func `has the answer of the quicker way, and tells the other place`(quicker: SignInWay, slower: SignInWay)
        async throws
    {
        try await WayRace.play { race in
            let ways: Set<SignInWay> = [quicker, slower]
            let (events, task) = race.begin(over: ways)
            let leads = try await race.leads(of: events, over: ways)
            try await race.answer(.approve, by: quicker, leads)
            let trace = await task.value
            #expect(trace.finals == 1 && trace.error == nil)
            let signedIn = try #require(trace.signedIn)
            #expect(signedIn.identity?.subject == JourneyPerson.anna.subject)
            #expect(try await race.inboxesAreEmpty)
            let decided = try await race.exchange

            try await race.answerTooLate(.deny, by: slower, leads)
            #expect(try await race.exchange == decided && decided?.grant?.subject == JourneyPerson.anna.subject)
            // An answer that is repeated has the same tokens.
            #expect(race.transport.tokens.allSatisfy { $0.accessToken == signedIn.accessToken })
            #expect(try await JourneyScreen.api(at: race.server.issuer).isActive(signedIn.accessToken))
        }
    }

    @Test(arguments: SignInWay.allCases)
    func `ends with a refusal by any way, whatever the others say`(quickest: SignInWay) async throws {
        try await WayRace.play { race in
            let (events, task) = race.begin()
            let leads = try await race.leads(of: events, over: Self.all)
            try await race.answer(.deny, by: quickest, leads)
            let trace = await task.value
            #expect(trace.finals == 1 && trace.error == SignInError(.denied, because: ""))
            #expect(try await race.inboxesAreEmpty)
            let decided = try await race.exchange
            for way in SignInWay.allCases where way != quickest {
                try await race.answerTooLate(.approve, by: way, leads)
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
            let leads = try await race.leads(of: events, over: ways)
            try await race.answer(.approve, by: missing == .code ? .push : .code, leads)
            let trace = await task.value
            #expect(trace.finals == 1 && trace.signedIn != nil)
            #expect(Self.begun(trace.events) == ways)
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
