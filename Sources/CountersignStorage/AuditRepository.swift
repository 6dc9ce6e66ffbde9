public import FoundationEssentialsCompat

/// The audit: a chain of entries in the order of events.
public protocol AuditRepository {
    /// Returns the last entry's place in the chain; ``AuditPosition/beginning`` when there never was one.
    func head() throws -> AuditPosition
    /// Returns the place of the last entry that was swept; ``AuditPosition/beginning`` when none was. The first entry
    /// that is left follows it.
    func anchor() throws -> AuditPosition
    /// Adds an entry, which becomes the head.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when there is an entry of this number.
    func append(_ entry: AuditEntry) throws
    /// Returns the entries that follow a number, the oldest first.
    ///
    /// - Parameters:
    ///   - number: Only entries with a greater number are returned; 0 for all.
    ///   - limit: The maximum number of entries.
    /// - Throws: ``AuditError/unreadable(_:)``.
    func entries(after number: Int, limit: Int) throws -> [AuditEntry]
    /// Returns the entries that come before a number, the latest first.
    ///
    /// - Parameters:
    ///   - number: Only entries with a smaller number are returned.
    ///   - limit: The maximum number of entries.
    /// - Throws: ``AuditError/unreadable(_:)``.
    func entries(before number: Int, limit: Int) throws -> [AuditEntry]
    /// Returns the entries about a request, the oldest first, at most `limit`.
    ///
    /// - Throws: ``AuditError/unreadable(_:)``.
    func entries(about request: SignInRequest.ID, limit: Int) throws -> [AuditEntry]
    /// Returns the entries about the requests that a person took part in, the latest first, at most `limit`.
    ///
    /// - Throws: ``AuditError/unreadable(_:)``.
    func entries(aboutRequestsOf subject: Subject, limit: Int) throws -> [AuditEntry]
    /// Returns the entries about a person that come before a number, the latest first.
    ///
    /// - Parameters:
    ///   - subject: The person.
    ///   - number: Only entries with a smaller number are returned.
    ///   - limit: The maximum number of entries.
    /// - Throws: ``AuditError/unreadable(_:)``.
    func entries(about subject: Subject, before number: Int, limit: Int) throws -> [AuditEntry]
    /// Returns the identifiers of the audited requests that begin with a prefix, in order, at most `limit`.
    func requests(beginningWith prefix: String, limit: Int) throws -> [SignInRequest.ID]
    /// Removes the oldest entries up to the first that was made at `instant` or later. The last one removed becomes the
    /// anchor.
    ///
    /// - Parameters:
    ///   - instant: Entries that were made before it are removed.
    ///   - limit: The maximum number of entries.
    /// - Returns: The number of removed entries.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
