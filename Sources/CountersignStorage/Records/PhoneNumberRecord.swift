public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A telephone number that was proved, and whose it is.
public struct PhoneNumberRecord: Sendable, Equatable {
    /// The number on its way to another person, who proved it too.
    public struct Move: Sendable, Equatable {
        /// The device that proved it; its person is to have the number.
        public let device: DeviceRegistration.ID
        /// The person of that device; `nil` when the device has none yet, and is to belong to the one who has the
        /// number.
        public let subject: Subject?
        /// The time when the number moves, unless the device that has it objects.
        public let due: Date

        /// Creates a move.
        public init(to device: DeviceRegistration.ID, of subject: Subject?, due: Date) {
            self.device = device
            self.subject = subject
            self.due = due
        }
    }

    /// The number.
    public let number: PhoneNumber
    /// The person who owns it.
    public var subject: Subject
    /// The device that proved it; `nil` when an operator entered it.
    public var device: DeviceRegistration.ID?
    /// The time when it was proved or entered.
    public var verified: Date
    /// Its move to another device; `nil` when nothing is pending.
    public var move: Move?

    /// Creates a record.
    public init(
        _ number: PhoneNumber,
        of subject: Subject,
        device: DeviceRegistration.ID? = nil,
        verified: Date,
        move: Move? = nil
    ) {
        self.number = number
        self.subject = subject
        self.device = device
        self.verified = verified
        self.move = move
    }
}

/// The progress of a device in proving its number, as the store keeps it.
public struct PhoneRegistrationRecord: Sendable, Equatable {
    /// The device.
    public let device: DeviceRegistration.ID
    /// The progress of the device.
    public var registration: PhoneRegistration
    /// The time when the device was last heard of in this matter.
    public var touched: Date

    /// Creates a record.
    public init(_ device: DeviceRegistration.ID, _ registration: PhoneRegistration, touched: Date) {
        self.device = device
        self.registration = registration
        self.touched = touched
    }
}
