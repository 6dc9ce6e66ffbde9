#if PostgreSQL
extension PostgresStore {
    /// Runs one statement on a separate connection; returns the first column of its first row, as text.
    @discardableResult
    package static func run(_ sql: String, at url: String) throws -> String? {
        let address = try DatabaseAddress(url)
        do {
            return try PostgresConnection(to: address, as: .listener).commandAnswer(sql)
        } catch {
            throw PostgresStoreOpeningError(error, at: address)
        }
    }
}
#endif
