import Countersign
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

/// The groups of the tests.
enum TestGroups {
    static let band = GroupName("band")
    static let staff = GroupName("staff")
    static let admins = GroupName("admins")
}

extension TestServer {
    var groups: GroupRegistry { GroupRegistry(of: store, mint: CodeMint(drawingFrom: .system), clock: serverClock) }
    var claims: ClaimRegistry { ClaimRegistry(of: store, mint: CodeMint(drawingFrom: .system), clock: serverClock) }

    /// Puts a person into a group, which is made if it does not exist.
    func put(_ person: TestPerson, into name: GroupName) async throws {
        if try await groups.find(name) == nil { _ = try await groups.add(name, note: nil) }
        try await groups.add([.person(person.subject)], to: name)
    }

    /// Takes a person out of a group.
    func take(_ person: TestPerson, outOf name: GroupName) async throws {
        _ = try await groups.remove([.person(person.subject)], from: name)
    }

    /// Lets a client ask for the groups of people, besides what it may ask for already.
    func allowGroups(_ client: TestClients) async throws {
        try await change(client) { $0.scope = Scope($0.scope.words + [.groups, ScopeWord("roles")]) }
    }
}
