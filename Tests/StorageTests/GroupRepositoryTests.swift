import Countersign
import CountersignServer
import CountersignWire
import Foundation
import Testing

@Suite("The groups of a store")
struct GroupRepositoryTests {
    private let anna = Subject("anna")
    private let bert = Subject("bert")
    private let staff = GroupName("staff")
    private let admins = GroupName("admins")
    private let all = GroupName("all")

    private func group(_ name: GroupName, in outer: [GroupName] = [], note: String? = nil) -> Group {
        Group(name: name, note: note, memberOf: outer, created: noon + 0.5)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `come back as they went in, by name`(store: StoreUnderTest) async throws {
        let groups = [group(admins, in: [staff, all], note: "„Wir“"), group(all), group(staff, in: [all])]
        try await store.run { store in
            #expect(try await store.read { try $0.groups.all() } == [])
            try await store.change { for one in groups.reversed() { try $0.groups.insert(one) } }
            #expect(try await store.read { try $0.groups.all() } == groups)
            #expect(try await store.read { try $0.groups.find(admins) } == groups[0])
            #expect(try await store.read { try $0.groups.find(GroupName("Admins")) } == nil)
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.groups.insert(group(staff)) }
            }
            try await store.change { try $0.groups.update(group(admins, note: "new")) }
            #expect(try await store.read { try $0.groups.find(admins) } == group(admins, note: "new"))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `have people as members, each once`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { repositories in
                for name in [staff, admins] { try repositories.groups.insert(group(name)) }
                for _ in 1...2 { try repositories.groups.add(anna, to: staff) }
                try repositories.groups.add(anna, to: admins)
                try repositories.groups.add(bert, to: staff)
            }
            #expect(try await store.read { try $0.groups.all(of: anna) } == [admins, staff])
            #expect(try await store.read { try $0.groups.members(of: staff, after: nil, limit: 1) } == [anna])
            #expect(try await store.read { try $0.groups.members(of: staff, after: anna, limit: 9) } == [bert])
            #expect(try await store.change { try $0.groups.remove(anna, from: staff) })
            #expect(try await !store.change { try $0.groups.remove(anna, from: staff) })
            #expect(try await store.read { try $0.groups.all(of: anna) } == [admins])
            try await store.change { try $0.groups.removeAll(of: anna) }
            #expect(try await store.read { try $0.groups.all(of: anna) } == [])
            #expect(try await store.read { try $0.groups.all(of: bert) } == [staff])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `go with all memberships, and come back without any`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { repositories in
                for one in [group(all), group(staff, in: [all]), group(admins, in: [all, staff])] {
                    try repositories.groups.insert(one)
                }
                try repositories.groups.add(anna, to: staff)
                try repositories.groups.add(anna, to: admins)
            }
            #expect(try await store.change { try $0.groups.remove(staff) })
            #expect(try await !store.change { try $0.groups.remove(staff) })
            try await store.change { try $0.groups.insert(group(staff)) }
            #expect(try await store.read { try $0.groups.all(of: anna) } == [admins])
            #expect(try await store.read { try $0.groups.find(admins)?.memberOf } == [all])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `keep the declarations of claims`(store: StoreUnderTest) async throws {
        func mapping(_ name: String, _ source: ClaimMapping.Source, _ form: ClaimMapping.Form) -> ClaimMapping {
            ClaimMapping(claim: ClaimName(name), source: source, form: form, scope: .profile, created: noon)
        }
        let mappings = [
            mapping("a", .attribute(AttributeName("room")), .text), mapping("b", .groups([]), .list),
            mapping("c", .groups([.init(staff, "Editor „1“"), .init(admins, "Admin")]), .text),
        ]
        try await store.run { store in
            try await store.change { for one in mappings.reversed() { try $0.claimMappings.insert(one) } }
            #expect(try await store.read { try $0.claimMappings.all() } == mappings)
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.claimMappings.insert(mappings[0]) }
            }
            #expect(try await store.change { try $0.claimMappings.remove(ClaimName("a")) })
            #expect(try await !store.change { try $0.claimMappings.remove(ClaimName("a")) })
            #expect(try await store.read { try $0.claimMappings.all() } == Array(mappings.dropFirst()))
        }
    }

    @Test func `surround whoever is in them, near and far, even in a circle`() {
        let hierarchy = GroupHierarchy([
            group(all, in: [admins]), group(staff, in: [all, GroupName("gone")]), group(admins, in: [staff]),
            group(GroupName("guests")),
        ])
        #expect(hierarchy.groups(around: []) == [])
        #expect(hierarchy.groups(around: [staff]) == [staff, all, admins])
        #expect(hierarchy.groups(around: [GroupName("gone"), GroupName("guests")]) == [GroupName("guests")])
    }
}
