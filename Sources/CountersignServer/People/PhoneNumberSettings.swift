/// An operator's decisions about telephone numbers.
public struct PhoneNumberSettings: Sendable, Equatable {
    /// The delay before a number moves to a device of another person, who proved it, in seconds; the device that has it
    /// is told, and may object.
    public var moveDelay: Double = 86_400
    /// The beginnings of the numbers that codes are sent to, as digits with the calling code first, such as `31`; empty
    /// for all.
    public var servedPrefixes: [String] = []
    /// Whether an account, without a password, is created when a device of the older dialect proves an unregistered
    /// number.
    public var makesPeople = false

    /// Settings of a server.
    public init() {}
}
