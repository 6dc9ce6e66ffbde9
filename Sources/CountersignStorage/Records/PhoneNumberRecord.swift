public import FoundationEssentialsCompat

/// A verified telephone number with its owner.
public struct PhoneNumberRecord: Sendable, Equatable {
    /// A pending move of the number to another person, who verified it too.
    public struct Move: Sendable, Equatable {
        /// The device that verified it, whose person is the new owner.
        public let device: DeviceRegistration.ID
        /// The person of that device; `nil` for a device without a person, which becomes the current owner's.
        public let subject: Subject?
        /// The time of the move, unless the current device objects.
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
    /// The owner.
    public var subject: Subject
    /// The device that verified it; `nil` when an operator entered it.
    public var device: DeviceRegistration.ID?
    /// The time of its verification or entry.
    public var verified: Date
    /// Its pending move; `nil` for none.
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

/// The stored state of a device's verification of its number.
public struct PhoneRegistrationRecord: Sendable, Equatable {
    /// The device.
    public let device: DeviceRegistration.ID
    /// The state of the verification.
    public var registration: PhoneRegistration
    /// The time of the last change.
    public var touched: Date

    /// Creates a record.
    public init(_ device: DeviceRegistration.ID, _ registration: PhoneRegistration, touched: Date) {
        self.device = device
        self.registration = registration
        self.touched = touched
    }
}
