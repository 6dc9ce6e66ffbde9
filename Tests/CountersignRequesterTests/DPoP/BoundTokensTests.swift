import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignRequester

@Suite("Tokens that are bound to a key of the device")
struct BoundTokensTests {
    @Test func `are asked for with proofs of one key, which is kept with them`() async throws {
        let app = try Self.app(.bound)
        let sent = try await app.started()
        let signedIn = try await Self.signedIn(app, sent)
        let key = try #require(signedIn.key)
        let proofs = try app.proofs
        let proof = try #require(proofs.first)
        #expect(proofs.count == 1)
        #expect(proof.thumbprint == key.thumbprint)
        #expect(proof.nonce == nil)
        let kept = app.server.signInKey
        #expect(try await app.store.signedIn(for: kept) == signedIn)
        #expect("\(signedIn)".contains("DPoPKey(redacted)"))
    }

    @Test func `have another key after each sign-in`() async throws {
        let app = try Self.app(.bound)
        let first = try await Self.signedIn(app, try await app.started())
        let second = try await Self.signedIn(app, try await app.started())
        #expect(first.key != nil && second.key != nil && first.key != second.key)
    }

    @Test func `are asked for once more with the nonce that the server wants, and only once`() async throws {
        let app = try Self.app(.wantsNonce("n-1"), .bound)
        _ = try await Self.signedIn(app, try await app.started())
        #expect(try app.proofs.map(\.nonce) == [nil, DPoPNonce(rawValue: "n-1")])

        let stubborn = try Self.app(.wantsNonce("n-1"), .wantsNonce("n-2"), .bound)
        let sent = try await stubborn.started()
        let answer = try await stubborn.signIn.finish(
            with: stubborn.address("code=A", state: sent["state"])
        )
        guard case .granted(.refused(let error)) = answer else {
            Issue.record("Not refused: \(answer)")
            return
        }
        #expect(error.code == .useDPoPNonce)
        #expect(stubborn.redeemed.count == 2)
    }

    @Test func `are bearer tokens where the server binds nothing, unless they must be bound`() async throws {
        let app = try AppUnderTest(.granted(bound: false), scope: .none)
        let signedIn = try await Self.signedIn(app, try await app.started())
        #expect(signedIn.key == nil)
        #expect(app.server.transport.sent(to: "/token").first?.request.headerFields[.dpop] == nil)

        // The metadata promise it, and the answer does not do it.
        let promising = try Self.app(.granted(bound: false))
        #expect(try await Self.signedIn(promising, try await promising.started()).key == nil)

        let strict = try Self.app(.granted(bound: false), binding: .required)
        let sent = try await strict.started()
        let answer = try await strict.signIn.finish(with: strict.address("code=A", state: sent["state"]))
        guard case .granted(.failed(let error, .no)) = answer else {
            Issue.record("Not failed: \(answer)")
            return
        }
        #expect(error.code == .badAnswer)

        let nowhere = try AppUnderTest(scope: .none, binding: .required)
        await #expect(throws: SignInError(.bindingNotOffered, because: "")) { try await nowhere.signIn.start() }
        #expect(nowhere.opener.opened.isEmpty)
    }

    @Test func `are never taken without a key, and no other type is taken`() async throws {
        let unasked = try AppUnderTest(.bound, scope: .none)
        #expect(try await Self.failure(unasked) == .badAnswer)
        let odd = try Self.app(.json(["access_token": "a", "token_type": "mac"]))
        #expect(try await Self.failure(odd) == .badAnswer)
    }

    @Test func `can be asked for by a code on the screen, too`() async throws {
        let server = try ScriptedServer(.error(.authorizationPending), .wantsNonce("n-1"), .bound)
        var metadata = server.metadata
        metadata.dpopSigningAlgValuesSupported = ["ES256"]
        server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
        let store = MemoryTokenStore()
        let run = await server.signIn(keepingTokensIn: store) { $0.binding = .required }.run()
        let signedIn = try run.result.get()
        #expect(signedIn.key != nil)
        let proofs = try server.transport.sent(to: "/token").map { sent in
            try #require(try UnverifiedDPoPProof(in: sent.request.headerFields))
        }
        #expect(proofs.count == 3)
        #expect(proofs.allSatisfy { $0.key == signedIn.key?.publicKey })
    }
}

extension BoundTokensTests {
    /// An app at a server whose metadata offer to bind tokens.
    static func app(_ tokens: ScriptedTransport.Reply..., binding: TokenBinding = .whenOffered) throws -> AppUnderTest {
        let app = try AppUnderTest(scope: .none, binding: binding) { $0.dpopSigningAlgValuesSupported = ["ES256"] }
        app.server.transport.reply(at: "/token", with: tokens)
        return app
    }

    static func signedIn(_ app: AppUnderTest, _ sent: [String: String]) async throws -> CompletedSignIn {
        let answer = try await app.signIn.finish(with: app.address("code=A", state: sent["state"]))
        guard case .granted(let completion) = answer, let signedIn = completion.signedIn else {
            throw NotSignedIn(answer: "\(answer)")
        }
        return signedIn
    }

    static func failure(_ app: AppUnderTest) async throws -> SignInError.Code? {
        let sent = try await app.started()
        let answer = try await app.signIn.finish(with: app.address("code=A", state: sent["state"]))
        guard case .granted(.failed(let error, _)) = answer else { return nil }
        return error.code
    }

    struct NotSignedIn: Error {
        let answer: String
    }
}

extension AppUnderTest {
    /// The proofs in the token requests, each verified.
    var proofs: [VerifiedDPoPProof] {
        get throws {
            let target = try #require(DPoPTarget(.post, server.issuer.appending("token")))
            return try server.transport.sent(to: "/token").compactMap { sent in
                try UnverifiedDPoPProof(in: sent.request.headerFields)?.verified(
                    for: target,
                    freshBy: .byNonce(isRequired: false) { _ in server.clock.date },
                    at: server.clock.date
                )
            }
        }
    }
}

extension ScriptedTransport.Reply {
    /// Tokens that are bound to the key that was proved.
    static var bound: Self { granted(bound: true) }

    static func granted(bound: Bool) -> Self {
        .json(
            TokenResponse(
                accessToken: AccessToken(revealing: "access-1"),
                tokenType: bound ? "DPoP" : "Bearer",
                expiresIn: 300,
                refreshToken: RefreshToken(revealing: "refresh-1")
            )
        )
    }

    /// The server refuses a proof that lacks this nonce.
    static func wantsNonce(_ nonce: String) -> Self {
        .error(.useDPoPNonce, fields: [.dpopNonce: nonce])
    }
}
