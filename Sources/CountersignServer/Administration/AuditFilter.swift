internal import Countersign
internal import FoundationEssentialsCompat

/// The audit entries that a page of administrators shows.
struct AuditFilter: Sendable, Equatable {
    /// The acts; empty for all.
    var acts: Set<AuditAct> = []
    /// The beginning of the name of the act; empty for all.
    var actPrefix = ""
    /// The person; `nil` for all.
    var subject: Subject?

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

    /// Reads a page. A page for which few entries are found may show fewer, and goes on after the last one searched.
    ///
    /// - Parameter number: The number of the entry after the first one that is searched.
    func page(before number: Int, in repositories: any Repositories) throws -> Page {
        var (found, last, count): ([AuditEntry], Int?, Int) = ([], number, 0)
        while let start = last, found.count < AdminView.pageLength, count < Self.searched {
            let chunk =
                try subject.map { try repositories.audit.entries(about: $0, before: start, limit: 500) }
                ?? repositories.audit.entries(before: start, limit: 500)
            count += chunk.count
            last = chunk.last?.number
            for entry in chunk where includes(entry.facts) {
                found.append(entry)
                guard found.count < AdminView.pageLength else {
                    last = entry.number
                    break
                }
            }
        }
        let subjects = found.compactMap(\.facts.subject) + found.compactMap(\.facts.administrator)
        let people = try Set(subjects).compactMap { try repositories.people.find($0) }
        return Page(
            entries: found,
            names: Dictionary(uniqueKeysWithValues: people.map { ($0.subject, $0.username.rawValue) }), next: last)
    }

    private func includes(_ facts: AuditEntry.Facts) -> Bool {
        (acts.isEmpty || acts.contains(facts.act)) && facts.act.rawValue.hasPrefix(actPrefix)
    }
}

extension AdminNoun {
    /// The acts whose audit entries the page of the noun shows; `nil` for a page of other records.
    var auditedActs: Set<AuditAct>? {
        switch self {
        case .sessions:
            [.loggedIn, .loginFailed, .secondFactorRefused, .recoveryCodeUsed, .loggedOut, .signedIn, .signedOut]
        case .limits: [.limitReached]
        case .audit: []
        case .people, .groups, .clients, .domains, .sites, .providers, .keys, .deliveries, .requests: nil
        }
    }
}
