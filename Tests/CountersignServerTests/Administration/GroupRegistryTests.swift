import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("The groups that an operator manages", .server)
struct GroupRegistryTests {
    let server = TestServer.current
    private let band = TestGroups.band
    private let staff = TestGroups.staff
    private let admins = TestGroups.admins

    @Test func `have a name of their own, and are gone with their memberships`() async throws {
        _ = try await server.groups.add(band, note: "a note")
        await #expect(throws: GroupRegistry.ChangeError.taken) { try await server.groups.add(band, note: nil) }
        try await server.put(.anna, into: band)
        let found = try #require(try await server.groups.find(band))
        #expect(found.people.map(\.subject) == [TestPerson.anna.subject] && found.group.note == "a note")
        #expect(try await server.groups.remove(band))
        #expect(try await !server.groups.remove(band))
        #expect(try await server.rows(of: "group_members") == 0)
        #expect(try await server.audited(.groupMemberAdded).map(\.detail) == ["band: subject-of-anna"])
        #expect(try await server.audited(.groupRemoved).count == 1)
    }

    @Test func `are never in themselves, neither straight nor around a corner`() async throws {
        for name in [band, staff, admins] { _ = try await server.groups.add(name, note: nil) }
        await #expect(throws: GroupRegistry.ChangeError.cycle(band)) {
            try await server.groups.add([.group(band)], to: band)
        }
        try await server.groups.add([.group(admins)], to: staff)
        try await server.groups.add([.group(staff)], to: band)
        await #expect(throws: GroupRegistry.ChangeError.cycle(band)) {
            try await server.groups.add([.person(TestPerson.bert.subject), .group(band)], to: admins)
        }
        // The change that was refused put nobody in.
        #expect(try await server.groups.find(admins)?.people.isEmpty == true)
        try await server.put(.anna, into: admins)
        #expect(
            try await server.store.read { try Groups($0).names(of: TestPerson.anna.subject) } == [admins, staff, band])
        #expect(try await server.groups.remove([.group(staff)], from: band) == [.group(staff)])
        #expect(try await server.store.read { try Groups($0).names(of: TestPerson.anna.subject) } == [admins, staff])
    }

    @Test func `name only what exists`() async throws {
        _ = try await server.groups.add(band, note: nil)
        await #expect(throws: GroupRegistry.ChangeError.noGroup(staff)) {
            try await server.groups.add([.person(TestPerson.anna.subject)], to: staff)
        }
        await #expect(throws: GroupRegistry.ChangeError.noGroup(staff)) {
            try await server.groups.add([.group(staff)], to: band)
        }
        await #expect(throws: GroupRegistry.ChangeError.noGroup(staff)) {
            try await server.groups.remove([.group(staff)], from: band)
        }
    }

    @Test func `have no members but people who exist, and say when there are more than are told`() async throws {
        let nobody = Subject("nobody")
        _ = try await server.groups.add(band, note: nil)
        await #expect(throws: GroupRegistry.ChangeError.noPerson(nobody)) {
            try await server.groups.add([.person(TestPerson.anna.subject), .person(nobody)], to: band)
        }
        #expect(try await server.groups.find(band)?.people.isEmpty == true)
        for person in [TestPerson.anna, .bert] { try await server.put(person, into: band) }
        let some = try #require(try await server.groups.find(band, telling: 1))
        #expect(some.people.count == 1 && !some.isComplete)
        let all = try #require(try await server.groups.find(band, telling: 2))
        #expect(all.people.count == 2 && all.isComplete)
    }

    @Test func `have each member once, and the audit has who joined and left`() async throws {
        let anna = GroupRegistry.Member.person(TestPerson.anna.subject)
        _ = try await server.groups.add(band, note: nil)
        for _ in 1...2 { try await server.groups.add([anna], to: band) }
        #expect(try await server.groups.remove([anna], from: band) == [anna])
        #expect(try await server.groups.remove([anna], from: band).isEmpty)
        #expect(try await server.audited(.groupMemberAdded).count == 1)
        #expect(try await server.audited(.groupMemberRemoved).count == 1)
    }

    @Test func `stand behind declared claims, each once`() async throws {
        let (roles, values) = (ClaimName("roles"), [ClaimMapping.GroupValue(band, "Player")])
        await #expect(throws: ClaimRegistry.DeclarationError.noGroup(band)) {
            try await server.claims.add(roles, from: .groups(values), as: nil, in: nil)
        }
        _ = try await server.groups.add(band, note: nil)
        let mapping = try await server.claims.add(roles, from: .groups(values), as: nil, in: nil)
        #expect(mapping.scope == .groups && mapping.form == .list)
        await #expect(throws: ClaimRegistry.DeclarationError.taken(roles)) {
            try await server.claims.add(roles, from: .groups([]), as: nil, in: nil)
        }
        await #expect(throws: ClaimRegistry.DeclarationError.values) {
            try await server.claims.add(
                ClaimName("long"), from: .groups([.init(band, String(repeating: "a", count: 65))]), as: nil, in: nil)
        }
        await #expect(throws: GroupRegistry.ChangeError.named(roles)) { try await server.groups.remove(band) }
        await #expect(throws: ClaimRegistry.DeclarationError.scopeNeeded(ClaimName("department"))) {
            try await server.claims.add(
                ClaimName("department"), from: .attribute(AttributeName("department")), as: nil, in: nil)
        }
        #expect(try await server.claims.remove(roles))
        #expect(try await server.groups.remove(band))
        #expect(try await !server.claims.remove(roles))
    }

    @Test func `are at most so many, and so are the declared claims`() async throws {
        let created = server.clock.date
        try await server.change { repositories in
            for number in 0..<Group.most {
                try repositories.groups.insert(Group(name: GroupName("group-\(number)"), created: created))
            }
            for number in 0..<ClaimMapping.most {
                try repositories.claimMappings.insert(
                    ClaimMapping(
                        claim: ClaimName("claim-\(number)"), source: .groups([]), form: .list, scope: .groups,
                        created: created))
            }
        }
        await #expect(throws: GroupRegistry.ChangeError.tooMany) { try await server.groups.add(band, note: nil) }
        await #expect(throws: ClaimRegistry.DeclarationError.tooMany) {
            try await server.claims.add(ClaimName("one-more"), from: .groups([]), as: nil, in: nil)
        }
    }
}
