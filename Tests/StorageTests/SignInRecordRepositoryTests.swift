import Countersign
import CountersignServer
import Foundation
import Testing

@Suite("The sign-ins of a store")
struct SignInRecordRepositoryTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `are found by grant, and updated`(store: StoreUnderTest) async throws {
        var record = Fixtures.signIn("one", isFromTicket: true)
        try await store.run { store in
            try await store.change { [record] in try $0.signIns.insert(record) }
            #expect(try await store.read { try $0.signIns.find(Grant.ID("one")) } == record)
            #expect(try await store.read { try $0.signIns.find(Grant.ID("two")) } == nil)

            record.lastUsed = noon + 100.000_001
            record.ends = noon + 1000
            record.revoked = noon + 101
            record.approverKey = Fixtures.approverKey("one")
            try await store.change { [record] in
                try $0.signIns.update(record)
                try $0.signIns.update(Fixtures.signIn("two"))
            }
            #expect(try await store.read { try $0.signIns.find(Grant.ID("one")) } == record)
            #expect(try await store.read { try $0.signIns.find(Grant.ID("two")) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `have the purpose and the end of a service`(store: StoreUnderTest) async throws {
        let like = Fixtures.signIn("one")
        var request = like.request
        request.service = .asserted(GuestService(purpose: "'; backup „nas“ 📺", ends: noon + 86_400))
        let record = SignInRecord(
            grant: like.grant, request: request, signedIn: like.signedIn, lastUsed: like.lastUsed, ends: like.ends)
        try await store.run { store in
            try await store.change { try $0.signIns.insert(record) }
            #expect(try await store.read { try $0.signIns.find(Grant.ID("one")) } == record)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of a browser session are those not revoked`(store: StoreUnderTest) async throws {
        let session = SessionReference(id: ApproverID("browser"), expires: noon + 0.1)
        var revoked = Fixtures.signIn("two", session: session)
        revoked.revoked = noon
        let other = SessionReference(id: ApproverID("Browser"), expires: noon)
        let kept = Fixtures.signIn("one", session: session)
        try await store.run { [revoked] store in
            try await store.change { repositories in
                for record in [kept, revoked, Fixtures.signIn("three", session: other), Fixtures.signIn("four")] {
                    try repositories.signIns.insert(record)
                }
            }
            #expect(try await store.read { try $0.signIns.all(of: session.id) } == [kept])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `that end with a browser session or app are those not revoked`(store: StoreUnderTest) async throws {
        func signIn(_ name: String, endingWith approver: String?) -> SignInRecord {
            let like = Fixtures.signIn(name)
            var grant = like.grant
            grant.ends = noon + 60
            grant.endsWith = approver.map { ApproverID($0) }
            return SignInRecord(
                grant: grant, request: like.request, signedIn: like.signedIn, lastUsed: like.lastUsed, ends: like.ends)
        }
        let kept = signIn("one", endingWith: "browser")
        var revoked = signIn("two", endingWith: "browser")
        revoked.revoked = noon
        let others = [signIn("three", endingWith: "Browser"), signIn("four", endingWith: nil)]
        try await store.run { [revoked] store in
            try await store.change { repositories in
                for record in [kept, revoked] + others { try repositories.signIns.insert(record) }
            }
            #expect(try await store.read { try $0.signIns.all(endingWith: ApproverID("browser")) } == [kept])
            #expect(try await store.read { try $0.signIns.find(kept.grant.id) } == kept)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of a session or a person come page by page, also when those before were revoked`(
        store: StoreUnderTest
    ) async throws {
        let session = SessionReference(id: ApproverID("browser"), expires: noon + 9)
        // The same instant for two of them: then the order of insertion counts.
        let records = [("c", 0.0), ("a", 1), ("d", 1), ("b", 2)].map { name, second in
            Fixtures.signIn(name, signedIn: noon + second, session: session)
        }
        try await store.run { store in
            try await store.change { repositories in
                for record in records { try repositories.signIns.insert(record) }
                for var record in [records[1], records[2]] {
                    record.revoked = noon
                    try repositories.signIns.update(record)
                }
            }
            let (first, second, third, last) = (records[0], records[1], records[2], records[3])
            try await store.change { repositories in
                let signIns = try repositories.signIns
                for seen in [second, third] {
                    #expect(try signIns.all(of: session.id, after: seen.grant.id) == [last])
                    #expect(try signIns.all(of: Subject("anna"), after: seen.grant.id) == [first])
                }
                #expect(try signIns.all(of: session.id, after: first.grant.id) == [last])
                #expect(try signIns.all(of: session.id, after: last.grant.id) == [])
                #expect(try signIns.all(of: Subject("anna"), after: first.grant.id) == [])
                var restored = second
                restored.revoked = nil
                try signIns.update(restored)
                #expect(try signIns.all(of: Subject("anna"), after: third.grant.id) == [restored, first])
                #expect(try signIns.all(of: session.id, after: first.grant.id) == [restored, last])
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `refuse a second of the same grant`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { try $0.signIns.insert(Fixtures.signIn("one")) }
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.signIns.insert(Fixtures.signIn("one", of: Subject("berta"))) }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of a person are those not revoked, newest first`(store: StoreUnderTest) async throws {
        var revoked = Fixtures.signIn("revoked")
        revoked.revoked = noon
        let records = [
            Fixtures.signIn("older"), Fixtures.signIn("newer", signedIn: noon + 1), revoked,
            Fixtures.signIn("hers", of: Subject("berta")),
        ]
        try await store.run { store in
            try await store.change { repositories in
                for record in records { try repositories.signIns.insert(record) }
            }
            let found = try await store.read { try $0.signIns.all(of: Subject("anna")) }
            #expect(found == [records[1], records[0]])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of a person are at most a thousand`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { repositories in
                for number in 0..<1001 {
                    try repositories.signIns.insert(
                        Fixtures.signIn("\(number)", signedIn: noon + Double(number))
                    )
                }
            }
            let found = try await store.read { try $0.signIns.all(of: Subject("anna")) }
            #expect(found.map(\.grant.id.rawValue) == (1...1000).reversed().map(String.init))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of a client are those not revoked, up to a limit`(store: StoreUnderTest) async throws {
        var revoked = Fixtures.signIn("revoked", client: ClientID("radio"))
        revoked.revoked = noon
        let records = [
            Fixtures.signIn("one", client: ClientID("radio")),
            Fixtures.signIn("two", of: Subject("berta"), client: ClientID("radio")), revoked,
            Fixtures.signIn("other"),
        ]
        try await store.run { store in
            try await store.change { repositories in
                for record in records { try repositories.signIns.insert(record) }
            }
            let found = try await store.read { try $0.signIns.all(of: ClientID("radio"), limit: 10) }
            #expect(Set(found.map(\.grant.id.rawValue)) == ["one", "two"])
            #expect(try await store.read { try $0.signIns.all(of: ClientID("radio"), limit: 1) }.count == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of a person at a client are those not revoked`(store: StoreUnderTest) async throws {
        var revoked = Fixtures.signIn("revoked")
        revoked.revoked = noon
        let records = [
            Fixtures.signIn("one"), Fixtures.signIn("two", signedIn: noon + 1), revoked,
            Fixtures.signIn("elsewhere", client: ClientID("radio")), Fixtures.signIn("another's", of: Subject("berta")),
        ]
        try await store.run { store in
            try await store.change { repositories in
                for record in records { try repositories.signIns.insert(record) }
            }
            let found = try await store.read { try $0.signIns.all(of: Subject("anna"), at: ClientID("tv")) }
            #expect(found == [records[1], records[0]])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are found by client and domain, the newest that is not revoked`(store: StoreUnderTest) async throws {
        let radio = ClientID("radio")
        var revoked = Fixtures.signIn("revoked", client: radio, signedIn: noon + 9, domain: "a.example")
        revoked.revoked = noon
        let records = [
            Fixtures.signIn("older", client: radio, domain: "a.example"),
            Fixtures.signIn("newer", client: radio, signedIn: noon + 1, domain: "a.example"), revoked,
            Fixtures.signIn("b", client: radio, signedIn: noon + 2, domain: "b.example"),
            Fixtures.signIn("none", client: radio, signedIn: noon + 3),
            Fixtures.signIn("tv", signedIn: noon + 4, domain: "a.example"),
        ]
        try await store.run { store in
            try await store.change { repositories in
                for record in records { try repositories.signIns.insert(record) }
            }
            let found = try await store.read { repositories in
                try ["a.example", "b.example", "A.example"].map { name in
                    try repositories.signIns.find(radio, Domain(name))
                }
            }
            #expect(found == [records[1], records[3], nil])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of a domain are those not revoked, up to a limit`(store: StoreUnderTest) async throws {
        var revoked = Fixtures.signIn("revoked", domain: "a.example")
        revoked.revoked = noon
        let records = [
            Fixtures.signIn("one", domain: "a.example"),
            Fixtures.signIn("two", of: Subject("berta"), domain: "a.example"), revoked,
            Fixtures.signIn("other", domain: "b.example"), Fixtures.signIn("none"),
        ]
        try await store.run { store in
            try await store.change { repositories in
                for record in records { try repositories.signIns.insert(record) }
            }
            let found = try await store.read { try $0.signIns.all(of: Domain("a.example"), limit: 10) }
            #expect(Set(found.map(\.grant.id.rawValue)) == ["one", "two"])
            #expect(try await store.read { try $0.signIns.all(of: Domain("a.example"), limit: 1) }.count == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are swept after their end, which an update moves`(store: StoreUnderTest) async throws {
        var moved = Fixtures.signIn("moved", ends: noon + 1)
        moved.ends = noon + 100
        try await store.run { [moved] store in
            try await store.change { repositories in
                for number in [2, 1, 3] {
                    try repositories.signIns.insert(Fixtures.signIn("\(number)", ends: noon + Double(number)))
                }
                try repositories.signIns.insert(Fixtures.signIn("moved", ends: noon + 1))
                try repositories.signIns.update(moved)
            }
            #expect(try await store.change { try $0.signIns.sweep(before: noon + 3, limit: 1) } == 1)
            #expect(try await store.read { try $0.signIns.find(Grant.ID("1")) } == nil)
            #expect(try await store.change { try $0.signIns.sweep(before: noon + 3, limit: 9) } == 1)
            #expect(try await store.read { try $0.signIns.find(Grant.ID("3")) } != nil)
            #expect(try await store.read { try $0.signIns.find(Grant.ID("moved")) } == moved)
        }
    }
}
