import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignRequester

@Suite("A sign-in that waits for its answer")
struct PendingSignInTests {
    @Test func `is finished by the next start of the app`() async throws {
        let place = StoreDirectory()
        let before = try AppUnderTest(store: place.store())
        let sent = try await before.started()

        let after = try AppUnderTest(store: place.store(), seed: 2)
        try after.grant(nonce: sent["nonce"])
        let answer = try await after.signIn.finish(with: after.address("code=A", state: sent["state"]))
        guard case .granted(.signedIn) = answer else {
            Issue.record("Not signed in: \(answer)")
            return
        }
        let verifier = try #require(after.redeemed.first?["code_verifier"].flatMap(CodeVerifier.init(parsing:)))
        #expect(CodeChallenge(of: verifier).description == sent["code_challenge"])
        #expect(try await after.store.keys() == [.signIn(at: after.server.issuer, as: after.server.client)])
    }

    @Test func `is sealed`() async throws {
        let place = StoreDirectory()
        let app = try AppUnderTest(store: place.store())
        let sent = try await app.started()
        let state = try #require(sent["state"])
        let files = try place.files.map { try Data(place.bytes($0)) }
        #expect(!files.isEmpty)
        #expect(files.allSatisfy { $0.range(of: Data(state.utf8)) == nil && $0.range(of: Data("nonce".utf8)) == nil })
        #expect(try await app.store.keys().allSatisfy { !$0.description.contains(state) })
    }

    @Test func `is answered once, whoever is first`() async throws {
        let app = try AppUnderTest()
        let address = app.address("code=A", state: try await app.started()["state"])
        let answers = try await withThrowingTaskGroup(of: Expected.self) { group in
            for _ in 0..<20 { group.addTask { Expected(try await app.signIn.receive(address)) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { $0 == .code("A") } == 1)
        #expect(answers.count { $0 == .unasked } == 19)
    }

    @Test func `is over before its code is redeemed`() async throws {
        let app = try AppUnderTest(.silence, scope: .none)
        let address = app.address("code=A", state: try await app.started()["state"])
        let finishing = Task { try await app.signIn.finish(with: address) }
        await app.server.transport.requests(1, to: "/token")
        #expect(try await app.store.keys().isEmpty)
        finishing.cancel()
        #expect(try await finishing.value == .granted(.failed(SignInError(.cancelled, because: ""), .signInAgain)))
    }

    @Test func `can be forgotten`() async throws {
        let app = try AppUnderTest()
        let state = try await app.started()["state"]
        try await app.signIn.forgetRequests()
        #expect(try await app.signIn.receive(app.address("code=A", state: state)) == .unasked)
    }

    @Test func `answers for nothing when it is damaged`() async throws {
        let app = try AppUnderTest()
        let state = try await app.started()["state"]
        let key = try #require(try await app.store.keys().first)
        try await app.store.save(Array("{}".utf8), for: key)
        #expect(try await app.signIn.receive(app.address("code=A", state: state)) == .unasked)
        #expect(try await app.store.keys().isEmpty)
    }

    @Test func `of one provider is not answered by another`() async throws {
        let store = MemoryTokenStore()
        let honest = try AppUnderTest(store: store)
        let state = try await honest.started()["state"]
        let profile = ProviderProfile(
            named: "https://evil.example",
            authorization: "https://evil.example/authorize",
            token: "https://evil.example/token"
        )
        let evil = try AppUnderTest(at: profile, store: store)
        #expect(try await evil.signIn.receive(evil.address("code=A", state: state)) == .unasked)
        #expect(evil.server.transport.sent().isEmpty)
    }
}
