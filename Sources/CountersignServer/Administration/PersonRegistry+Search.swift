internal import Countersign

extension PersonRegistry {
    /// The people with a field that begins with a text.
    struct SearchResult: Sendable {
        let field: PersonSearchField
        let people: [Person]
        /// Whether there are more after the last one.
        let isCut: Bool
    }

    /// Searches people by the beginnings of their fields. An empty text finds everybody, by user name.
    ///
    /// - Parameters:
    ///   - text: The beginning.
    ///   - field: The field, for its further pages; `nil` for the first page of each.
    ///   - last: The last person of the page before; `nil` for the first page.
    ///   - limit: The maximum number of people of a field.
    func search(
        _ text: String, by field: PersonSearchField?, after last: Subject?, limit: Int
    ) async throws -> [SearchResult] {
        let fields = field.map { [$0] } ?? (text.isEmpty ? [.username] : PersonSearchField.allCases)
        return try await administration.store.read { repositories in
            let last = try last.flatMap { try repositories.people.find($0) }
            return try fields.map { field in
                let beginning = field == .username ? Username.beginning(text) : text
                let found = try repositories.people.page(
                    by: field, beginningWith: beginning, after: last, limit: limit + 1)
                return SearchResult(field: field, people: Array(found.prefix(limit)), isCut: found.count > limit)
            }
        }
    }
}
