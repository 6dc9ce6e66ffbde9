import Countersign
import CountersignTesting
import CountersignWire
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

@Suite("The stored people of a screen")
struct HouseholdStoreTests {
    let server: ScriptedServer

    init() throws {
        server = try ScriptedServer()
    }

    @Test func `are read where a person alone was stored before`() async throws {
        let store = MemoryTokenStore()
        let item = """
            {"accessToken":"old","refreshToken":"r","scope":"openid","identity":{"issuer":"https://id.example.com",\
            "subject":"anna-1","name":"Anna","username":"anna"}}
            """
        await store.save(Array(item.utf8), for: server.signInKey)
        #expect(try await store.signedIn(for: server.signInKey)?.accessToken.revealed == "old")
        try await server.add("ben", to: store)
        let people = try await server.household(of: store).people()
        #expect(people.map(\.identity.displayName) == ["Ben", "Anna"])
        #expect(people.last?.signedIn?.refreshToken?.revealed == "r")
    }

    @Test func `are stored as before while there is one`() async throws {
        let store = MemoryTokenStore()
        try await server.add("anna", to: store)
        let bytes = try #require(await store.load(server.signInKey))
        #expect(try JSONDecoder().decode(SignInItem.self, from: Data(bytes)).accessToken == "access-anna")
    }

    @Test func `stay as they were when a change cannot be stored`() async throws {
        let store = FailingTokenStore()
        try await server.add("anna", to: store)
        try await server.add("ben", to: store)
        let anna = try #require(try await server.person("anna", in: store))
        await store.fail(saving: .notWritten)
        let result = await server.household(of: store).signIn(as: anna, for: ScriptedServer.openid).iterated()
        #expect(result.error == SignInError(.notStored, because: "") && result.finals == 1)
        await store.fail(saving: nil)
        #expect(try await server.person("ben", in: store)?.isCurrent == true)
        #expect(try await server.person("anna", in: store)?.isCurrent == false)
    }

    @Test func `have an access token that is over once a service has refused it`() async throws {
        let store = MemoryTokenStore()
        try await server.add("anna", to: store)
        try await server.add("ben", to: store)
        let now = server.clock.date
        let steps: [(refused: String?, over: Set<String>)] = [
            ("guessed", []), ("access-anna", ["anna"]), ("access-anna", ["anna"]), (nil, ["anna", "ben"]),
        ]
        for step in steps {
            try await store.expire(step.refused.map(AccessToken.init(revealing:)), for: server.signInKey)
            let people = try await server.household(of: store).people()
            let over = people.filter { $0.signedIn?.lives(until: now, at: now) == false }
            #expect(Set(over.compactMap(\.identity.username)) == step.over)
            #expect(people.allSatisfy { $0.signedIn?.refreshToken != nil })
        }
        try await MemoryTokenStore().expire(nil, for: server.signInKey)
    }

    @Test func `are all there when several processes change them at once`() async throws {
        let place = StoreDirectory()
        let (key, server) = (server.signInKey, server)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    let name = "person\(number)"
                    let signedIn = CompletedSignIn(
                        accessToken: AccessToken(revealing: name), refreshToken: nil, expires: nil, scope: .none,
                        identity: VerifiedIdentity(
                            restoring: server.issuer.text, subject: Subject(name), name: name, username: nil, email: nil
                        ))
                    // A store of its own has a memory of its own, as another process has.
                    let store = place.store()
                    try await store.keep(signedIn, for: key, adding: true)
                    let chosen = try await store.changeHousehold(for: key) { $0.choose(Subject(name)) }
                    #expect(chosen)
                }
            }
            try await group.waitForAll()
        }
        let people = try await place.store().people(for: key, at: server.clock.date)
        #expect(Set(people.map(\.identity.displayName)).count == 12)
        #expect(people.filter(\.isCurrent).count == 1)
    }

    @Test(arguments: [#"{"others":7}"#, #"{"scope":"openid"}"#, "{}", "[]", ""])
    func `are reported as damaged, never as nobody`(item: String) async throws {
        let store = MemoryTokenStore()
        await store.save(Array(item.utf8), for: server.signInKey)
        await #expect(throws: TokenStoreError(.damaged, because: "")) {
            try await server.household(of: store).people()
        }
    }
}
