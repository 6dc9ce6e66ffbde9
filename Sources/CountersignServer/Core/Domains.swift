/// The services of Cross-Platform Authentication.
struct Domains {
    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// The domain of a request; `nil` for none, and for a removed one, even if a new domain has its name.
    func asked(by request: SignInRequest) throws -> ServiceDomain? {
        guard let asked = request.domain, let found = try repositories.domains.find(asked.value) else { return nil }
        return found.created <= request.asked.value ? found : nil
    }

    /// Whether the domain `name` is in the same group as `domain`.
    func isAffiliated(_ name: Domain, with domain: ServiceDomain) throws -> Bool {
        guard let group = domain.group else { return false }
        return try repositories.domains.find(name)?.group == group
    }
}
