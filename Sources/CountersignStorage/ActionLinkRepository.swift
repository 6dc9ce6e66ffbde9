public import FoundationEssentialsCompat

/// The links that let their readers do one thing, one for each person.
public protocol ActionLinkRepository {
    /// Adds a link in place of an earlier one of its person, and an invitation also in place of the unused ones of its
    /// e-mail address.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when there is one with its digest.
    func insert(_ link: ActionLink) throws
    /// Finds a link, used or expired too; `nil` when there is none.
    func find(_ digest: SecretDigest) throws -> ActionLink?
    /// Finds the link of a person, used or expired too; `nil` when there is none.
    func find(of subject: Subject) throws -> ActionLink?
    /// Returns the unused invitations that expire after `now`, the oldest first.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - last: The position of the last one of the page before, which may have ended; `nil` for the first page.
    ///   - limit: The maximum number.
    func invitations(at now: Date, after last: ActionLink.Position?, limit: Int) throws -> [ActionLink]
    /// Stores the use of a link; does nothing when there is none.
    func update(_ link: ActionLink) throws
    /// Removes the unused link of a person; returns whether there was one.
    @discardableResult
    func removeUnused(of subject: Subject) throws -> Bool
    /// Removes the link of a person, used or not.
    func remove(of subject: Subject) throws
    /// Removes at most `limit` links that expired before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
