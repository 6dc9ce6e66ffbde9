import Countersign
import CountersignServer
import CountersignWire
import Foundation
import Testing

@Suite("The clients of a store")
struct ClientRepositoryTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `come back as they went in`(store: StoreUnderTest) async throws {
        let plain = Client(
            id: ClientID("plain"),
            name: "",
            kind: .public,
            grantTypes: [],
            scope: .none,
            tokenFormat: .opaque,
            created: noon
        )
        let full = Fixtures.client("full")
        var keyed = Fixtures.client("keyed")
        keyed.kind = .keys(Fixtures.keys)
        var (certified, signing) = (Fixtures.client("certified"), Fixtures.client("signing"))
        certified.kind = .certificate(.issued(.dns("a.example")))
        signing.kind = .certificate(.issued(.dns("a.example")), signing: Fixtures.keys)
        let certificates = [certified, signing]
        let device = Fixtures.device("9007199254740991", expires: noon + 0.1)
        let registered = [
            Fixtures.registered("1"), Fixtures.registered("2", expires: noon + 0.1),
            Fixtures.registered("3", software: ClientSoftware(id: "shop", version: "")),
        ]
        try await store.run { [keyed] store in
            try await store.change {
                try $0.clients.insert(plain)
                try $0.clients.insert(keyed)
                try $0.clients.insert(full)
                try $0.clients.insert(device)
                for client in registered + certificates { try $0.clients.insert(client) }
            }
            for client in registered + certificates {
                #expect(try await store.read { try $0.clients.find(client.id) } == client)
            }
            #expect(try await store.read { try $0.clients.find(device.id) } == device)
            #expect(try await store.read { try $0.clients.find(ClientID("plain")) } == plain)
            #expect(try await store.read { try $0.clients.find(ClientID("full")) } == full)
            #expect(try await store.read { try $0.clients.find(ClientID("keyed")) } == keyed)
            #expect(try await store.read { try $0.clients.find(ClientID("Full")) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `keep what a link is enough for, as it is changed`(store: StoreUnderTest) async throws {
        try await store.run { store in
            var client = Fixtures.client("tv")
            client.linkApproval = .always
            try await store.change { [client] in try $0.clients.insert(client) }
            for approval in LinkApproval.allCases {
                client.linkApproval = approval
                try await store.change { [client] in try $0.clients.update(client) }
                let found = try await store.read { try $0.clients.find(ClientID("tv")) }
                #expect(found?.linkApproval == approval)
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `keep the least evidence for their requests, as it is changed`(store: StoreUnderTest) async throws {
        try await store.run { store in
            var client = Fixtures.client("tv")
            try await store.change { [client] in try $0.clients.insert(client) }
            for minimum in [ScopeDemands([.nearby, .number], within: 300), ScopeDemands([.deviceKey]), .none] {
                client.minimumEvidence = minimum
                try await store.change { [client] in try $0.clients.update(client) }
                let found = try await store.read { try $0.clients.find(ClientID("tv")) }
                #expect(found?.minimumEvidence == minimum)
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `refuse a second of the same identifier`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { try $0.clients.insert(Fixtures.client("tv")) }
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.clients.insert(Fixtures.client("tv")) }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are listed by identifier, without those whose registration expires`(store: StoreUnderTest) async throws {
        try await store.run { store in
            #expect(try await store.read { try $0.clients.all() } == [])
            try await store.change { repositories in
                try repositories.clients.insert(Fixtures.device("1"))
                try repositories.clients.insert(Fixtures.registered("2", expires: noon))
                try repositories.clients.insert(Fixtures.registered("3"))
                for name in ["b", "c", "a"] { try repositories.clients.insert(Fixtures.client(name)) }
            }
            #expect(try await store.read { try $0.clients.all() }.map(\.id.rawValue) == ["3", "a", "b", "c"])
            let pages = try await store.read { repositories in
                [
                    try repositories.clients.page(after: nil, limit: 3),
                    try repositories.clients.page(after: ClientID("b"), limit: 3),
                ]
            }
            #expect(pages.map { $0.map(\.id.rawValue) } == [["3", "a", "b"], ["c"]])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are updated by identifier`(store: StoreUnderTest) async throws {
        var changed = Fixtures.client("radio")
        changed.name = "Radio"
        changed.kind = .public
        changed.audience = nil
        changed.serves = []
        let moved = Fixtures.device("1", expires: noon + 1000, undone: noon + 0.25)
        try await store.run { [changed] store in
            try await store.change { repositories in
                for client in [Fixtures.client("radio"), Fixtures.client("tv"), Fixtures.device("1")] {
                    try repositories.clients.insert(client)
                }
                for client in [changed, moved, Fixtures.client("nobody")] { try repositories.clients.update(client) }
            }
            #expect(try await store.read { try $0.clients.find(changed.id) } == changed)
            #expect(try await store.read { try $0.clients.find(moved.id) } == moved)
            #expect(try await store.read { try $0.clients.all() } == [changed, Fixtures.client("tv")])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `keep the secret that was replaced, and until when`(store: StoreUnderTest) async throws {
        let old = Client.ReplacedSecret(digest: SecretDigest(of: "old"), ends: noon + 0.1)
        var replaced = Fixtures.client("backend")
        replaced.kind = .confidential(SecretDigest(of: "new"), replaced: old)
        var forgotten = replaced
        forgotten.kind = .confidential(SecretDigest(of: "newest"))
        try await store.run { [replaced, forgotten] store in
            try await store.change { try $0.clients.insert(replaced) }
            #expect(try await store.read { try $0.clients.find(replaced.id) } == replaced)
            try await store.change { try $0.clients.update(forgotten) }
            #expect(try await store.read { try $0.clients.find(replaced.id) } == forgotten)
            try await store.change { try $0.clients.update(replaced) }
            #expect(try await store.read { try $0.clients.all() } == [replaced])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are swept when their registration expired, the oldest first, and never an operator's`(
        store: StoreUnderTest
    ) async throws {
        try await store.run { store in
            try await store.change { repositories in
                for number in [2, 1, 3] {
                    try repositories.clients.insert(Fixtures.device("\(number)", expires: noon + Double(number)))
                }
                try repositories.clients.insert(Fixtures.client("tv"))
            }
            #expect(try await store.change { try $0.clients.sweep(before: noon + 3, limit: 1) } == 1)
            #expect(try await store.read { try $0.clients.find(ClientID("1")) } == nil)
            #expect(try await store.change { try $0.clients.sweep(before: noon + 3, limit: 9) } == 1)
            #expect(try await store.read { try $0.clients.find(ClientID("3")) } != nil)
            #expect(try await store.read { try $0.clients.find(ClientID("tv")) } != nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are removed once`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { try $0.clients.insert(Fixtures.client("tv")) }
            #expect(try await store.change { try $0.clients.remove(ClientID("tv")) })
            #expect(try await store.change { try $0.clients.remove(ClientID("tv")) } == false)
            #expect(try await store.read { try $0.clients.find(ClientID("tv")) } == nil)
        }
    }
}

@Suite("The people of a store")
struct PersonRepositoryTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `are found once their removal is due, the earliest first`(store: StoreUnderTest) async throws {
        let people = ["anna", "bert", "cleo", "dora"].map { Fixtures.person($0) }
        try await store.run { store in
            try await store.change { repositories in
                for (person, delay) in zip(people, [20, 10, 30, nil] as [Double?]) {
                    var person = person
                    if let delay { person.leave(at: noon + delay) }
                    try repositories.people.insert(person)
                }
            }
            func due(by instant: Date, limit: Int = 9) async throws -> [Subject] {
                try await store.read { try $0.people.leaving(by: instant, limit: limit) }
            }
            #expect(try await due(by: noon + 9.5).isEmpty)
            #expect(try await due(by: noon + 20) == [Subject("bert"), Subject("anna")])
            #expect(try await due(by: noon + 99, limit: 2) == [Subject("bert"), Subject("anna")])
            let anna = try #require(try await store.read { try $0.people.find(Subject("anna")) })
            #expect(anna.standing == .leaving && anna.removal == noon + 20)

            try await store.change { repositories in
                var person = anna
                person.standing = .active
                try repositories.people.update(person)
            }
            #expect(try await due(by: noon + 99) == [Subject("bert"), Subject("cleo")])
            #expect(try await store.read { try $0.people.find(Subject("anna"))?.removal } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are found by user name and by subject`(store: StoreUnderTest) async throws {
        let zoe = Fixtures.person("subject", username: "zoë")
        try await store.run { store in
            try await store.change { try $0.people.insert(zoe) }

            #expect(try await store.read { try $0.people.find(Username(rawValue: "zoë")) } == zoe)
            #expect(try await store.read { try $0.people.find(Subject("subject")) } == zoe)
            #expect(try await store.read { try $0.people.find(Username(rawValue: "zoe")) } == nil)
            #expect(try await store.read { try $0.people.find(Subject("zoë")) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are found by a verified e-mail address, in any case`(store: StoreUnderTest) async throws {
        var people: [Person] = []
        for (name, email, isVerified) in [
            ("a", "Anna@Example.org", true), ("b", "x@example.org", true), ("c", "X@example.org", true),
            ("d", nil, true), ("e", "anna@example.org", false),
        ] {
            var person = Fixtures.person(name)
            person.changeEmail(to: email, isVerified: isVerified)
            people.append(person)
        }
        let stored = people
        try await store.run { store in
            try await store.change { for person in stored { try $0.people.insert(person) } }
            let find = { (text: String) in
                let address = try #require(EmailAddress(parsing: text))
                return try await store.read { try $0.people.all(at: address).map(\.subject.rawValue).sorted() }
            }
            #expect(try await find("anna@EXAMPLE.org") == ["a"])
            #expect(try await find("x@example.org") == ["b", "c"])
            #expect(try await find("y@example.org").isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allCases, PersonSearchField.allCases)
    func `are found by the beginning of a field, one page after the other`(
        store: StoreUnderTest, field: PersonSearchField
    ) async throws {
        let people = ["anna", "annabel", "annalena", "bert"].map { name in
            var person = Fixtures.person("s-\(name)", username: name)
            person.name = name == "anna" ? "ANNA" : name
            person.changeEmail(to: "\(name)@Example.org")
            return person
        }
        // A second person of one name, told apart by the subject.
        var twin = Fixtures.person("t", username: "x")
        twin.name = "anna"
        twin.changeEmail(to: nil)
        let everybody = people + [twin]
        try await store.run { store in
            try await store.change { for person in everybody { try $0.people.insert(person) } }
            let subjects = try await store.read { repositories in
                var (found, last): ([String], Person?) = ([], nil)
                while case let page = try repositories.people.page(
                    by: field, beginningWith: "Anna", after: last, limit: 2), let end = page.last
                {
                    found += page.map(\.subject.rawValue)
                    last = end
                }
                return found
            }
            let twins = field == .name ? ["s-anna", "t"] : ["s-anna"]
            #expect(subjects == twins + ["s-annabel", "s-annalena"])
        }
    }

    @Test(arguments: StoreUnderTest.allCases, [1, 2, 9])
    func `are found by letters of any script in either case, one page after the other`(
        store: StoreUnderTest, limit: Int
    ) async throws {
        let names = ["Éva Ö", "ÉVA ö", "Éva P", "éva A", "éVA ö", "Eva Ö", "Èva Ö", "Ève Ö"]
        let people = names.enumerated().map { number, name in
            var person = Fixtures.person("s-\(number)", username: "u-\(number)")
            person.name = name
            return person
        }
        try await store.run { store in
            try await store.change { for person in people { try $0.people.insert(person) } }
            for prefix in ["éva", "ÉVa"] {
                let found = try await store.read { repositories in
                    var (found, last): ([String], Person?) = ([], nil)
                    while case let page = try repositories.people.page(
                        by: .name, beginningWith: prefix, after: last, limit: limit), let end = page.last
                    {
                        found += page.map(\.subject.rawValue)
                        last = end
                    }
                    return found
                }
                // In the order of bytes: the capital before the small letter.
                #expect(found == ["s-2", "s-0", "s-1", "s-3", "s-4"], "\(prefix)")
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases, [("anna", "other"), ("other", "anna")])
    func `refuse a second of the same subject or user name`(
        store: StoreUnderTest,
        names: (subject: String, username: String)
    ) async throws {
        try await store.run { store in
            try await store.change { try $0.people.insert(Fixtures.person("anna")) }
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change {
                    try $0.people.insert(Fixtures.person(names.subject, username: names.username))
                }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are updated by subject`(store: StoreUnderTest) async throws {
        var anna = Fixtures.person("anna")
        anna.name = "Anna"
        anna.changeEmail(to: nil)
        anna.emailVerification = nil
        anna.standing = .active
        anna.role = .user
        anna.password = PasswordHash(restoring: "another")
        let updated = anna
        try await store.run { store in
            try await store.change {
                try $0.people.insert(Fixtures.person("anna"))
                try $0.people.insert(Fixtures.person("berta"))
                try $0.people.update(updated)
                try $0.people.update(Fixtures.person("nobody"))
            }
            #expect(try await store.read { try $0.people.all() } == [updated, Fixtures.person("berta")])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are listed by user name, and removed once`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change {
                try $0.people.insert(Fixtures.person("1", username: "berta"))
                try $0.people.insert(Fixtures.person("2", username: "anna"))
            }
            #expect(try await store.read { try $0.people.all() }.map(\.subject.rawValue) == ["2", "1"])
            #expect(try await store.change { try $0.people.remove(Subject("2")) })
            #expect(try await store.change { try $0.people.remove(Subject("2")) } == false)
            #expect(try await store.read { try $0.people.all() }.map(\.subject.rawValue) == ["1"])
        }
    }
}
