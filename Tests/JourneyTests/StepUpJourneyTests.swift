import Countersign
import CountersignRequester
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignServer

/// A screen whose token is refused by a service asks anew, and gets what the code could not prove.
@Suite("A service that demands more than a code proves", .timeLimit(.minutes(10)))
struct StepUpJourneyTests {
    /// Standard: RFC 9470 §3, §4.
    @Test func `is served after the phone nearby answers, which the screen asks at once`() async throws {
        try await WayRace.play { race in
            try await race.server.change { repositories in
                var tv = try #require(try repositories.clients.find(JourneyParties.tv))
                tv.tokenFormat = .es256
                try repositories.clients.update(tv)
            }
            let wanted = AuthenticationClass.nearby.rawValue
            try await GuardedService.run(beside: race.server, wanting: [wanted]) { service in
                let (events, task) = race.begin(over: [.code])
                try await race.answer(.approve, by: .code, try await race.leads(of: events, over: [.code]))
                let weak = try #require(await task.value.signedIn)
                let refused = try await Self.visit(service, with: weak.accessToken)
                #expect(refused.response.status == .unauthorized)
                let challenge = try #require(
                    StepUpChallenge(parsing: refused.response.headerFields[values: .wwwAuthenticate]))
                #expect(challenge.acrValues == [wanted])

                let (again, stronger) = race.begin(answering: challenge)
                try await race.answer(.approve, by: .nearby, try await race.leads(of: again, over: [.nearby]))
                let trace = await stronger.value
                // The screen shows no code, and asks nobody by push: neither would be enough.
                #expect(WayRaceJourneyTests.begun(trace.events).isSubset(of: [.nearby, .browser]))
                let signedIn = try #require(trace.signedIn)
                #expect(signedIn.identity?.evidence?.proximity == .link)
                #expect(try await Self.visit(service, with: signedIn.accessToken).response.status == .ok)
            }
        }
    }

    private static func visit(_ service: String, with token: AccessToken) async throws -> HTTPAnswer {
        try await LoopbackHTTP.get(service, [.authorization: BearerHeader.value(for: token)])
    }
}
