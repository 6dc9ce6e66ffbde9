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
    /// - Throws: What the database reports, as ``Repositories`` says.
    func keep(_ record: PhoneNumberRecord) throws
    /// Finds a number; `nil` when it is not registered.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func find(_ number: PhoneNumber) throws -> PhoneNumberRecord?
    /// Returns the numbers of a person, in the order of their digits, at most 1,000.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func all(of subject: Subject) throws -> [PhoneNumberRecord]
    /// Returns the numbers whose move to another person is due at `instant`, at most `limit`.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func moving(at instant: Date, limit: Int) throws -> [PhoneNumberRecord]
    /// Removes a number; returns whether it was registered.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    @discardableResult
    func remove(_ number: PhoneNumber) throws -> Bool
    /// Removes the numbers of a person; returns how many.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    @discardableResult
    func removeAll(of subject: Subject) throws -> Int
}

/// How far devices are in proving telephone numbers.
public protocol PhoneRegistrationRepository {
    /// Stores the state of a device's verification in place of the previous one.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func keep(_ record: PhoneRegistrationRecord) throws
    /// Finds how far a device is; `nil` for one that never named a number.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func find(_ device: DeviceRegistration.ID) throws -> PhoneRegistrationRecord?
    /// Forgets a device; returns whether it was known.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    @discardableResult
    func remove(_ device: DeviceRegistration.ID) throws -> Bool
    /// Ends the registration of every device that proved this number.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func removeAll(of number: PhoneNumber) throws
    /// Removes at most `limit` devices that proved nothing and were last heard of before `instant`; returns how many.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
