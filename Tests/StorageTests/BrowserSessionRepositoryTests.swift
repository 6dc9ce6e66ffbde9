import Countersign
import CountersignServer
import Foundation
import Testing

@Suite("The browser sessions of a store")
struct BrowserSessionRepositoryTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `are found by cookie until they are removed`(store: StoreUnderTest) async throws {
        let session = Fixtures.session("one")
        try await store.run { store in
            try await store.change { try $0.browserSessions.insert(session) }
            #expect(try await store.read { try $0.browserSessions.find(session.cookie) } == session)

            try await store.change { try $0.browserSessions.remove(session.cookie) }
            try await store.change { try $0.browserSessions.remove(session.cookie) }
            #expect(try await store.read { try $0.browserSessions.find(session.cookie) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `that an approval opened are found by person, with that approval`(store: StoreUnderTest) async throws {
        let stored = Fixtures.asking("one")
        func opened(_ name: String, of subject: Subject, until expires: Date) -> BrowserSession {
            var grant = Fixtures.grant(name, to: subject)
            grant.ends = noon + 60.5
            grant.endsWith = ApproverID("another browser")
            let answer = AnswerRecord(.browser(ApproverID("phone"), name: "Firefox"), answered: noon)
            let opening = SessionOpening(grant, of: stored.exchange.request, answered: answer)
            return BrowserSession(
                cookie: SecretDigest(of: "cookie \(name)"), id: ApproverID(name), subject: subject, authenticated: noon,
                expires: expires, by: .crossDevice, opening: opening, lastUsed: noon)
        }
        let first = opened("first", of: Subject("anna"), until: noon + 60)
        let second = opened("second", of: Subject("anna"), until: noon + 900)
        let hers = opened("hers", of: Subject("berta"), until: noon + 900)
        try await store.run { store in
            try await store.change { repositories in
                for session in [first, second, hers, Fixtures.session("typed")] {
                    try repositories.browserSessions.insert(session)
                }
            }
            #expect(try await store.read { try $0.browserSessions.find(first.cookie) } == first)
            let found = try await store.read { try $0.browserSessions.opened(for: Subject("anna")) }
            #expect(found == [second, first])
            let all = try await store.read { try $0.browserSessions.all(of: Subject("anna")) }
            #expect(Set(all.map(\.id.rawValue)).isSuperset(of: ["first", "second"]) && !all.contains(hers))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are listed while they live, a page after the other, the one that ends last first`(
        store: StoreUnderTest
    ) async throws {
        func session(_ name: String, of subject: String = "anna", until expires: Date) -> BrowserSession {
            BrowserSession(
                cookie: SecretDigest(of: name), id: ApproverID(name), subject: Subject(subject), authenticated: noon,
                expires: expires, lastUsed: noon)
        }
        let last = session("last", of: "berta", until: noon + 900)
        let pair = ["two", "one"].map { session($0, until: noon + 600.5) }
        let ended = session("ended", until: noon)
        try await store.run { store in
            try await store.change { repositories in
                for session in pair + [ended, last] { try repositories.browserSessions.insert(session) }
            }
            func listed(after last: BrowserSession? = nil, limit: Int = 9) async throws -> [BrowserSession] {
                try await store.read { try $0.browserSessions.live(at: noon, after: last?.position, limit: limit) }
            }
            #expect(try await listed() == [last] + pair)
            #expect(try await listed(limit: 2) == [last, pair[0]])
            #expect(try await listed(after: pair[0]) == [pair[1]])
            #expect(try await listed(after: pair[1]) == [])
            try await store.change { try $0.browserSessions.remove(pair[0].cookie) }
            #expect(try await listed(after: pair[0]) == [pair[1]])
        }
    }

    private static func used(_ session: BrowserSession, at instant: Date) -> BrowserSession {
        var session = session
        session.lastUsed = instant
        return session
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `keep a later use`(store: StoreUnderTest) async throws {
        let (earlier, other) = (Fixtures.session("one"), Fixtures.session("two"))
        let used = Self.used(earlier, at: noon + 3600.5)
        try await store.run { store in
            try await store.change { repositories in
                try repositories.browserSessions.insert(earlier)
                try repositories.browserSessions.insert(other)
                try repositories.browserSessions.update(used)
                try repositories.browserSessions.update(Fixtures.session("unknown"))
            }
            #expect(try await store.read { try $0.browserSessions.find(used.cookie) } == used)
            #expect(try await store.read { try $0.browserSessions.find(other.cookie) } == other)
            let unknown = Fixtures.session("unknown").cookie
            #expect(try await store.read { try $0.browserSessions.find(unknown) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `refuse a second of the same cookie`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { try $0.browserSessions.insert(Fixtures.session("one")) }
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.browserSessions.insert(Fixtures.session("one", of: Subject("berta"))) }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of one person are removed together`(store: StoreUnderTest) async throws {
        let hers = Fixtures.session("hers", of: Subject("berta"))
        try await store.run { store in
            try await store.change {
                try $0.browserSessions.insert(Fixtures.session("one"))
                try $0.browserSessions.insert(Fixtures.session("two"))
                try $0.browserSessions.insert(hers)
                try $0.browserSessions.removeAll(of: Subject("anna"))
            }
            #expect(try await store.read { try $0.browserSessions.find(Fixtures.session("one").cookie) } == nil)
            #expect(try await store.read { try $0.browserSessions.find(Fixtures.session("two").cookie) } == nil)
            #expect(try await store.read { try $0.browserSessions.find(hers.cookie) } == hers)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are swept when they have expired, a few at a time`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { repositories in
                for number in [2, 1, 3] {
                    let session = Fixtures.session("\(number)", expires: noon + Double(number))
                    try repositories.browserSessions.insert(session)
                }
            }
            #expect(try await store.change { try $0.browserSessions.sweep(before: noon + 3, limit: 1) } == 1)
            #expect(try await store.read { try $0.browserSessions.find(Fixtures.session("1").cookie) } == nil)
            #expect(try await store.change { try $0.browserSessions.sweep(before: noon + 3, limit: 9) } == 1)
            #expect(try await store.read { try $0.browserSessions.find(Fixtures.session("3").cookie) } != nil)
        }
    }
}
