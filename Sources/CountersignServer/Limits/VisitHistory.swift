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
    ///
    /// - Parameters:
    ///   - subject: The person.
    ///   - address: Their network address; `nil` if unknown.
    ///   - isLimited: Whether their sign-in there ends by itself: the machine may not be theirs, and they do not become
    ///     known in its network; `false` by default.
    ///   - now: The current time.
    func note(of subject: Subject, from address: String?, isLimited: Bool = false, at now: Date) throws {
        try PeopleAtAddress(address)?.note(subject, in: repositories, at: now)
        if !isLimited { try KnownNetwork(address, of: subject)?.note(in: repositories, at: now) }
    }
}
