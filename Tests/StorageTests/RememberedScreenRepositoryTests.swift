import Countersign
import CountersignServer
import Foundation
import Testing

@Suite("The screens of a store on which people are remembered")
struct RememberedScreenRepositoryTests {
    private func screen(
        _ id: String,
        of subject: String = "anna",
        at client: String = "tv",
        name: String? = "Küche",
        lastUsed: Date = noon
    ) -> RememberedScreen {
        RememberedScreen(
            id: RememberedScreenID(id), subject: Subject(subject), client: ClientID(client), name: name,
            since: noon - 0.25, lastUsed: lastUsed)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are returned as they were stored, the last used first`(store: StoreUnderTest) async throws {
        let mine = [
            screen("a", lastUsed: noon + 2), screen("b", at: "radio", lastUsed: noon + 1), screen("c", name: nil),
        ]
        let theirs = screen("d", of: "bert", lastUsed: noon + 3)
        try await store.run { store in
            #expect(try await store.read { try $0.rememberedScreens.all(of: Subject("anna")) } == [])
            try await store.change { for one in (mine + [theirs]).reversed() { try $0.rememberedScreens.keep(one) } }
            #expect(try await store.read { try $0.rememberedScreens.all(of: Subject("anna")) } == mine)
            #expect(try await store.read { try $0.rememberedScreens.all(of: Subject("bert")) } == [theirs])
            #expect(
                try await store.read { try $0.rememberedScreens.all(of: Subject("anna"), at: ClientID("tv")) }
                    == [mine[0], mine[2]])
            #expect(try await store.read { try $0.rememberedScreens.find(RememberedScreenID("b")) } == mine[1])
            #expect(try await store.read { try $0.rememberedScreens.find(RememberedScreenID("e")) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `take the place of one with the same identifier, and are removed`(store: StoreUnderTest) async throws {
        let (first, last) = (screen("a"), screen("a", name: "Attic", lastUsed: noon + 9))
        try await store.run { store in
            try await store.change { for one in [first, last, screen("b")] { try $0.rememberedScreens.keep(one) } }
            #expect(try await store.read { try $0.rememberedScreens.all(of: Subject("anna")) } == [last, screen("b")])
            try await store.change { for _ in 0..<2 { try $0.rememberedScreens.remove(last.id) } }
            #expect(try await store.read { try $0.rememberedScreens.all(of: Subject("anna")) } == [screen("b")])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `go when they were not used for long, and with their client`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { repositories in
                try repositories.clients.insert(Fixtures.client("tv"))
                try repositories.clients.insert(Fixtures.device("1", expires: noon))
                for one in [
                    screen("a"), screen("b", lastUsed: noon + 1), screen("c", at: "radio", lastUsed: noon + 2),
                    screen("d", at: "1", lastUsed: noon + 2),
                ] {
                    try repositories.rememberedScreens.keep(one)
                }
            }
            #expect(try await store.change { try $0.rememberedScreens.sweep(before: noon + 1, limit: 10) } == 1)
            #expect(try await store.change { try $0.clients.remove(ClientID("tv")) })
            #expect(try await store.change { try $0.clients.sweep(before: noon + 2, limit: 10) } == 1)
            let left = try await store.read { try $0.rememberedScreens.all(of: Subject("anna")).map(\.id.rawValue) }
            #expect(left == ["c"])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are named by grants, which may also end by themselves`(store: StoreUnderTest) async throws {
        var grant = Fixtures.grant("one")
        (grant.ends, grant.screen) = (noon + 900.125, RememberedScreenID("a"))
        let record = SignInRecord(
            grant: grant, request: Fixtures.request("one"), signedIn: noon, lastUsed: noon, ends: noon + 60)
        var terms = ApprovalTerms()
        terms.screen = RememberedScreenID("b")
        try await store.run { [grant, terms] store in
            var asked = Fixtures.exchange("one")
            let id = asked.id
            asked.terms = terms
            try await store.change { [asked] repositories in
                try repositories.signIns.insert(record)
                try repositories.exchanges.insert(asked)
            }
            #expect(try await store.read { try $0.signIns.find(grant.id) } == record)
            #expect(try await store.read { try $0.exchanges.find(id)?.terms.screen } == RememberedScreenID("b"))
            let phone = ApproverIdentity(subject: Subject("anna"), id: ApproverID("phone"))
            try asked.exchange.take(by: phone, at: noon + 1)
            try asked.exchange.record(.approve(grant), by: phone, at: noon + 2)
            try await store.change { [asked] in try $0.exchanges.update(asked) }
            #expect(try await store.read { try $0.exchanges.find(id)?.exchange.grant } == grant)
        }
    }
}
