public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The consents of people to clients: at most one for each person and client.
public protocol ConsentRepository {
    /// Keeps a consent, in place of the one of the same person and client.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func keep(_ consent: Consent) throws
    /// Finds the consent of a person for a client; `nil` when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func find(_ subject: Subject, _ client: ClientID) throws -> Consent?
    /// Returns the consents of a person, the latest first, at most 1,000.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func all(of subject: Subject) throws -> [Consent]
    /// Removes the consent of a person for a client; returns whether there was one.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func remove(_ subject: Subject, _ client: ClientID) throws -> Bool
    /// Removes every consent of a person.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func removeAll(of subject: Subject) throws
    /// Removes every consent for a client.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func removeAll(of client: ClientID) throws
}

/// The authorization requests that clients stored beforehand.
public protocol PushedRequestRepository {
    /// Adds a request.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when its reference is taken.
    func insert(_ request: PushedRequest) throws
    /// Finds a request, whether or not it has expired; `nil` when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func find(_ reference: SecretDigest) throws -> PushedRequest?
    /// Removes a request; returns whether there was one.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func remove(_ reference: SecretDigest) throws -> Bool
    /// Removes every request of a client.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func removeAll(of client: ClientID) throws
    /// Removes at most `limit` requests that expired before `instant`; returns how many.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
