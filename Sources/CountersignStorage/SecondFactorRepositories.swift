public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The passkeys that sign people in.
public protocol PasskeyRepository {
    /// Adds a passkey.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when there is one of the same credential, of this person or another.
    func insert(_ passkey: PasskeyRecord) throws
    /// Finds a passkey; `nil` when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func find(_ id: CredentialID) throws -> PasskeyRecord?
    /// Returns the passkeys of a person, the oldest first.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func all(of subject: Subject) throws -> [PasskeyRecord]
    /// Keeps the counter, the backup state and the last use of a passkey; does nothing when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func update(_ passkey: PasskeyRecord) throws
    /// Removes a passkey of a person; returns whether there was one.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func remove(_ id: CredentialID, of subject: Subject) throws -> Bool
    /// Removes all passkeys of a person; returns how many.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func removeAll(of subject: Subject) throws -> Int
    /// Notes that a challenge was answered.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when it was answered before.
    func use(_ challenge: SecretDigest, until expires: Date) throws
    /// Removes at most `limit` answered challenges that expired before `instant`; returns how many.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

/// The one-time passwords of people's authenticators, one for each person.
public protocol OneTimePasswordRepository {
    /// Keeps a record, in place of an earlier one of the same person.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func keep(_ record: OneTimePasswordRecord) throws
    /// Finds the record of a person; `nil` when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func find(_ subject: Subject) throws -> OneTimePasswordRecord?
    /// Removes the record of a person; returns whether there was one.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func remove(_ subject: Subject) throws -> Bool
}

/// The recovery codes of people, as digests.
public protocol RecoveryCodeRepository {
    /// Keeps the codes that a person has left, in place of those that were kept before.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func keep(_ codes: RecoveryCodeSet) throws
    /// Finds the codes of a person; `nil` when they never had any.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func find(_ subject: Subject) throws -> RecoveryCodeSet?
    /// Removes the codes of a person; returns whether there were any.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func remove(_ subject: Subject) throws -> Bool
}
