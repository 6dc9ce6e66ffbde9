import Countersign
import CountersignRequester
import CountersignTesting
import Testing

@testable import CountersignServer

/// A killed program sends nothing any more: its request is not withdrawn, unlike that of a cancelled one.
@Suite("A screen whose program is killed", .timeLimit(.minutes(3)))
struct KilledScreenJourneyTests {
    typealias Moment = WayRaceJourneyTests.Moment

    @Test(arguments: Moment.allCases)
    func `gets nothing by a later approval, and signs in when it is started again`(moment: Moment) async throws {
        try await WayRace.play { race in
            let (events, task) = race.begin { event in
                if Moment(event) == moment {
                    race.transport.cut()
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            if moment.followsApproval {
                try await race.answer(.approve, by: .code, try await race.leads(of: events, over: [.code]))
            }
            let trace = await task.value
            #expect(trace.finals == 1 && trace.events.contains { Moment($0) == moment })
            if !moment.followsApproval, let codes = race.transport.codes.first {
                #expect(try await race.exchange?.isCancelled == false)
                try await race.elsewhere.decide(.approve, on: codes.userCode)
                #expect(race.transport.tokens.isEmpty)
            }
            try await signInAgain(after: race)
        }
    }

    private func signInAgain(after killed: WayRace) async throws {
        var race = killed
        race.transport = OverheardTransport()
        let (events, task) = race.begin(over: [.code])
        try await race.answer(.approve, by: .code, try await race.leads(of: events, over: [.code]))
        let trace = await task.value
        #expect(trace.finals == 1 && trace.error == nil)
        let token = try #require(trace.signedIn).accessToken
        #expect(race.transport.tokens.map(\.accessToken) == [token])
        #expect(try await JourneyScreen.api(at: race.server.issuer).isActive(token))
    }
}
