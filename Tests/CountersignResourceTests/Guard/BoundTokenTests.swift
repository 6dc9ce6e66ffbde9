import Countersign
import CountersignResource
import CountersignTesting
import CountersignWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

import FoundationEssentialsCompat

/// Standard: RFC 9449 §7.
@Suite("A service of tokens that are bound to keys")
struct BoundTokenTests {
    private let key = DPoPKey(drawingFrom: .system)
    private let clock = ManualClock()
    private let origin = WebOrigin("https://radio.example.com")
    private let bound = AccessToken(revealing: "of-anna")
    private let free = AccessToken(revealing: "of-a-radio")

    private func service(
        takingProofs: Bool = true,
        requiring nonces: DPoPNonces? = nil,
        rememberingAtLeast capacity: Int = 100
    ) -> GuardedService {
        var tokens = KnownTokens()
        tokens.tokens["of-anna"]?.key = .proof(key.thumbprint)
        return GuardedService(.bearer(realm: "radio"), checking: tokens, clock: clock) {
            takingProofs
                ? $0.acceptingProofs(at: origin, requiring: nonces, rememberingAtLeast: capacity) : $0
        }
    }

    private func proof(
        by key: DPoPKey? = nil,
        _ method: HTTPRequest.Method = .get,
        _ uri: String = "https://radio.example.com/tags",
        presenting token: AccessToken? = nil,
        nonce: DPoPNonce? = nil
    ) throws -> String {
        let target = try #require(DPoPTarget(method, uri))
        return try (key ?? self.key).proof(
            for: target, presenting: token ?? bound, nonce: nonce, at: clock.date, drawingFrom: .system)
    }

    private func answer(
        _ service: GuardedService,
        _ token: AccessToken,
        _ proofs: String...
    ) async throws -> TestResponse {
        try await service.answer(DPoPHeader.value(for: token), proofs: proofs)
    }

    @Test func `lets a token in with a proof of its key, once`() async throws {
        let service = service()
        let proof = try proof()
        let first = try await answer(service, bound, proof)
        #expect(first.status == .ok)
        #expect(first.text == "user 17 anna-1")
        #expect(try await answer(service, bound, proof).status == .unauthorized)
        #expect(try await answer(service, bound, try self.proof()).status == .ok)
    }

    /// THREATS: a stranger fills the memory of proofs.
    @Test func `remembers no proofs beside tokens that are not good`() async throws {
        let service = service(rememberingAtLeast: 1)
        let (stranger, unknown) = (DPoPKey(drawingFrom: .system), AccessToken(revealing: "of-nobody"))
        for _ in 0..<5 {
            let foreign = try proof(by: stranger, presenting: unknown)
            #expect(try await answer(service, unknown, foreign).status == .unauthorized)
            #expect(try await answer(service, bound, try proof(by: stranger)).status == .unauthorized)
        }
        #expect(try await answer(service, bound, try proof()).status == .ok)
    }

    @Test func `refuses a proof that was made before the service started`() async throws {
        let old = try proof()
        #expect(try await answer(service(), bound, old).status == .ok)
        clock.advance(by: .seconds(1))
        let again = service()
        #expect(try await answer(again, bound, old).status == .unauthorized)
        #expect(try await answer(again, bound, try proof()).status == .ok)
    }

    @Test func `refuses it as that of a bearer, and says what is needed`() async throws {
        let answer = try await service().answer("Bearer of-anna")
        #expect(answer.status == .unauthorized)
        #expect(
            answer.challenges == [
                #"DPoP algs="ES256 RS256", error="invalid_token", "#
                    + #"error_description="the access token needs a proof of its key""#,
                #"Bearer realm="radio""#,
            ]
        )
    }

    /// Standard: ETSI TS 103 407 §9.
    @Test func `of Cross-Platform Authentication lets it in with a proof, and no bearer of it`() async throws {
        let provider = ScriptedProvider()
        provider.network.reply(
            at: "/ap/authorized",
            with: .text(
                #"{"client_id":17,"user_id":"anna-1","cnf":{"jkt":"\#(key.thumbprint.rawValue)"}}"#,
                type: "application/json")
        )
        let checker = try CrossPlatformChecker(
            at: Issuer("https://login.example.org/ap"),
            for: Domain("radio.example.com"),
            credential: ServiceCredential(revealing: "the-credential"),
            over: provider
        )
        let service = GuardedService(checking: checker, clock: clock) { $0.acceptingProofs(at: origin) }
        let good = try await answer(service, bound, try proof())
        #expect(good.status == .ok)
        #expect(good.text == "user 17 anna-1")
        let bearer = try await service.answer("Bearer of-anna")
        #expect(bearer.status == .unauthorized)
        #expect(bearer.challenges.contains { $0.hasPrefix("DPoP ") && $0.contains(#"error="invalid_token""#) })
        #expect(bearer.challenges.contains(GuardedService.bothModes))
        let stranger = try await answer(service, bound, try proof(by: DPoPKey(drawingFrom: .system)))
        #expect(stranger.status == .unauthorized)
    }

    @Test func `refuses it where no proofs are taken`() async throws {
        let service = service(takingProofs: false)
        #expect(try await service.answer("Bearer of-anna").status == .unauthorized)
        let answer = try await answer(service, bound, try proof())
        #expect(answer.status == .unauthorized)
        #expect(answer.challenges == [#"Bearer realm="radio""#])
    }

    @Test func `refuses a proof of another key, request, token or time`() async throws {
        let service = service()
        let wrong = [
            try proof(by: DPoPKey(drawingFrom: .system)), try proof(.post),
            try proof(.get, "https://radio.example.com/other"), try proof(.get, "https://radio.example.org/tags"),
            try proof(presenting: free), "a.b.c",
        ]
        for proof in wrong {
            let answer = try await answer(service, bound, proof)
            #expect(answer.status == .unauthorized)
            #expect(answer.challenges.contains { $0.hasPrefix(#"DPoP algs="ES256 RS256", error="#) })
        }
        #expect(try await answer(service, bound).status == .unauthorized)
        #expect(try await answer(service, bound, try proof(), try proof()).status == .unauthorized)
        let old = try proof()
        clock.advance(by: .seconds(121))
        let late = try await answer(service, bound, old)
        #expect(late.challenges.contains { $0.contains(#"error="invalid_dpop_proof""#) })
        #expect(try await answer(service, bound, try proof()).status == .ok)
    }

    /// Standard: RFC 9449 §9.
    @Test func `takes proofs with its own nonces only where it wants them, and gives the next one each time`()
        async throws
    {
        let service = service(requiring: DPoPNonces(drawingFrom: .system))
        let first = try await answer(service, bound, try proof())
        #expect(first.status == .unauthorized)
        #expect(
            first.challenges.first
                == #"DPoP algs="ES256 RS256", error="use_dpop_nonce", "#
                + #"error_description="the proof needs the nonce of this answer""#)
        let nonce = try #require(DPoPNonce(in: first.headers))
        let good = try await answer(service, bound, try proof(nonce: nonce))
        #expect(good.status == .ok)
        #expect(DPoPNonce(in: good.headers) != nil)
        clock.advance(by: .seconds(301))
        let late = try await answer(service, bound, try proof(nonce: nonce))
        #expect(late.challenges.first?.contains("use_dpop_nonce") == true)
        let foreign = DPoPNonces(drawingFrom: .system).nonce(at: clock.date)
        #expect(try await answer(service, bound, try proof(nonce: foreign)).status == .unauthorized)
        let fresh = try #require(DPoPNonce(in: late.headers))
        #expect(try await answer(service, bound, try proof(nonce: fresh)).status == .ok)
        #expect(DPoPNonce(in: try await service.answer("Bearer of-a-radio").headers) == nil)
    }

    @Test func `refuses a token that is bound to no key together with a proof, and takes it without`() async throws {
        let service = service()
        #expect(try await answer(service, free, try proof(presenting: free)).status == .unauthorized)
        #expect(try await service.answer("Bearer of-a-radio").status == .ok)
    }

    /// Standard: RFC 8705 §3.
    @Test func `takes a token that is bound to a certificate over a connection of that certificate only`() async throws
    {
        var tokens = KnownTokens()
        let certificate = CertificateThumbprint(ofDER: [1])
        tokens.tokens["of-anna"]?.key = .certificate(certificate)
        let guarded = ResourceGuard<CertificateContext>(
            checking: tokens, challenge: .bearer(realm: "radio"), clock: clock.source)
        for (name, status) in [
            (certificate.rawValue, 200), ("", 401), (CertificateThumbprint(ofDER: [2]).rawValue, 401),
        ] {
            let router = Router(context: CertificateContext.self)
            router.add(middleware: TestProxy(certificate: name.isEmpty ? nil : CertificateThumbprint(name)))
            router.group("tags").add(middleware: guarded).get { _, _ in "tags" }
            let answer = try await Application(router: router).test(.router) { client in
                try await client.execute(
                    uri: "/tags", method: .get, headers: [.authorization: "Bearer of-anna"])
            }
            #expect(answer.status.code == status)
        }
    }

    @Test func `names both schemes to those that show no token`() async throws {
        #expect(try await service().answer().challenges == [#"Bearer realm="radio""#, #"DPoP algs="ES256 RS256""#])
    }
}

/// The context of a service that sees the certificates of its clients.
private struct CertificateContext: ResourceRequestContext {
    var coreContext: CoreRequestContextStorage
    var verifiedToken: VerifiedToken?
    var clientCertificate: CertificateThumbprint?

    init(source: Source) { coreContext = CoreRequestContextStorage(source: source) }
}

/// Tells the service which certificate was proved.
private struct TestProxy: RouterMiddleware {
    let certificate: CertificateThumbprint?

    func handle(
        _ request: Request,
        context: CertificateContext,
        next: (Request, CertificateContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.clientCertificate = certificate
        return try await next(request, context)
    }
}
