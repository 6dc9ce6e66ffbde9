import Countersign
import CountersignStorage
import Foundation
import Testing

@Suite("Codes that people type on screens")
struct PersonCodeRepositoryTests {
    private func code(
        _ name: String,
        of person: String = "anna",
        at place: String = "phone",
        expires: Date = noon + 120.5
    ) -> PersonCodeRecord {
        PersonCodeRecord(
            digest: SecretDigest(of: name), holder: ApproverIdentity(subject: Subject(person), id: ApproverID(place)),
            sealed: [0, 7], expires: expires)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are found by their digest and by their person, and keep what they started`(
        store: StoreUnderTest
    ) async throws {
        try await store.run { store in
            var first = code("first")
            try await store.change { [first] in try $0.personCodes.insert(first) }
            #expect(try await store.read { try $0.personCodes.find(SecretDigest(of: "first")) } == first)
            #expect(try await store.read { try $0.personCodes.find(of: Subject("anna")) } == first)
            #expect(try await store.read { try $0.personCodes.find(SecretDigest(of: "none")) } == nil)
            #expect(try await store.read { try $0.personCodes.find(of: Subject("bert")) } == nil)
            first.request = SignInRequest.ID("started")
            try await store.change { [first] in try $0.personCodes.update(first) }
            #expect(try await store.read { try $0.personCodes.find(of: Subject("anna")) } == first)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are one for each person, and no two alike`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { try $0.personCodes.insert(code("first")) }
            try await store.change { try $0.personCodes.insert(code("second", at: "tablet")) }
            #expect(try await store.read { try $0.personCodes.find(SecretDigest(of: "first")) } == nil)
            let second = code("second", at: "tablet")
            #expect(try await store.read { try $0.personCodes.find(of: Subject("anna")) } == second)
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.personCodes.insert(code("second", of: "bert")) }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `end with what shows them, with their person, and by the clock`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { repositories in
                try repositories.personCodes.insert(code("one"))
                try repositories.personCodes.insert(code("two", of: "bert"))
                try repositories.personCodes.insert(code("three", of: "carl"))
                let tablet = ApproverIdentity(subject: Subject("anna"), id: ApproverID("tablet"))
                try repositories.personCodes.remove(shownBy: tablet)
            }
            #expect(try await store.read { try $0.personCodes.find(of: Subject("anna")) } != nil)
            try await store.change { repositories in
                try repositories.personCodes.remove(shownBy: code("one").holder)
                try repositories.personCodes.removeAll(of: Subject("bert"))
            }
            #expect(try await store.read { try $0.personCodes.find(of: Subject("anna")) } == nil)
            #expect(try await store.read { try $0.personCodes.find(of: Subject("bert")) } == nil)
            #expect(try await store.change { try $0.personCodes.sweep(before: noon + 120, limit: 9) } == 0)
            #expect(try await store.change { try $0.personCodes.sweep(before: noon + 121, limit: 9) } == 1)
        }
    }
}
