import CountersignApprover
import CountersignRequester
import CountersignTesting
import Testing

/// The examples in the documentation of the network and of the test kit, word for word: `Scripts/check-examples.py`
/// compares them.
@Suite("The transport's examples")
struct TransportExamples {
    @Test func `a hand-moved clock`() async throws {
        let clock = ManualClock()
        let waiting = Task { try await clock.source.sleep(for: .seconds(30)) }
        await clock.sleepers()
        clock.advance(by: .seconds(30))
        try await waiting.value
    }

    @Test func `the transport of this machine`() {
        let transport = SystemTransport.make()
        _ = LoggingTransport(base: transport)
    }

    static func pinned(by pins: CertificatePins) {
        let transport = SystemTransport.make(checking: { certificate in
            await pins.accepts(certificate, isTrusted: true)
        })
        _ = LoggingTransport(base: transport)
    }

    // The rest is compiled only: it needs a network, or the answers of a test.

    static func keys() async throws -> HTTPAnswer {
        let request = HTTPRequest(method: .get, scheme: "https", authority: "id.example.com", path: "/jwks")
        let answer = try await AsyncHTTPTransport().send(request, body: [], within: .seconds(10))
        return answer
    }

    static func send(
        _ request: HTTPRequest,
        body: [UInt8],
        over transport: any HTTPTransport,
        log: (String) -> Void
    ) async throws(TransportError) -> HTTPAnswer {
        do throws(TransportError) {
            return try await transport.send(request, body: body, within: .seconds(15))
        } catch {
            if error.mayHaveArrived { log("the answer was lost: \(error)") }
            throw error
        }
    }

    static func pin(
        _ transport: any HTTPTransport,
        at issuer: Issuer,
        as client: ClientIdentity,
        for scope: Scope
    ) -> SignIn {
        let context = RequesterContext(over: transport, clock: .system, random: .system)
        let signIn = SignIn(at: issuer, as: client, for: scope, in: context)
        return signIn
    }

    static func script(
        _ tokens: TokenResponse,
        at issuer: Issuer,
        as client: ClientIdentity,
        for scope: Scope
    ) -> SignIn {
        let clock = ManualClock()
        let network = ScriptedTransport([
            "/token": [.failure(TransportError(.interrupted, because: "lost")), .json(tokens)]
        ])
        let signIn = SignIn(
            at: issuer,
            as: client,
            for: scope,
            in: RequesterContext(over: network, clock: clock.skipping, random: SeededRandom(seed: 1).source)
        )
        #expect(network.sent(to: "/token").count == 2)
        return signIn
    }

    static func keep(_ signedIn: CompletedSignIn, at issuer: Issuer, as client: ClientID) async throws {
        let store = MemoryTokenStore()
        try await store.save(signedIn, for: .signIn(at: issuer, as: client))
    }
}

struct LoggingTransport: HTTPTransport {
    let base: any HTTPTransport

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        let answer = try await base.send(request, body: body, within: limit)
        print(request.method, request.path ?? "/", answer.response.status)
        return answer
    }
}
