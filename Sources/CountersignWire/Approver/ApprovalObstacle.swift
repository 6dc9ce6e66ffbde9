/// A demand of a request that an approval by the looking device does not meet, so that it can only deny.
public enum ApprovalObstacle: String, Sendable, Hashable, Codable, CaseIterable {
    /// The person is in front of the screen: a phone answers over a link between the two.
    case nearby
    /// The person signed in here lately, or after the request was made; the sign-in of the device is too old.
    case recent
    /// The person signed in with the password or a passkey of their account here; the device was signed in otherwise.
    case password
    /// The person signed in with two factors.
    case secondFactor = "second_factor"
    /// A passkey, or a trusted device that verifies its person, confirms the request.
    case userVerified = "user_verified"
    /// Another demand, as a class of authentication that the client asks for; a device that does not know a word of its
    /// server reads this, too.
    case other

    /// Reads a word.
    ///
    /// - Throws: `DecodingError` for what is no text.
    public init(from decoder: any Decoder) throws {
        self = Self(rawValue: try String(from: decoder)) ?? .other
    }
}
