import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@Suite("A client that others wrote", .timeLimit(.minutes(10)))
struct IndependentClientsTests {
    @Test func `signs a screen in with authlib, renews its tokens and gives them back`() async throws {
        try await run("device_flow_with_authlib")
    }

    @Test func `signs a screen in with requests-oauthlib, is denied, and comes too late`() async throws {
        try await run("device_flow_with_requests_oauthlib")
    }

    @Test func `proves a secret in both ways, and acts for itself, with authlib`() async throws {
        try await run("backend_with_authlib")
    }

    @Test func `signs in at a web site with authlib, with its pushed request and its code`() async throws {
        try await run("authorization_code_with_authlib")
    }

    @Test func `signs in at a web site with idpyoidc, which finds the server by itself`() async throws {
        try await run("authorization_code_with_idpyoidc")
    }

    @Test func `binds tokens to a key with proofs by joserfc, which verifies ours`() async throws {
        let key = DPoPKey(drawingFrom: .system)
        let target = try #require(DPoPTarget(.get, "https://api.example.com/stations"))
        let token: AccessToken = CodeMint(drawingFrom: .system).secret()
        let proof = try key.proof(
            for: target,
            presenting: token,
            nonce: DPoPNonce(rawValue: "a-nonce"),
            at: Date(),
            drawingFrom: .system
        )
        try await run(
            "proofs_with_joserfc",
            [
                "JOURNEY_PROOF": proof,
                "JOURNEY_TOKEN": token.revealed,
                "JOURNEY_THUMBPRINT": key.thumbprint.rawValue,
            ]
        )
    }

    @Test func `verifies every token with joserfc and authlib, and no forged one`() async throws {
        try await run("tokens_with_joserfc")
    }

    /// Runs a program; it says by its exit status whether all was as it should be.
    private func run(
        _ name: String,
        _ more: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        // These libraries read the machine's clock. Ours begins a minute earlier, so that no token is from the future
        // after some of it has passed.
        let clock = ManualClock(Date() - 60)
        try await JourneyServer.with(clock: clock) { server in
            let anna = JourneyPerson.anna
            let ended = try await PythonProgram(name: name).run(
                with: [
                    "JOURNEY_ISSUER": server.issuer.text,
                    "JOURNEY_AUDIENCE": JourneyParties.audience,
                    "JOURNEY_USERNAME": anna.username,
                    "JOURNEY_PASSWORD": anna.password,
                    "JOURNEY_NAME": anna.name,
                    "JOURNEY_SUBJECT": anna.subject.rawValue,
                    "JOURNEY_BACKEND_SECRET": JourneyParties.backendSecret.revealed,
                    "JOURNEY_SHOP_SECRET": JourneyParties.shopSecret.revealed,
                    "JOURNEY_API_SECRET": JourneyParties.apiSecret.revealed,
                ].merging(more) { $1 },
                advancing: { clock.advance(by: $0) }
            )
            #expect(ended.status == 0, "\(name).py said:\n\(ended.output)", sourceLocation: sourceLocation)
        }
    }
}
