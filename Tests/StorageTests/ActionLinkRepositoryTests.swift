import Countersign
import CountersignStorage
import Foundation
import Testing

@Suite("Links that let their readers do one thing")
struct ActionLinkRepositoryTests {
    private func link(
        _ name: String, to act: ActionLink.Act = .passwordReset, for person: String = "anna", made: Date = noon
    ) -> ActionLink {
        ActionLink(
            digest: SecretDigest(of: name), to: act, for: Subject(person), created: made, expires: made + 600.5)
    }

    private func invitation(_ name: String, to address: String? = nil, made: Date = noon) -> ActionLink {
        link(name, to: .invitation(address.map(EmailAddress.init(rawValue:))), for: name, made: made)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are found by their digest, and keep their use`(store: StoreUnderTest) async throws {
        try await store.run { store in
            var reset = link("reset")
            let invited = invitation("invited", to: "anna@example.org")
            let anybody = invitation("anybody")
            try await store.change { [reset] repositories in
                for link in [reset, invited, anybody] { try repositories.actionLinks.insert(link) }
            }
            for link in [reset, invited, anybody] {
                #expect(try await store.read { try $0.actionLinks.find(link.digest) } == link)
            }
            #expect(try await store.read { try $0.actionLinks.find(SecretDigest(of: "none")) } == nil)
            #expect(try await store.read { try $0.actionLinks.find(of: Subject("anna")) } == reset)
            #expect(try await store.read { try $0.actionLinks.find(of: Subject("nobody")) } == nil)
            reset.used = noon + 1.25
            try await store.change { [reset] in try $0.actionLinks.update(reset) }
            #expect(try await store.read { try $0.actionLinks.find(SecretDigest(of: "reset")) } == reset)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `replace those of the same person, and invitations to the same address`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let used = ActionLink(
                digest: SecretDigest(of: "used"), to: .invitation(EmailAddress(rawValue: "anna@example.org")),
                for: Subject("used"), created: noon, expires: noon + 600, used: noon + 1)
            try await store.change { repositories in
                let links = try repositories.actionLinks
                for link in [
                    link("first"), link("second"), link("other", for: "bert"), used,
                    invitation("third", to: "Anna@Example.org"), invitation("fourth", to: "anna@example.org"),
                    invitation("fifth"), invitation("sixth"),
                ] { try links.insert(link) }
            }
            let left = try await store.read { repositories in
                try ["first", "second", "other", "used", "third", "fourth", "fifth", "sixth"].filter {
                    try repositories.actionLinks.find(SecretDigest(of: $0)) != nil
                }
            }
            #expect(left == ["second", "other", "used", "fourth", "fifth", "sixth"])
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.actionLinks.insert(link("second", for: "carl")) }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are listed while they can be used, removed, and swept`(store: StoreUnderTest) async throws {
        try await store.run { store in
            var used = invitation("used")
            used.used = noon
            let (first, second) = (invitation("first", made: noon - 60), invitation("second"))
            try await store.change { [used] repositories in
                for link in [second, first, used, link("reset")] { try repositories.actionLinks.insert(link) }
            }
            func listed(at now: Date, after last: ActionLink? = nil, limit: Int = 9) async throws -> [ActionLink] {
                try await store.read { try $0.actionLinks.invitations(at: now, after: last?.position, limit: limit) }
            }
            #expect(try await listed(at: noon) == [first, second])
            #expect(try await listed(at: noon, limit: 1) == [first])
            #expect(try await listed(at: noon, after: first) == [second])
            #expect(try await listed(at: noon, after: second) == [])
            #expect(try await listed(at: first.expires) == [second])
            #expect(try await store.change { try $0.actionLinks.removeUnused(of: Subject("first")) })
            #expect(try await !store.change { try $0.actionLinks.removeUnused(of: Subject("used")) })
            #expect(try await listed(at: noon) == [second])
            #expect(try await listed(at: noon, after: first) == [second])
            #expect(try await store.change { try $0.actionLinks.sweep(before: noon + 600, limit: 9) } == 0)
            #expect(try await store.change { try $0.actionLinks.sweep(before: noon + 601, limit: 2) } == 2)
            #expect(try await store.change { try $0.actionLinks.sweep(before: noon + 601, limit: 9) } == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are removed with their person, used or not`(store: StoreUnderTest) async throws {
        try await store.run { store in
            var used = invitation("used")
            used.used = noon
            try await store.change { [used] repositories in
                for link in [used, invitation("other")] { try repositories.actionLinks.insert(link) }
                try repositories.actionLinks.remove(of: used.subject)
            }
            let left = try await store.read { repositories in
                try ["used", "other"].filter { try repositories.actionLinks.find(SecretDigest(of: $0)) != nil }
            }
            #expect(left == ["other"])
        }
    }
}
