/// The records of one page of a list.
struct ListPage<Record: Sendable>: Sendable {
    let records: [Record]
    /// The record after which the next page begins; `nil` on the last page.
    let last: Record?

    /// Reads the records of a page, and one more, which tells whether another page follows.
    ///
    /// - Parameter body: Reads so many records.
    init(reading body: (_ limit: Int) async throws -> [Record]) async rethrows {
        let found = try await body(AdminView.pageLength + 1)
        records = Array(found.prefix(AdminView.pageLength))
        last = found.count > records.count ? records.last : nil
    }
}
