import Countersign
import CountersignServer
import CountersignWire
import Testing

@Suite("The figures of a server", .timeLimit(.minutes(10)))
struct FiguresTests {
    @Test func `are read by Prometheus' own library, and tell what happened`() async throws {
        let figures = try await JourneyServer.with { server in
            let screen = JourneyScreen(at: server.issuer)
            let codes = try await screen.ask()
            let anna = JourneyVisitor(at: server.issuer)
            try await anna.signIn(as: .anna)
            try await anna.decide(.approve, on: codes.userCode)
            _ = try await screen.poll(codes).tokens
            return server.metrics.text()
        }
        let ended = try await PythonProgram(name: "figures_with_prometheus").run(
            with: ["JOURNEY_FIGURES": figures],
            advancing: { _ in }
        )
        #expect(ended.status == 0, "\(ended.output)\n\(figures)")
    }
}
