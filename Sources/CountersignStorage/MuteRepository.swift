/// The clients that people muted: at most one mute for each person and client. Those of a client are removed with it,
/// by ``ClientRepository``.
public protocol MuteRepository {
    /// Stores a mute in place of the one of the same person and client.
    func keep(_ mute: Mute) throws
    /// Finds the mute of a client by a person; `nil` when there is none.
    func find(_ subject: Subject, _ client: ClientID) throws -> Mute?
    /// Returns the mutes of a person, the latest first, at most 1,000.
    func all(of subject: Subject) throws -> [Mute]
    /// Returns all mutes, the latest first.
    func all() throws -> [Mute]
    /// Removes the mute of a client by a person; returns whether there was one.
    func remove(_ subject: Subject, _ client: ClientID) throws -> Bool
    /// Removes every mute of a person.
    func removeAll(of subject: Subject) throws
}
