package import Countersign
internal import FoundationEssentialsCompat

/// The audit entries that a page of administrators shows, or the command lists.
package struct AuditFilter: Sendable, Equatable {
    /// The acts; empty for all.
    let acts: Set<AuditAct>
    /// The beginning of the name of the act; empty for all.
    let actPrefix: String
    /// The person; `nil` for all.
    let subject: Subject?

    /// - Parameters:
    ///   - acts: The acts; empty, the default, for all.
    ///   - actPrefix: The beginning of the name of the act; empty, the default, for all.
    ///   - subject: The person; `nil`, the default, for all.
    package init(acts: Set<AuditAct> = [], actPrefix: String = "", subject: Subject? = nil) {
        self.acts = acts
        self.actPrefix = actPrefix
        self.subject = subject
    }

    /// The entries of one page, the latest first.
    struct Page: Sendable {
        let entries: [AuditEntry]
        /// The names of the people in them, also of those who acted.
        let names: [Subject: String]
        /// The number before which the next page begins; `nil` after the first entry of all.
        let next: Int?
    }

    /// The maximum number of entries that are searched for one page.
    private static let searched = 5_000
    /// The number of entries that are read at once.
    private static let readAtOnce = 500

    /// Reads a page. A page for which few entries are found may show fewer, and goes on after the last one searched.
    ///
    /// - Parameter number: The number of the entry after the first one that is searched.
    func page(before number: Int, in repositories: any Repositories) throws -> Page {
        let (found, next) = try entries(
            before: number, limit: AdminView.pageLength, searching: Self.searched, in: repositories)
        let subjects = found.compactMap(\.facts.subject) + found.compactMap(\.facts.administrator)
        let people = try Set(subjects).compactMap { try repositories.people.find($0) }
        return Page(
            entries: found,
            names: Dictionary(uniqueKeysWithValues: people.map { ($0.subject, $0.username.rawValue) }), next: next)
    }

    /// Finds the entries that come before a number, the latest first.
    ///
    /// - Parameters:
    ///   - number: Only entries with a smaller number are searched.
    ///   - limit: The maximum number of entries to find.
    ///   - most: The maximum number of entries to search; all by default.
    /// - Returns: The entries, and the number before which the search goes on; `nil` after the first entry of all.
    package func entries(
        before number: Int, limit: Int, searching most: Int = .max, in repositories: any Repositories
    ) throws -> (found: [AuditEntry], next: Int?) {
        var (found, last, count): ([AuditEntry], Int?, Int) = ([], number, 0)
        while let start = last, found.count < limit, count < most {
            let chunk =
                try subject.map { try repositories.audit.entries(about: $0, before: start, limit: Self.readAtOnce) }
                ?? repositories.audit.entries(before: start, limit: Self.readAtOnce)
            count += chunk.count
            last = chunk.last?.number
            for entry in chunk where includes(entry.facts) {
                found.append(entry)
                guard found.count < limit else {
                    last = entry.number
                    break
                }
            }
        }
        return (found, last)
    }

    /// Finds the entries that follow a number, the oldest first.
    ///
    /// - Parameters:
    ///   - number: Only entries with a greater number are searched.
    ///   - limit: The maximum number of entries to find.
    package func entries(after number: Int, limit: Int, in repositories: any Repositories) throws -> [AuditEntry] {
        var (found, last): ([AuditEntry], Int?) = ([], number)
        while let start = last, found.count < limit {
            let chunk = try repositories.audit.entries(after: start, limit: Self.readAtOnce)
            found += chunk.filter { includes($0.facts) }
            last = chunk.last?.number
        }
        return Array(found.prefix(limit))
    }

    private func includes(_ facts: AuditEntry.Facts) -> Bool {
        (acts.isEmpty || acts.contains(facts.act)) && facts.act.rawValue.hasPrefix(actPrefix)
            && (subject == nil || facts.subject == subject)
    }

    /// The person of a typed name, or of a subject, which the audit keeps after the removal of the person.
    package static func subject(_ typed: String, in repositories: any Repositories) throws -> Subject? {
        if let named = try PersonName(typed).find(in: repositories) { return named.subject }
        let subject = Subject(typed)
        if try repositories.people.find(subject) != nil { return subject }
        return try repositories.audit.entries(about: subject, before: .max, limit: 1).isEmpty ? nil : subject
    }
}

extension AdminNoun {
    /// The acts whose audit entries the page of the noun shows; `nil` for a page of other records.
    var auditedActs: Set<AuditAct>? {
        switch self {
        case .sessions:
            [.loggedIn, .loginFailed, .secondFactorRefused, .recoveryCodeUsed, .loggedOut, .signedIn, .signedOut]
        case .limits: [.limitReached, .limitLifted]
        case .audit: []
        case .people, .groups, .claims, .clients, .registrationTokens, .domains, .sites, .providers, .keys,
            .deliveries, .requests:
            nil
        }
    }
}
