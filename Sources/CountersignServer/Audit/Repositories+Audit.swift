extension Repositories {
    /// Writes down what happened, as part of the change in which it does.
    package func record(_ facts: AuditEntry.Facts) throws {
        try audit.append(AuditEntry(facts, after: try audit.head()))
    }
}
