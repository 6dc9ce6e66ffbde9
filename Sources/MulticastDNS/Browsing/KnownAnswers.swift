/// The known answers of a query, indexed by content.
struct KnownAnswers: Sendable {
    private var said: Set<ResourceRecord> = []

    /// Takes over the known answers of a query.
    init(_ answers: [ResourceRecord]) {
        for answer in answers { said.insert(answer.saying) }
    }

    /// Whether there is an answer that says the same as `record`, whatever its lifetime.
    func contains(_ record: ResourceRecord) -> Bool { said.contains(record.saying) }
}

extension ResourceRecord {
    /// The record without what does not count when records are compared.
    fileprivate var saying: ResourceRecord {
        var saying = self
        (saying.lifetime, saying.isUnique) = (0, false)
        return saying
    }
}
