public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The telephone numbers that were proved, each of one person.
public protocol PhoneNumberRepository {
    /// Keeps a number, in place of what was known of it before.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func keep(_ record: PhoneNumberRecord) throws
    /// Finds a number; `nil` when it is not registered.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func find(_ number: PhoneNumber) throws -> PhoneNumberRecord?
    /// Returns the numbers of a person, in the order of their digits, at most 1,000.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func all(of subject: Subject) throws -> [PhoneNumberRecord]
    /// Returns the numbers whose move to another person is due at `instant`, at most `limit`.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func moving(at instant: Date, limit: Int) throws -> [PhoneNumberRecord]
    /// Removes a number; returns whether it was registered.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    @discardableResult
    func remove(_ number: PhoneNumber) throws -> Bool
    /// Removes the numbers of a person; returns how many.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    @discardableResult
    func removeAll(of subject: Subject) throws -> Int
}

/// The state of each device's verification of its telephone number.
public protocol PhoneRegistrationRepository {
    /// Stores the state of a device's verification in place of the previous one.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func keep(_ record: PhoneRegistrationRecord) throws
    /// Finds the state of a device's verification; `nil` for a device that never named a number.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func find(_ device: DeviceRegistration.ID) throws -> PhoneRegistrationRecord?
    /// Forgets a device; returns whether it was known.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    @discardableResult
    func remove(_ device: DeviceRegistration.ID) throws -> Bool
    /// Ends the registration of every device that proved this number.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func removeAll(of number: PhoneNumber) throws
    /// Removes at most `limit` devices that proved nothing and were last heard of before `instant`; returns how many.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
