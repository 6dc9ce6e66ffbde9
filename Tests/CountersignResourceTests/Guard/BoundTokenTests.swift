import Countersign
import CountersignResource
import CountersignTesting
import CountersignWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Standard: RFC 9449 §7.
@Suite("A service of tokens that are bound to keys")
struct BoundTokenTests {
    private let key = DPoPKey(drawingFrom: .system)
    private let clock = ManualClock()
    private let origin = WebOrigin("https://radio.example.com")
    private let bound = AccessToken(revealing: "of-anna")
    private let free = AccessToken(revealing: "of-a-radio")

    private func service(takingProofs: Bool = true) -> GuardedService {
        var tokens = KnownTokens()
        tokens.tokens["of-anna"]?.key = key.thumbprint
        return GuardedService(.bearer(realm: "radio"), checking: tokens, clock: clock) {
            takingProofs ? $0.acceptingProofs(at: origin) : $0
        }
    }

    private func proof(
        by key: DPoPKey? = nil,
        _ method: HTTPRequest.Method = .get,
        _ uri: String = "https://radio.example.com/tags",
        presenting token: AccessToken? = nil
    ) throws -> String {
        let target = try #require(DPoPTarget(method, uri))
        return try (key ?? self.key).proof(
            for: target, presenting: token ?? bound, at: clock.date, drawingFrom: .system)
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

    @Test func `refuses it as that of a bearer, and says what is needed`() async throws {
        let answer = try await service().answer("Bearer of-anna")
        #expect(answer.status == .unauthorized)
        #expect(
            answer.challenges == [
                #"Bearer realm="radio""#,
                #"DPoP algs="ES256 RS256", error="invalid_token", "#
                    + #"error_description="the access token needs a proof of its key""#,
            ]
        )
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

    @Test func `refuses a token that is bound to no key together with a proof, and takes it without`() async throws {
        let service = service()
        #expect(try await answer(service, free, try proof(presenting: free)).status == .unauthorized)
        #expect(try await service.answer("Bearer of-a-radio").status == .ok)
    }

    @Test func `names both schemes to those that show no token`() async throws {
        #expect(try await service().answer().challenges == [#"Bearer realm="radio""#, #"DPoP algs="ES256 RS256""#])
    }
}
