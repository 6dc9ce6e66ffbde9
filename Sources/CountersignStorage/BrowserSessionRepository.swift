public import FoundationEssentialsCompat

/// The browser sessions of people who are signed in at this server.
public protocol BrowserSessionRepository {
    /// Adds a new session.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when its cookie is taken.
    func insert(_ session: BrowserSession) throws
    /// Finds the session of a cookie, whether or not it has expired; `nil` when there is none.
    func find(_ cookie: SecretDigest) throws -> BrowserSession?
    /// The sessions of a person that an approval on another device opened, whether or not they have expired, the one
    /// that ends last first, at most 1,000.
    func opened(for subject: Subject) throws -> [BrowserSession]
    /// The sessions of a person, whether or not they have expired, the one that ends last first, at most 1,000.
    func all(of subject: Subject) throws -> [BrowserSession]
    /// The sessions of all people that expire after an instant, the one that ends last first.
    ///
    /// - Parameters:
    ///   - instant: The current time.
    ///   - last: The position of the last session of the page before, which may have ended; `nil` for the first page.
    ///   - limit: The maximum number.
    func live(at instant: Date, after last: BrowserSession.Position?, limit: Int) throws -> [BrowserSession]
    /// Stores the last use of a session; the rest of it never changes.
    func update(_ session: BrowserSession) throws
    /// Removes one session, if it exists.
    func remove(_ cookie: SecretDigest) throws
    /// Removes every session of a person.
    func removeAll(of subject: Subject) throws
    /// Removes at most `limit` sessions that expired before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
