public import FoundationEssentialsCompat

/// The consents of people to clients: at most one for each person and client.
public protocol ConsentRepository {
    /// Stores a consent in place of the one of the same person and client.
    func keep(_ consent: Consent) throws
    /// Finds the consent of a person for a client; `nil` when there is none.
    func find(_ subject: Subject, _ client: ClientID) throws -> Consent?
    /// Returns the consents of a person, the latest first, at most 1,000.
    func all(of subject: Subject) throws -> [Consent]
    /// Removes the consent of a person for a client; returns whether there was one.
    func remove(_ subject: Subject, _ client: ClientID) throws -> Bool
    /// Removes every consent of a person.
    func removeAll(of subject: Subject) throws
    /// Removes every consent for a client.
    func removeAll(of client: ClientID) throws
}

/// The authorization requests that clients stored beforehand.
public protocol PushedRequestRepository {
    /// Adds a request.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when its reference is taken.
    func insert(_ request: PushedRequest) throws
    /// Finds a request, whether or not it has expired; `nil` when there is none.
    func find(_ reference: SecretDigest) throws -> PushedRequest?
    /// Removes a request; returns whether there was one.
    func remove(_ reference: SecretDigest) throws -> Bool
    /// Removes every request of a client.
    func removeAll(of client: ClientID) throws
    /// Removes at most `limit` requests that expired before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
