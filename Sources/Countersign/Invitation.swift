#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What an asking screen shows, so that a person finds the place to approve.
///
/// Standard: RFC 8628 §3.2, §3.3; ETSI TS 103 407 §8.3 for one without a code.
public struct Invitation: Sendable, Equatable {
    /// The code to type; `nil` where the server knows the person, who has only to confirm.
    public let userCode: ShownCode?
    /// Where to type it: short, since people type this too.
    public let verificationURI: URL
    /// The same place with the code filled in, for a link or a QR code; opening it approves nothing.
    public let verificationURIComplete: URL?
    /// When the code stops working, by the clock of whoever reads this.
    public let deadline: Date

    public init(userCode: ShownCode?, verificationURI: URL, verificationURIComplete: URL?, deadline: Date) {
        self.userCode = userCode
        self.verificationURI = verificationURI
        self.verificationURIComplete = verificationURIComplete
        self.deadline = deadline
    }
}

/// A user code as some server spells it: shown to a person as it is, never interpreted.
///
/// Other servers than ours use other alphabets and lengths, so a requester does not read it as a ``UserCode``.
public struct ShownCode: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}
