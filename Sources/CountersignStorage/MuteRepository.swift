public import Countersign

/// The clients that people muted: at most one mute for each person and client. Those of a client are removed with it,
/// by ``ClientRepository``.
public protocol MuteRepository {
    /// Keeps a mute, in place of the one of the same person and client.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func keep(_ mute: Mute) throws
    /// Finds the mute of a client by a person; `nil` when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func find(_ subject: Subject, _ client: ClientID) throws -> Mute?
    /// Returns the mutes of a person, the latest first, at most 1,000.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func all(of subject: Subject) throws -> [Mute]
    /// Removes the mute of a client by a person; returns whether there was one.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func remove(_ subject: Subject, _ client: ClientID) throws -> Bool
    /// Removes every mute of a person.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func removeAll(of subject: Subject) throws
}
