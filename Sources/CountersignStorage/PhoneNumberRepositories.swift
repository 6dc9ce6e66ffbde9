public import FoundationEssentialsCompat

/// The verified telephone numbers, each of one person.
public protocol PhoneNumberRepository {
    /// Stores a number in place of its earlier record.
    func keep(_ record: PhoneNumberRecord) throws
    /// Finds a number; `nil` when it is not registered.
    func find(_ number: PhoneNumber) throws -> PhoneNumberRecord?
    /// Returns the numbers of a person, in the order of their digits, at most 1,000.
    func all(of subject: Subject) throws -> [PhoneNumberRecord]
    /// Returns the numbers whose move to another person is due at `instant`, at most `limit`.
    func moving(at instant: Date, limit: Int) throws -> [PhoneNumberRecord]
    /// Removes a number; returns whether it was registered.
    @discardableResult
    func remove(_ number: PhoneNumber) throws -> Bool
    /// Removes the numbers of a person; returns how many.
    @discardableResult
    func removeAll(of subject: Subject) throws -> Int
}

/// The state of each device's verification of its telephone number.
public protocol PhoneRegistrationRepository {
    /// Stores the state of a device's verification in place of the previous one.
    func keep(_ record: PhoneRegistrationRecord) throws
    /// Finds the state of a device's verification; `nil` for a device that never named a number.
    func find(_ device: DeviceRegistration.ID) throws -> PhoneRegistrationRecord?
    /// Removes the state of a device's verification; returns whether there was one.
    @discardableResult
    func remove(_ device: DeviceRegistration.ID) throws -> Bool
    /// Ends the registration of every device that verified this number.
    func removeAll(of number: PhoneNumber) throws
    /// Removes at most `limit` unverified devices whose state last changed before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
