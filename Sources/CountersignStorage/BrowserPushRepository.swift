public import FoundationEssentialsCompat

/// The browsers that are registered for push messages: at most one registration for each browser session.
public protocol BrowserPushRepository {
    /// Stores a registration in place of an earlier one of the same session.
    func keep(_ push: BrowserPush) throws
    /// Finds the registration of a session; `nil` when there is none.
    func find(_ session: ApproverID) throws -> BrowserPush?
    /// Returns the registrations of a person, the oldest first, at most 100.
    func all(of subject: Subject) throws -> [BrowserPush]
    /// Removes the registration of a session; returns whether there was one.
    func remove(_ session: ApproverID) throws -> Bool
    /// Removes every registration of a person.
    func removeAll(of subject: Subject) throws
    /// Removes at most `limit` registrations whose sessions expired before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
