public import FoundationEssentialsCompat

/// The codes that people type on screens, one for each person.
public protocol PersonCodeRepository {
    /// Adds a code in place of an earlier one of its person.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when another person has the same code.
    func insert(_ code: PersonCodeRecord) throws
    /// Finds a code, used or expired too; `nil` when there is none.
    func find(_ digest: SecretDigest) throws -> PersonCodeRecord?
    /// Finds the code of a person, used or expired too; `nil` when there is none.
    func find(of subject: Subject) throws -> PersonCodeRecord?
    /// Stores the request that a code started; does nothing when there is no such code.
    func update(_ code: PersonCodeRecord) throws
    /// Removes the code of a person, if there is one.
    func removeAll(of subject: Subject) throws
    /// Removes the code that a browser session or app shows its person, if there is one.
    func remove(shownBy holder: ApproverIdentity) throws
    /// Removes at most `limit` codes that expired before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
