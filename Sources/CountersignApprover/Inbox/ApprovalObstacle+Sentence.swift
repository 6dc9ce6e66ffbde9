public import CountersignWire

extension ApprovalObstacle {
    /// The person's way to an approval in spite of the obstacle, as a sentence in English.
    public var sentence: String {
        switch self {
        case .nearby: "To approve, use a phone in front of the screen."
        case .recent: "Your sign-in here is too old for it: to approve, sign in again, on this device or in a browser."
        case .password:
            "To approve, sign in with your password or a passkey of this server, on this device or in a browser."
        case .secondFactor:
            """
            To approve, sign in with a passkey, or with a code after your password, on this device or in a browser.
            """
        case .userVerified: "To approve, answer in a browser, and confirm it there with your passkey."
        case .other:
            "It asks for another way to sign in: to approve, answer in a browser, and sign in there as it asks you to."
        }
    }
}
