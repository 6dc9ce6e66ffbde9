/// Finds the request that an operator names.
package struct RequestSearch {
    /// The result of a search.
    package enum Result: Sendable, Equatable {
        case found(SignInRequest.ID)
        /// Several requests begin with the text; the first ones.
        case several([SignInRequest.ID])
        case nothing
    }

    /// The number of requests that are named when several are found.
    private static let named = 5

    private let repositories: any Repositories

    package init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Finds a request by its identifier, by the beginning of that, or by its user code as it was typed. Requests that
    /// were removed have no code any more.
    package func find(_ text: String) throws -> Result {
        guard !text.isEmpty else { return .nothing }
        let id = SignInRequest.ID(text)
        if try repositories.exchanges.find(id) != nil { return .found(id) }
        let beginning = Set(try repositories.exchanges.requests(beginningWith: text, limit: Self.named))
            .union(try repositories.audit.requests(beginningWith: text, limit: Self.named))
        if beginning.contains(id) { return .found(id) }
        if let one = beginning.first, beginning.count == 1 { return .found(one) }
        guard beginning.isEmpty else {
            return .several(Array(beginning.sorted { $0.rawValue < $1.rawValue }.prefix(Self.named)))
        }
        guard let code = UserCode(parsing: text), let stored = try find(code) else { return .nothing }
        return .found(stored.id)
    }

    private func find(_ code: UserCode) throws -> SignInExchangeRecord? {
        let keys: Keys
        do {
            keys = try Keys(try repositories.serverKeys.all(), knowing: nil)
        } catch is Keys.UnusableKeyError {
            // No server ran on this database yet.
            return nil
        }
        return try repositories.exchanges.find(keys.digest(of: code))
    }
}
