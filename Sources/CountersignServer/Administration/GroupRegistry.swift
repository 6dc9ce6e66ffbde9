package import Countersign
package import CountersignWire
internal import FoundationEssentialsCompat

/// The groups of this server: adds, changes and removes them, and their members.
package struct GroupRegistry: Registry {
    private let administration: Administration

    package init(_ administration: Administration) {
        self.administration = administration
    }

    /// A member of a group.
    package enum Member: Sendable, Hashable {
        case person(Subject)
        case group(GroupName)
    }

    /// A change that is refused.
    package enum ChangeError: Error, Sendable, Equatable {
        /// There is a group of that name.
        case taken
        /// There are ``Group/most`` groups.
        case tooMany
        /// There is no such group.
        case noGroup(GroupName)
        /// There is no such person.
        case noPerson(Subject)
        /// A declared claim has a value for the group.
        case named(ClaimName)
        /// The group contains the other one already, or is it.
        case cycle(GroupName)
    }

    /// All groups, by name.
    package func all() async throws -> [Group] {
        try await administration.store.read { try $0.groups.all() }
    }

    /// A group with its members.
    package struct Found: Sendable {
        package let group: Group
        /// The groups in it; none on a further page.
        package let groups: [GroupName]
        /// The people in it, by their subjects.
        package let people: [Person]
        /// Whether no more people in it follow.
        package let isComplete: Bool
    }

    /// A group with its members, by subject; `nil` when there is none of that name.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - last: The last person of the page before; `nil`, the default, for the first page.
    ///   - most: The greatest number of people to tell; 1,000 by default.
    package func find(_ name: GroupName, after last: Subject? = nil, telling most: Int = 1_000) async throws -> Found? {
        try await administration.store.read { repositories in
            guard let group = try repositories.groups.find(name) else { return nil }
            let groups = last == nil ? try repositories.groups.all().filter { $0.memberOf.contains(name) } : []
            let subjects = try repositories.groups.members(of: name, after: last, limit: most + 1)
            let people = try subjects.prefix(most).compactMap { try repositories.people.find($0) }
            return Found(
                group: group, groups: groups.map(\.name), people: people, isComplete: subjects.count <= most)
        }
    }

    /// Adds a group without members.
    ///
    /// - Throws: ``ChangeError`` for a name that is taken, and for one group too many.
    package func add(_ name: GroupName, note: String?) async throws -> Group {
        let group = Group(name: name, note: note, created: administration.clock.now())
        do {
            try await change { repositories in
                guard try repositories.groups.all().count < Group.most else { throw ChangeError.tooMany }
                try repositories.groups.insert(group)
                try Audit(repositories).record(facts(.groupAdded, name.rawValue))
            }
        } catch StoreError.alreadyExists {
            throw ChangeError.taken
        }
        return group
    }

    /// Removes a group and all memberships in it; returns whether it existed.
    ///
    /// - Throws: ``ChangeError/named(_:)`` while a declared claim has a value for it.
    package func remove(_ name: GroupName) async throws -> Bool {
        try await change { repositories in
            for mapping in try repositories.claimMappings.all() where mapping.names(name) {
                throw ChangeError.named(mapping.claim)
            }
            guard try repositories.groups.remove(name) else { return false }
            try Audit(repositories).record(facts(.groupRemoved, name.rawValue))
            return true
        }
    }

    /// Makes people and groups members of a group; those that are members already stay it.
    ///
    /// - Throws: ``ChangeError`` for a group or a person that does not exist, and a group that would contain itself, and
    ///   then nothing is changed.
    package func add(_ members: [Member], to name: GroupName) async throws {
        try await change { repositories in
            guard try repositories.groups.find(name) != nil else { throw ChangeError.noGroup(name) }
            for member in members {
                switch member {
                case .person(let subject):
                    guard try repositories.people.find(subject) != nil else { throw ChangeError.noPerson(subject) }
                    guard try !repositories.groups.all(of: subject).contains(name) else { continue }
                    try repositories.groups.add(subject, to: name)
                case .group(let inner):
                    guard var group = try repositories.groups.find(inner) else { throw ChangeError.noGroup(inner) }
                    guard try !repositories.groups.hierarchy().groups(around: [name]).contains(inner) else {
                        throw ChangeError.cycle(inner)
                    }
                    guard !group.memberOf.contains(name) else { continue }
                    group.memberOf = (group.memberOf + [name]).sorted { $0.rawValue < $1.rawValue }
                    try repositories.groups.update(group)
                }
                try Audit(repositories).record(facts(.groupMemberAdded, member, of: name))
            }
        }
    }

    /// Ends the memberships of people and groups in a group; returns those that were members.
    ///
    /// - Throws: ``ChangeError`` for a group that does not exist, and then nothing is changed.
    package func remove(_ members: [Member], from name: GroupName) async throws -> [Member] {
        try await change { repositories in
            guard try repositories.groups.find(name) != nil else { throw ChangeError.noGroup(name) }
            return try members.filter { member in
                guard try end(member, in: name, of: repositories) else { return false }
                try Audit(repositories).record(facts(.groupMemberRemoved, member, of: name))
                return true
            }
        }
    }

    private func end(_ member: Member, in name: GroupName, of repositories: any Repositories) throws -> Bool {
        switch member {
        case .person(let subject): return try repositories.groups.remove(subject, from: name)
        case .group(let inner):
            guard var group = try repositories.groups.find(inner) else { throw ChangeError.noGroup(inner) }
            guard group.leave(name) else { return false }
            try repositories.groups.update(group)
            return true
        }
    }

    private func change<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await administration.change(.change(.groups), at: administration.clock.now(), body)
    }

    private func facts(_ act: AuditAct, _ detail: String) -> AuditEntry.Facts {
        administration.administrator.facts(act, at: administration.clock.now(), detail: detail)
    }

    private func facts(_ act: AuditAct, _ member: Member, of name: GroupName) -> AuditEntry.Facts {
        switch member {
        case .person(let subject): facts(act, "\(name): \(subject)")
        case .group(let inner): facts(act, "\(name): group \(inner)")
        }
    }
}

extension ClaimMapping {
    /// Whether it has a value for a group.
    fileprivate func names(_ group: GroupName) -> Bool {
        guard case .groups(let values) = source else { return false }
        return values.contains { $0.group == group }
    }
}
