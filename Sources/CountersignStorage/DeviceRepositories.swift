public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The devices that answer requests for people, their enrolments in sites, and people's quiet times.
public protocol EnrolledDeviceRepository {
    /// Adds a device.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when there is one with its identifier, or of its sign-in.
    func insert(_ device: EnrolledDevice) throws
    /// Finds a device; `nil` when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func find(_ id: DeviceRegistration.ID) throws -> EnrolledDevice?
    /// Finds the device of an app's sign-in; `nil` when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func find(_ signIn: Grant.ID) throws -> EnrolledDevice?
    /// Returns the devices of a person, the oldest first, at most 100.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func all(of subject: Subject) throws -> [EnrolledDevice]
    /// Returns the devices with a telephone number, whether it is proved or not, the oldest first, at most 100.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func all(with number: PhoneNumber) throws -> [EnrolledDevice]
    /// Returns the devices with an address for push messages, the oldest first, at most 100.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func all(with token: PushToken) throws -> [EnrolledDevice]
    /// Returns the devices that proved a telephone number, the oldest first, at most 100.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func verified(with number: PhoneNumber) throws -> [EnrolledDevice]
    /// Keeps everything of a device that can change; does nothing when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func update(_ device: EnrolledDevice) throws
    /// Notes that the push service says that an address is dead, at every device that has it.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func forgetPushAddress(of token: PushToken, at now: Date) throws
    /// Takes an address for push messages from every device but one.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func removePushToken(_ token: PushToken, exceptOf device: DeviceRegistration.ID) throws
    /// Removes a device with its enrolments in sites; returns whether there was one.
    ///
    /// The number that it proved stays its person's. What it was about to prove is forgotten.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func remove(_ id: DeviceRegistration.ID) throws -> Bool
    /// Removes all devices of a person, and until when they wanted to be left alone; returns how many devices.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func removeAll(of subject: Subject) throws -> Int
    /// Removes at most `limit` devices that were last seen before `instant`; returns how many.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func sweep(before instant: Date, limit: Int) throws -> Int
    /// Removes at most `limit` devices that are nobody's, are in no site, wait for no number that is moving and
    /// were last seen before `instant`; returns how many.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func sweepOfNobody(before instant: Date, limit: Int) throws -> Int

    /// Keeps the enrolment of a device in a site, in place of an earlier one.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func enroll(_ enrollment: DeviceCustomerSite) throws
    /// Finds the enrolment of a device in a site; `nil` when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func enrollment(of device: DeviceRegistration.ID, in environment: CustomerSiteID) throws -> DeviceCustomerSite?
    /// Returns the enrolments of a device, the oldest first, at most 1,000.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func enrollments(of device: DeviceRegistration.ID) throws -> [DeviceCustomerSite]
    /// Removes the enrolment of a device in a site; returns whether there was one.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func unenroll(_ device: DeviceRegistration.ID, from environment: CustomerSiteID) throws -> Bool
    /// Removes all enrolments in a site, because it is removed; returns how many.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func removeEnrollments(in environment: CustomerSiteID) throws -> Int

    /// Keeps until when a person wants to be left alone, in place of what was kept before.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func keepQuiet(_ subject: Subject, until end: Date) throws
    /// Returns until when a person wants to be left alone, in the past too; `nil` when they never wanted it.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func quiet(of subject: Subject) throws -> Date?
    /// Removes at most `limit` quiet times that ended before `instant`; returns how many.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func sweepQuietTimes(before instant: Date, limit: Int) throws -> Int
}

/// The tickets that enrol devices, until some time after they expired.
public protocol EnrollmentTicketRepository {
    /// Adds a ticket.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when there is one with its digest.
    func insert(_ ticket: EnrollmentTicketRecord) throws
    /// Finds a ticket, used or expired too; `nil` when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func find(_ digest: SecretDigest) throws -> EnrollmentTicketRecord?
    /// Returns the tickets with a shared secret for a person's device that were not used and are good at `now`, the
    /// newest first, at most 5.
    ///
    /// - Parameters:
    ///   - subject: The person whose device is to share the secret.
    ///   - environment: The other side of the secret.
    ///   - now: The current time.
    /// - Throws: The database's error, as ``Repositories`` says.
    func sharing(with subject: Subject, in environment: CustomerSiteID, at now: Date) throws -> [EnrollmentTicketRecord]
    /// Keeps what a ticket was used for; does nothing when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func update(_ ticket: EnrollmentTicketRecord) throws
    /// Removes all tickets of a person; returns how many.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func removeAll(of subject: Subject) throws -> Int
    /// Removes the tickets that were made in a browser session of a person and not used.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func removeUnused(of subject: Subject, madeIn session: ApproverID) throws
    /// Removes at most `limit` tickets that expired before `instant`; returns how many.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
