public import FoundationEssentialsCompat

/// The address and the code that a requesting screen shows, so that a person finds the place to approve.
///
/// Standard: RFC 8628 §3.2, §3.3; ETSI TS 103 407 §8.3 for an invitation without a code.
public struct Invitation: Sendable, Equatable {
    /// The code to type; `nil` when the server already knows the person, who only confirms.
    public let userCode: UserCodeText?
    /// The address of the page for typing it; short, because people type the address too.
    public let verificationURI: URL
    /// The same address with the code filled in, for a link or a QR code; opening it approves nothing.
    public let verificationURIComplete: URL?
    /// The expiry of the code, by the clock of the requester that built this invitation.
    public let deadline: Date

    /// Creates an invitation from a server's answer.
    public init(userCode: UserCodeText?, verificationURI: URL, verificationURIComplete: URL?, deadline: Date) {
        self.userCode = userCode
        self.verificationURI = verificationURI
        self.verificationURIComplete = verificationURIComplete
        self.deadline = deadline
    }

    /// The same invitation with another link.
    package func linked(by link: URL) -> Invitation {
        Invitation(
            userCode: userCode, verificationURI: verificationURI, verificationURIComplete: link, deadline: deadline)
    }
}

/// A user code as a server spells it: shown to a person unchanged, never interpreted.
///
/// Other servers use other alphabets and lengths, so a requester does not parse it as a ``UserCode``.
public struct UserCodeText: Identifier {
    /// The code exactly as the server sent it.
    public let rawValue: String
    /// Creates a code from the server's text, of any length and alphabet.
    public init(rawValue: String) { self.rawValue = rawValue }
}
