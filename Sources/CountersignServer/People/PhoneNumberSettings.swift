/// The settings for telephone numbers.
public struct PhoneNumberSettings: Sendable, Equatable {
    /// The delay before a verified number moves to another person, in seconds; the current owner is notified, and may
    /// object.
    public var moveDelay: Double = 86_400
    /// The allowed prefixes of numbers for codes, as digits with the calling code, such as `31`; empty for all.
    public var servedPrefixes: [String] = []
    /// Whether a device with the older SDK that verifies an unregistered number creates an account without a password.
    public var makesPeople = false

    /// Creates settings.
    public init() {}
}
