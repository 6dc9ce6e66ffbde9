public import FoundationEssentialsCompat

/// The screens on which people are remembered. Those of a client are removed with it, by ``ClientRepository``.
public protocol RememberedScreenRepository {
    /// Stores a screen, in place of the one with the same identifier.
    func keep(_ screen: RememberedScreen) throws
    /// Finds a screen; `nil` when there is none.
    func find(_ id: RememberedScreenID) throws -> RememberedScreen?
    /// Returns the screens of a person, the last used first, at most 1,000.
    func all(of subject: Subject) throws -> [RememberedScreen]
    /// Returns the screens of a person and a client, the last used first, at most 1,000.
    func all(of subject: Subject, at client: ClientID) throws -> [RememberedScreen]
    /// Removes a screen, if there is one.
    func remove(_ id: RememberedScreenID) throws
    /// Removes at most `limit` screens that were last used before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
