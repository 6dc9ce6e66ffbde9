import Countersign
import CountersignServer
import Foundation
import Testing

@Suite("The repeatable answers of a store")
struct RepeatableAnswerRepositoryTests {
    private func answer(
        _ name: String,
        of grant: String = "grant",
        bytes: [UInt8] = [0, 1, 0xFF],
        to kind: RepeatableAnswer.Kind = .refreshToken,
        at instant: Date = noon
    ) -> RepeatableAnswer {
        RepeatableAnswer(
            grant: Grant.ID(grant),
            kind: kind,
            credential: SecretDigest(of: "credential \(name)"),
            answer: SealedAnswer(restoring: bytes),
            answered: instant,
            ends: instant + 10
        )
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `come back as they were kept`(store: StoreUnderTest) async throws {
        let one = answer("one")
        let empty = answer("empty", of: "another", bytes: [], to: .code(deadline: noon + 300))
        try await store.run { store in
            try await store.change { repositories in
                for answer in [one, empty] { try repositories.repeatableAnswers.keep(answer) }
            }
            #expect(try await store.read { try $0.repeatableAnswers.find(one.grant) } == one)
            #expect(try await store.read { try $0.repeatableAnswers.find(empty.grant) } == empty)
            #expect(try await store.read { try $0.repeatableAnswers.find(Grant.ID("unknown")) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are one for each grant, the newest`(store: StoreUnderTest) async throws {
        let other = answer("other", of: "another")
        let newer = answer("two", bytes: [2], at: noon + 1)
        try await store.run { store in
            try await store.change { repositories in
                for answer in [other, answer("one"), newer] { try repositories.repeatableAnswers.keep(answer) }
            }
            #expect(try await store.read { try $0.repeatableAnswers.find(newer.grant) } == newer)
            #expect(try await store.read { try $0.repeatableAnswers.find(other.grant) } == other)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are removed by their grant`(store: StoreUnderTest) async throws {
        let other = answer("other", of: "another")
        try await store.run { store in
            try await store.change { repositories in
                for answer in [other, answer("one")] { try repositories.repeatableAnswers.keep(answer) }
                for grant in ["grant", "unknown"] { try repositories.repeatableAnswers.remove(Grant.ID(grant)) }
            }
            #expect(try await store.read { try $0.repeatableAnswers.find(Grant.ID("grant")) } == nil)
            #expect(try await store.read { try $0.repeatableAnswers.find(other.grant) } == other)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are swept when they have ended`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { repositories in
                for number in [2, 1, 3] {
                    let answer = answer("\(number)", of: "\(number)", at: noon + Double(number))
                    try repositories.repeatableAnswers.keep(answer)
                }
            }
            #expect(try await store.change { try $0.repeatableAnswers.sweep(before: noon + 13, limit: 1) } == 1)
            #expect(try await store.read { try $0.repeatableAnswers.find(Grant.ID("1")) } == nil)
            #expect(try await store.change { try $0.repeatableAnswers.sweep(before: noon + 13, limit: 9) } == 1)
            #expect(try await store.read { try $0.repeatableAnswers.find(Grant.ID("3")) } != nil)
        }
    }
}
