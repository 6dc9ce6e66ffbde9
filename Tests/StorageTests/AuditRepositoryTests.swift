import Countersign
import CountersignServer
import Foundation
import Testing

@Suite("The audit of a store")
struct AuditRepositoryTests {
    private let plain = AuditEntry.Facts(at: noon + 0.1, .taken, by: .client, client: ClientID("tv"))
    private let full = AuditEntry.Facts(
        at: noon + 1.2,
        .approved,
        by: .person,
        subject: Subject("anna"),
        client: ClientID("tv"),
        request: SignInRequest.ID("request"),
        address: "2001:db8::1",
        detail: "“ü” and so on"
    )

    @Test(arguments: StoreUnderTest.allCases)
    func `begins before its first entry`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let (head, anchor) = try await store.read { (try $0.audit.head(), try $0.audit.anchor()) }
            #expect(head == .beginning)
            #expect(anchor == .beginning)
            #expect(try await store.read { try $0.audit.entries(after: 0, limit: 9) } == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `gives its entries back as they were made, in order`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let entries = try await store.change { repositories in
                let first = AuditEntry(plain, after: try repositories.audit.head())
                try repositories.audit.append(first)
                let second = AuditEntry(full, after: try repositories.audit.head())
                try repositories.audit.append(second)
                return [first, second]
            }
            #expect(try await store.read { try $0.audit.entries(after: 0, limit: 9) } == entries)
            #expect(try await store.read { try $0.audit.entries(after: 1, limit: 9) } == [entries[1]])
            #expect(try await store.read { try $0.audit.entries(after: 0, limit: 1) } == [entries[0]])
            #expect(try await store.read { try $0.audit.entries(before: 9, limit: 9) } == entries.reversed())
            #expect(try await store.read { try $0.audit.entries(before: 2, limit: 9) } == [entries[0]])
            #expect(try await store.read { try $0.audit.head() } == entries[1].place)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `finds the entries about a request, about those of a person, and the requests by a prefix`(
        store: StoreUnderTest
    ) async throws {
        try await store.run { store in
            let requests: [(String?, String?)] = [
                ("1ab", "anna"), ("1ac", "bert"), (nil, "anna"), ("1ab", "bert"), ("2", "anna"), ("1ab", nil),
            ]
            let entries = try await store.change { repositories in
                try requests.map { request, subject in
                    let facts = AuditEntry.Facts(
                        at: noon, .taken, by: .person, subject: subject.map { Subject($0) },
                        request: request.map { SignInRequest.ID($0) })
                    let entry = AuditEntry(facts, after: try repositories.audit.head())
                    try repositories.audit.append(entry)
                    return entry
                }
            }
            try await store.read { repositories in
                let audit = try repositories.audit
                #expect(
                    try audit.entries(about: SignInRequest.ID("1ab"), limit: 9) == [entries[0], entries[3], entries[5]])
                #expect(try audit.entries(about: SignInRequest.ID("1ab"), limit: 1) == [entries[0]])
                #expect(try audit.entries(about: SignInRequest.ID("1a"), limit: 9).isEmpty)
                #expect(
                    try audit.entries(aboutRequestsOf: Subject("anna"), limit: 9) == [entries[4], entries[0]])
                #expect(try audit.entries(aboutRequestsOf: Subject("anna"), limit: 1) == [entries[4]])
                let anna = Subject("anna")
                #expect(
                    try audit.entries(about: anna, before: .max, limit: 9) == [entries[4], entries[2], entries[0]])
                #expect(try audit.entries(about: anna, before: .max, limit: 1) == [entries[4]])
                #expect(try audit.entries(about: anna, before: entries[4].number, limit: 1) == [entries[2]])
                #expect(try audit.entries(about: Subject("ann"), before: .max, limit: 9).isEmpty)
                let ids = ["1ab", "1ac", "2"].map { SignInRequest.ID($0) }
                #expect(try audit.requests(beginningWith: "1", limit: 9) == Array(ids.prefix(2)))
                #expect(try audit.requests(beginningWith: "1ab", limit: 9) == [ids[0]])
                #expect(try audit.requests(beginningWith: "", limit: 9) == ids)
                #expect(try audit.requests(beginningWith: "1", limit: 1) == [ids[0]])
                #expect(try audit.requests(beginningWith: "%", limit: 9).isEmpty)
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `stays sound with the character that no store keeps`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let facts = AuditEntry.Facts(
                at: noon,
                AuditAct("a\0"),
                by: .stranger,
                subject: Subject("\0anna"),
                client: ClientID("t\0v"),
                request: SignInRequest.ID("\0"),
                address: "::1\0",
                detail: "so\0on"
            )
            try await store.change { repositories in
                try repositories.audit.append(AuditEntry(facts, after: try repositories.audit.head()))
            }
            #expect(try await store.read { try Audit($0).verify() }.number == 1)
            let entries = try await store.read { try $0.audit.entries(after: 0, limit: 9) }
            #expect(entries.map(\.facts) == [facts])
            #expect(entries.first?.facts.detail == "so\u{FFFD}on")
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `takes a number once`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { try $0.audit.append(AuditEntry(plain, after: .beginning)) }
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.audit.append(AuditEntry(full, after: .beginning)) }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `is one chain when many write at once`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<40 {
                    tasks.addTask {
                        try await store.change { repositories in
                            try repositories.audit.append(AuditEntry(plain, after: try repositories.audit.head()))
                        }
                    }
                }
                try await tasks.waitForAll()
            }
            let entries = try await store.read { try $0.audit.entries(after: 0, limit: 100) }
            #expect(entries.map(\.number) == Array(1...40))
            for (earlier, later) in zip(entries, entries.dropFirst()) { #expect(later.previous == earlier.hash) }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `is swept from its beginning, and remembers up to where`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let entries = try await store.change { repositories in
                try (0..<4).map { second in
                    let facts = AuditEntry.Facts(at: noon + Double(second), .taken, by: .person)
                    let entry = AuditEntry(facts, after: try repositories.audit.head())
                    try repositories.audit.append(entry)
                    return entry
                }
            }
            #expect(try await store.change { try $0.audit.sweep(before: noon, limit: 9) } == 0)
            #expect(try await store.change { try $0.audit.sweep(before: noon + 3, limit: 2) } == 2)
            #expect(try await store.change { try $0.audit.sweep(before: noon + 3, limit: 2) } == 1)
            #expect(try await store.read { try $0.audit.anchor() } == entries[2].place)
            #expect(try await store.read { try $0.audit.entries(after: 0, limit: 9) } == [entries[3]])
            #expect(try await store.read { try $0.audit.head() } == entries[3].place)
            #expect(try await store.change { try $0.audit.sweep(before: noon + 9, limit: 2) } == 1)
            #expect(try await store.read { try $0.audit.head() } == entries[3].place)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `is swept past entries that were made while the clock was ahead`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let (now, due) = (noon + 1000, noon + 500)
            let instants = [noon, noon + 5000, noon + 5001, noon + 5002, noon + 1, noon + 2, noon + 600, noon + 3]
            try await store.change { repositories in
                for instant in instants {
                    let facts = AuditEntry.Facts(at: instant, .taken, by: .person)
                    try repositories.audit.append(AuditEntry(facts, after: try repositories.audit.head()))
                }
            }
            func sweep() async throws -> Int {
                try await store.change { try Audit($0).sweep(before: due, at: now, limit: 2) }
            }
            // Entries after one that is kept are kept, too, even if the clock was behind then.
            for expected in [2, 2, 2, 0] { #expect(try await sweep() == expected) }
            let left = try await store.change { repositories in
                _ = try Audit(repositories).verify()
                return try repositories.audit.entries(after: 0, limit: 9).map(\.number)
            }
            #expect(left == [7, 8])
        }
    }

    @Test(arguments: StoreUnderTest.allCases, [9, 10])
    func `is looked at for ten pages only, however much was made while the clock was ahead`(
        store: StoreUnderTest,
        pages: Int
    ) async throws {
        try await store.run { store in
            try await store.change { repositories in
                for instant in Array(repeating: noon + 5000, count: 2 * pages) + [noon] {
                    let facts = AuditEntry.Facts(at: instant, .taken, by: .person)
                    try repositories.audit.append(AuditEntry(facts, after: try repositories.audit.head()))
                }
            }
            let removed = try await store.change { try Audit($0).sweep(before: noon + 1, at: noon + 2, limit: 2) }
            #expect(removed == (pages < 10 ? 2 : 0))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `loses nothing while the clock is behind`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { repositories in
                for second in 0..<4 {
                    let facts = AuditEntry.Facts(at: noon + Double(second), .taken, by: .person)
                    try repositories.audit.append(AuditEntry(facts, after: try repositories.audit.head()))
                }
            }
            let now = noon - 100
            #expect(try await store.change { try Audit($0).sweep(before: now - 50, at: now, limit: 2) } == 0)
        }
    }
}
