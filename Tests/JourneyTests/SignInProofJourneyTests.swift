import Countersign
import CountersignRequester
import CountersignServer
import CountersignTesting
import CountersignTransport
import CountersignWire
import Testing

/// Proofs that a screen presents to the real server before it asks a person.
@Suite("A screen with a proof at the real server", .timeLimit(.minutes(3)))
struct SignInProofJourneyTests {
    private struct NoAccount: Error {}

    @Test(arguments: SignInProof.Kind.allCases)
    func `is signed in by it at once, and there is no request`(kind: SignInProof.Kind) async throws {
        try await play { server, provider in
            let nonce = SubjectTokenNonce(drawingFrom: .system)
            let token = ProviderToken.idToken(try await provider.idToken(nonce: nonce.challenge), nonce: nonce)
            let proof: SignInProof =
                switch kind {
                case .ticket: .ticket(try await server.ticket(of: .anna))
                case .token: .token(token)
                case .account: .account { token }
                }
            let (trace, transport) = await signIn(at: server, presenting: [proof])
            #expect(trace.finals == 1)
            let signedIn = try #require(trace.signedIn, "\(String(describing: trace.error))")
            #expect(signedIn.identity?.subject == JourneyPerson.anna.subject)
            #expect(trace.events.contains(.presenting(kind)))
            #expect(trace.events.count { if case .confirming = $0 { true } else { false } } == 1)
            #expect(transport.codes.isEmpty && transport.tokens.map(\.accessToken) == [signedIn.accessToken])
            #expect(try await JourneyScreen.api(at: server.issuer).isActive(signedIn.accessToken))
        }
    }

    @Test func `goes on to a person when none is accepted, and has one end`() async throws {
        try await play { server, provider in
            let ticket = try await server.ticket(of: .anna)
            server.clock.advance(by: .seconds(301))
            // The provider put in the nonce of an app, which a thief of the token does not have.
            let nonce = SubjectTokenNonce(drawingFrom: .system).challenge
            let stolen = ProviderToken.idToken(try await provider.idToken(nonce: nonce))
            let person = JourneyVisitor(at: server.issuer)
            try await person.signIn(as: .anna)
            let (trace, transport) = await signIn(
                at: server, presenting: [.ticket(ticket), .token(stolen), .account { throw NoAccount() }]
            ) { invitation in
                try await person.decide(.approve, on: try #require(invitation.userCode))
            }
            #expect(trace.finals == 1)
            let signedIn = try #require(trace.signedIn, "\(String(describing: trace.error))")
            #expect(signedIn.identity?.subject == JourneyPerson.anna.subject)
            let refusals = trace.events.filter { if case .notAccepted = $0 { true } else { false } }
            #expect(
                refusals == [
                    .notAccepted(.ticket, SignInError(.expired, because: "")),
                    .notAccepted(.token, SignInError(.subjectTokenRefused, because: "")),
                    .notAccepted(.account, SignInError(.accountUnusable, because: "")),
                ])
            #expect(transport.codes.count == 1)
            #expect(Set(transport.tokens.map(\.accessToken.revealed)) == [signedIn.accessToken.revealed])
        }
    }

    /// Runs a story where the TV may redeem tickets and exchange tokens of a provider.
    private func play(_ body: (JourneyServer, ExchangeProvider) async throws -> Void) async throws {
        try await ExchangeProvider.play(.hashed) { server, provider in
            try await server.change { repositories in
                var tv = try #require(try repositories.clients.find(JourneyParties.tv))
                tv.grantTypes.append(.preAuthorizedCode)
                try repositories.clients.update(tv)
            }
            try await body(server, provider)
        }
    }

    /// Signs in on a screen with these proofs, whose person confirms who they are, and `approve` answers the code.
    private func signIn(
        at server: JourneyServer,
        presenting proofs: [SignInProof],
        _ approve: (Invitation) async throws -> Void = { _ in }
    ) async -> (SignInTrace, OverheardTransport) {
        let transport = OverheardTransport()
        var screen = SignInScreen(name: "Anna’s big screen")
        screen.proofs = proofs
        var options = SignInOptions()
        options.renewsLink = false
        let signIn = SignIn(
            at: server.issuer, as: ClientIdentity(JourneyParties.tv), for: JourneyRequester.scope, on: screen,
            options: options, in: RequesterContext(over: transport, clock: server.clock.skipping, random: .system))
        let trace = await SignInTrace.of(signIn) { event in
            switch event {
            case .invitation(let invitation): try await approve(invitation)
            case .confirming(let question): question.answer(.continue)
            default: break
            }
        }
        return (trace, transport)
    }
}
