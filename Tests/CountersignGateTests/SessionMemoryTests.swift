import Countersign
import Foundation
import Testing

@testable import CountersignGate

@Suite("The memory of sessions")
struct SessionMemoryTests {
    private static let noon = Date(timeIntervalSince1970: 1_800_000_000)

    /// A session of a person, which ends this many seconds after noon.
    private func entry(_ cookie: String, of person: String, ending seconds: Int = 600) throws -> SessionMemory.Entry {
        let text = """
            {"place": "https://photos.example.com", "person": {"subject": "\(person)"}, "access": "a", "accessEnds": 0,
             "ends": \(1_800_000_000 + seconds)}
            """
        let stored = try JSONDecoder().decode(StoredSession.self, from: Data(text.utf8))
        return SessionMemory.Entry(digest: SecretDigest(of: cookie), session: stored.session)
    }

    @Test func `takes from the same person first when it is full`() throws {
        var memory = SessionMemory(capacity: 3)
        for (cookie, person) in [("a", "anna"), ("b", "ben"), ("c", "ben")] {
            let removed = memory.add(try entry(cookie, of: person), at: Self.noon)
            #expect(removed.isEmpty)
        }
        for number in 0..<20 {
            let removed = memory.add(try entry("\(number)", of: "ben"), at: Self.noon)
            #expect(removed.map(\.session.person.subject) == [Subject("ben")])
        }
        #expect(memory.peek(SecretDigest(of: "a")) != nil)
        let removed = memory.add(try entry("d", of: "dora"), at: Self.noon)
        #expect(removed.count == 1)
    }

    @Test func `has a bounded number of one person`() throws {
        var memory = SessionMemory(capacity: 10_000)
        for number in 0..<SessionMemory.mostOfOne {
            let removed = memory.add(try entry("\(number)", of: "ben", ending: 600 + number), at: Self.noon)
            #expect(removed.isEmpty)
        }
        let removed = memory.add(try entry("new", of: "ben", ending: 9_000), at: Self.noon)
        #expect(removed.map(\.digest) == [SecretDigest(of: "0")])
        let others = memory.add(try entry("a", of: "anna"), at: Self.noon)
        #expect(others.isEmpty)
    }

    @Test func `drops the sessions whose time is over`() throws {
        var memory = SessionMemory(capacity: 10)
        _ = memory.add(try entry("a", of: "anna"), at: Self.noon)
        _ = memory.add(try entry("b", of: "ben", ending: 9_000), at: Self.noon)
        let early = memory.add(try entry("c", of: "ben", ending: 9_000), at: Self.noon + 700)
        #expect(early.isEmpty)
        let removed = memory.add(try entry("d", of: "ben", ending: 9_000), at: Self.noon + 3_600)
        #expect(removed.map(\.digest) == [SecretDigest(of: "a")])
        #expect(memory.peek(SecretDigest(of: "a")) == nil)
    }

    @Test func `replaces no session that has ended`() throws {
        var memory = SessionMemory(capacity: 10)
        let one = try entry("a", of: "anna")
        _ = memory.add(one, at: Self.noon)
        let isThere = memory.replace(by: one)
        let removed = memory.remove(one.digest)
        let isThereNow = memory.replace(by: one)
        #expect(isThere && removed?.digest == one.digest && !isThereNow)
    }
}
