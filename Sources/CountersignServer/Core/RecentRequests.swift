internal import FoundationEssentialsCompat

/// The requests that a person decided lately.
struct RecentRequests {
    /// The maximum number of audit entries that are read.
    private static let mostEntries = 200

    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// The requests that the person decided, even if the decision has ended, the latest first; not those that they only
    /// opened, and another person decided.
    ///
    /// - Parameters:
    ///   - subject: The person.
    ///   - start: Only requests with an audit entry after it.
    ///   - limit: The maximum number of requests.
    ///   - now: The current time.
    func decided(
        by subject: Subject, since start: Date, limit: Int, at now: Date
    ) throws -> [RequestHistory] {
        var seen: Set<SignInRequest.ID> = []
        var found: [RequestHistory] = []
        for entry in try repositories.audit.entries(aboutRequestsOf: subject, limit: Self.mostEntries) {
            guard found.count < limit, entry.facts.at > start else { break }
            guard let id = entry.facts.request, seen.insert(id).inserted,
                let records = try RequestRecords(of: id, in: repositories)
            else { continue }
            let history = RequestHistory(records, to: subject, at: now)
            if history.isDecidedByReader { found.append(history) }
        }
        return found
    }
}
