internal import Countersign
internal import CountersignServer
internal import Foundation

/// The groups that an imported person is in. Groups that are not there are added; no membership is ended.
struct ImportedMembership {
    private let groups: [GroupName]
    private let repositories: any Repositories

    /// The reason to refuse a person whose groups would be too many.
    static let tooMany = ImportLineError("There are too many groups: a server has at most \(Group.most).")

    init(of groups: [GroupName], in repositories: any Repositories) {
        self.groups = groups
        self.repositories = repositories
    }

    /// Whether there is room for the groups that are not there yet.
    func fits() throws -> Bool {
        let new = try groups.filter { try repositories.groups.find($0) == nil }
        return try new.isEmpty || repositories.groups.all().count + new.count <= Group.most
    }

    /// The groups that a person is not in themselves.
    func missing(of subject: Subject) throws -> [GroupName] {
        guard !groups.isEmpty else { return [] }
        let own = Set(try repositories.groups.all(of: subject))
        return groups.filter { !own.contains($0) }
    }

    /// Makes a person a member of groups that they are not in, with audit entries.
    func begin(_ missing: [GroupName], for subject: Subject, at now: Date) throws {
        for name in missing {
            if try repositories.groups.find(name) == nil {
                try repositories.groups.insert(Group(name: name, created: now))
                try Audit(repositories).record(.operator(now, .groupAdded, detail: name.rawValue))
            }
            try repositories.groups.add(subject, to: name)
            try Audit(repositories).record(
                .operator(now, .groupMemberAdded, subject: subject, detail: "\(name): \(subject)"))
        }
    }
}
