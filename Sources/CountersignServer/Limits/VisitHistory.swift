internal import FoundationEssentialsCompat

/// The network addresses where people signed in or decided requests.
struct VisitHistory {
    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Whether a person signed in or decided a request in the network of an address within a month; `false` for an
    /// unknown address.
    func isKnown(_ subject: Subject, at address: String?, asOf now: Date) throws -> Bool {
        try KnownNetwork(address, of: subject)?.isKnown(in: repositories, at: now) ?? false
    }

    /// Notes that a person signed in or decided a request at a network address.
    func note(of subject: Subject, from address: String?, at now: Date) throws {
        try PeopleAtAddress(address)?.note(subject, in: repositories, at: now)
        try KnownNetwork(address, of: subject)?.note(in: repositories, at: now)
    }
}
