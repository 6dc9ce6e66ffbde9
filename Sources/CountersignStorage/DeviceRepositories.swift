public import FoundationEssentialsCompat

/// The devices that answer requests for people, their enrolments in sites, and people's quiet times.
public protocol EnrolledDeviceRepository {
    /// Adds a device.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when there is one with its identifier, or of its sign-in.
    func insert(_ device: EnrolledDevice) throws
    /// Finds a device; `nil` when there is none.
    func find(_ id: DeviceRegistration.ID) throws -> EnrolledDevice?
    /// Finds the device of an app's sign-in; `nil` when there is none.
    func find(_ signIn: Grant.ID) throws -> EnrolledDevice?
    /// Returns the devices of a person, the oldest first, at most 100.
    func all(of subject: Subject) throws -> [EnrolledDevice]
    /// Returns all devices, the oldest first.
    func all() throws -> [EnrolledDevice]
    /// Returns the devices with a telephone number, verified or not, the oldest first, at most 100.
    func all(with number: PhoneNumber) throws -> [EnrolledDevice]
    /// Returns the devices with an address for push messages, the oldest first, at most 100.
    func all(with token: PushToken) throws -> [EnrolledDevice]
    /// Returns the devices that verified a telephone number, the oldest first, at most 100.
    func verified(with number: PhoneNumber) throws -> [EnrolledDevice]
    /// Replaces the mutable fields of a device; does nothing when there is none.
    func update(_ device: EnrolledDevice) throws
    /// Marks a push address as dead, as the push service reported, at every device that has it.
    func forgetPushAddress(of token: PushToken, at now: Date) throws
    /// Removes a push address from every device but one.
    func removePushToken(_ token: PushToken, exceptOf device: DeviceRegistration.ID) throws
    /// Removes a device with its enrolments in sites; returns whether there was one.
    ///
    /// The number that it verified stays its person's; a pending verification is dropped.
    func remove(_ id: DeviceRegistration.ID) throws -> Bool
    /// Removes all devices and the quiet time of a person; returns how many devices.
    func removeAll(of subject: Subject) throws -> Int
    /// Removes at most `limit` devices that were last seen before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
    /// Removes at most `limit` unclaimed devices that were last seen before `instant`; returns how many. A device is
    /// unclaimed without a person, a site and a number that is moving to it.
    func sweepOfNobody(before instant: Date, limit: Int) throws -> Int

    /// Stores the enrolment of a device in a site in place of an earlier one.
    func enroll(_ enrollment: DeviceCustomerSite) throws
    /// Finds the enrolment of a device in a site; `nil` when there is none.
    func enrollment(of device: DeviceRegistration.ID, in environment: CustomerSiteID) throws -> DeviceCustomerSite?
    /// Returns the enrolments of a device, the oldest first, at most 1,000.
    func enrollments(of device: DeviceRegistration.ID) throws -> [DeviceCustomerSite]
    /// Removes the enrolment of a device in a site; returns whether there was one.
    func unenroll(_ device: DeviceRegistration.ID, from environment: CustomerSiteID) throws -> Bool
    /// Removes all enrolments in a site, because it is removed; returns how many.
    func removeEnrollments(in environment: CustomerSiteID) throws -> Int

    /// Stores the end of a person's quiet time in place of an earlier one.
    func keepQuiet(_ subject: Subject, until end: Date) throws
    /// Returns the end of a person's quiet time, also in the past; `nil` when they never chose one.
    func quiet(of subject: Subject) throws -> Date?
    /// Removes at most `limit` quiet times that ended before `instant`; returns how many.
    func sweepQuietTimes(before instant: Date, limit: Int) throws -> Int
}

/// The tickets that enrol devices, until some time after they expired.
public protocol EnrollmentTicketRepository {
    /// Adds a ticket.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when there is one with its digest.
    func insert(_ ticket: EnrollmentTicketRecord) throws
    /// Finds a ticket, used or expired too; `nil` when there is none.
    func find(_ digest: SecretDigest) throws -> EnrollmentTicketRecord?
    /// Returns the tickets with a shared secret for a person's device that were not used and are good at `now`, the
    /// newest first, at most 5.
    ///
    /// - Parameters:
    ///   - subject: The person whose device is to share the secret.
    ///   - environment: The other side of the secret.
    ///   - now: The current time.
    func sharing(with subject: Subject, in environment: CustomerSiteID, at now: Date) throws -> [EnrollmentTicketRecord]
    /// Stores the use of a ticket; does nothing when there is none.
    func update(_ ticket: EnrollmentTicketRecord) throws
    /// Removes all tickets of a person; returns how many.
    func removeAll(of subject: Subject) throws -> Int
    /// Removes the unused tickets that were made in a browser session of a person.
    func removeUnused(of subject: Subject, madeIn session: ApproverID) throws
    /// Removes at most `limit` tickets that expired before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
