import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

/// The statements of `openapi.json`, and whether they are true. A test of the server's own checks which endpoints it
/// names.
@Suite("The endpoints, as their description has them", .timeLimit(.minutes(20)))
struct DescribedEndpointsTests {
    @Test func `answer to whatever a machine makes up from it as it says, and never with a fault`() async throws {
        // Time stands still here: a request that is held open would never end.
        try await JourneyServer.with(
            configuring: { settings in
                settings.longestWait = 0
                settings.registration = RegistrationPolicy(access: .open)
            }
        ) { server in
            let screen = JourneyScreen(at: server.issuer)
            let codes = try await screen.ask()
            let visitor = JourneyVisitor(at: server.issuer)
            try await visitor.signIn(as: .anna)
            try await visitor.decide(.approve, on: codes.userCode)
            let tokens = try await screen.poll(codes).tokens
            let backend = PresentedCredentials.basicHeader(
                client: JourneyParties.backend,
                secret: JourneyParties.backendSecret
            )
            let domains = JourneyDomains.registered(returningTo: [], at: server.clock.date)
            try await server.change { repositories in
                for domain in domains { try repositories.domains.insert(domain) }
            }
            let service = AccessToken(revealing: JourneyDomains.music.rawValue)
            let ended = try await PythonProgram(name: "endpoints_with_schemathesis").run(
                with: [
                    "JOURNEY_ISSUER": server.issuer.text,
                    "JOURNEY_CLIENT": backend,
                    "JOURNEY_SERVICE": BearerHeader.value(for: service),
                    "JOURNEY_TOKEN": BearerHeader.value(for: tokens.accessToken),
                ],
                advancing: { server.clock.advance(by: $0) }
            )
            #expect(ended.status == 0, "\(ended.output)")
        }
    }
}
