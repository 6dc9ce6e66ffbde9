public import FoundationEssentialsCompat

/// The passkeys that sign people in.
public protocol PasskeyRepository {
    /// Adds a passkey.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when there is one of the same credential, of this person or another.
    func insert(_ passkey: PasskeyRecord) throws
    /// Finds a passkey; `nil` when there is none.
    func find(_ id: CredentialID) throws -> PasskeyRecord?
    /// Returns the passkeys of a person, the oldest first.
    func all(of subject: Subject) throws -> [PasskeyRecord]
    /// Replaces the counter, the backup state and the last use of a passkey; does nothing when there is none.
    func update(_ passkey: PasskeyRecord) throws
    /// Removes a passkey of a person; returns whether there was one.
    func remove(_ id: CredentialID, of subject: Subject) throws -> Bool
    /// Removes all passkeys of a person; returns how many.
    func removeAll(of subject: Subject) throws -> Int
    /// Notes that a challenge was answered.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when it was answered before.
    func use(_ challenge: SecretDigest, until expires: Date) throws
    /// Removes at most `limit` answered challenges that expired before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

/// The one-time passwords of people, one app or device for each person.
public protocol OneTimePasswordRepository {
    /// Stores a record in place of an earlier one of the same person.
    func keep(_ record: OneTimePasswordRecord) throws
    /// Finds the record of a person; `nil` when there is none.
    func find(_ subject: Subject) throws -> OneTimePasswordRecord?
    /// Removes the record of a person; returns whether there was one.
    func remove(_ subject: Subject) throws -> Bool
}

/// The recovery codes of people, as digests.
public protocol RecoveryCodeRepository {
    /// Stores the remaining codes of a person in place of the earlier set.
    func keep(_ codes: RecoveryCodeSet) throws
    /// Finds the codes of a person; `nil` when they never had any.
    func find(_ subject: Subject) throws -> RecoveryCodeSet?
    /// Removes the codes of a person; returns whether there were any.
    func remove(_ subject: Subject) throws -> Bool
}
